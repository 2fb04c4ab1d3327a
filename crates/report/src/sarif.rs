//! The SARIF 2.1.0 report, in the form that code scanning services accept: relative addresses, stable fingerprints,
//! labels as related locations.

use serde_json::{Value, json};

use super::json::json_text;
use super::{FileReport, Placed, Run, Summary, examined, fix_mark, json};
use a2lint_ir::finding::{Fix, Severity};
use a2lint_lint::baseline::fingerprints;
use a2lint_rules::{self as rules, Rule};
use a2lint_source::text::{SourceText, Span};

/// The address of the format's schema.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// The symbolic name of the folder that relative addresses start from.
const ROOT: &str = "SRCROOT";

/// Renders the report as JSON with a final newline.
pub fn render(reports: &[FileReport], run: &Run) -> String {
    let used = used_rules(reports);
    let mut results = Vec::new();
    let mut notices = Vec::new();
    for report in reports {
        let findings = &report.analysis.findings;
        let prints = fingerprints(&report.source, findings);
        for (placed, group) in report.placed().zip(report.groups()) {
            results.push(result(&placed, &prints[group.first], &used));
        }
        notices.extend(report.analysis.not_analysed.iter().map(|gap| {
            let kernel = gap
                .kernel
                .as_deref()
                .map(|kernel| format!("kernel {kernel} "));
            let text = format!("{}not analysed: {}", kernel.unwrap_or_default(), gap.reason);
            json!({
                "level": "note",
                "message": message(&text),
                "locations": [{"physicalLocation": {"artifactLocation": artifact(&report.path)}}],
            })
        }));
        for record in &report.analysis.records {
            for open in examined::notices(record, &report.analysis.findings) {
                let text = format!("kernel {} {}", record.name, open.text());
                let at = open.at.unwrap_or(record.span);
                let mut place = location(&report.path, &report.source, at);
                place["logicalLocations"] = json!([{"name": record.name, "kind": "function"}]);
                let notice =
                    json!({"level": "note", "message": message(&text), "locations": [place]});
                notices.push(notice);
            }
        }
    }
    let described: Vec<Value> = used.iter().map(|rule| described(rule, run)).collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "a2lint",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": described,
            }},
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": {ROOT: {"description": {"text": "the folder that was checked"}}},
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": notices,
            }],
            "results": results,
            "properties": {
                "clean": Summary::of(reports).is_clean(),
                "kernels": json::kernels(reports),
            },
        }],
    });
    json_text(&log)
}

/// Returns the rules with findings, ordered by code.
fn used_rules(reports: &[FileReport]) -> Vec<&'static Rule> {
    let findings = || reports.iter().flat_map(|report| &report.analysis.findings);
    let used = |rule: &&Rule| findings().any(|finding| finding.name == rule.name);
    rules::RULES.iter().copied().filter(used).collect()
}

fn described(rule: &Rule, run: &Run) -> Value {
    let mut value = json!({
        "id": rule.name,
        "name": pascal_case(rule.name),
        "shortDescription": {"text": one_line(rule.summary())},
        "fullDescription": {"text": one_line(rule.summary())},
        "help": {"text": rule.markdown(), "markdown": rule.markdown()},
        "defaultConfiguration": {"level": level(rule.severity)},
        "properties": {"tags": [rule.code, rule.group().title]},
    });
    // `helpUri` must be an absolute address.
    if run.links.base.is_some() {
        value["helpUri"] = json!(run.links.url(rule.name));
    }
    value
}

fn result(placed: &Placed, print: &str, used: &[&Rule]) -> Value {
    let finding = &*placed.finding;
    let index = used.iter().position(|rule| rule.name == finding.name);
    let text = match &finding.help {
        Some(help) => format!("{}\n{help}", finding.message),
        None => finding.message.clone(),
    };
    let mut place = location(placed.path, placed.source, finding.span);
    if let Some(kernel) = &finding.kernel {
        place["logicalLocations"] = json!([{"name": kernel, "kind": "function"}]);
    }
    let labels = finding.labels.iter().map(|it| (it.span, &it.message));
    let others = placed.others.iter().map(|it| (it.span, &it.message));
    let related = labels.chain(others).zip(1..).map(|((span, text), id)| {
        let mut place = location(placed.path, placed.source, span);
        place["id"] = json!(id);
        place["message"] = message(text);
        place
    });
    let mut related: Vec<Value> = related.collect();
    let launched = finding.witness.as_ref().and_then(|it| it.place.as_deref());
    related.extend(launched.and_then(|place| launch(place, related.len() + 1)));
    let mut value = json!({
        "ruleId": finding.name,
        "level": level(finding.severity),
        "message": message(&text),
        "locations": [place],
        "partialFingerprints": {"a2lint/v1": print},
        "properties": {
            "confidence": finding.basis.confidence(),
            "basis": finding.basis.name(),
        },
    });
    if let Some(index) = index {
        value["ruleIndex"] = json!(index);
    }
    if !related.is_empty() {
        value["relatedLocations"] = json!(related);
    }
    if let Some(fix) = &finding.fix {
        value["fixes"] = json!([described_fix(placed, fix)]);
    }
    value
}

/// Creates a message. SARIF takes `[text](address)` in plain text for a link, so the bracket is escaped: quoted
/// source text must not become a link.
fn message(text: &str) -> Value {
    json!({"text": text.replace("](", "\\](")})
}

fn described_fix(placed: &Placed, fix: &Fix) -> Value {
    let replacements = fix.edits.iter().map(|edit| {
        json!({
            "deletedRegion": region(placed.source, edit.span),
            "insertedContent": {"text": edit.text},
        })
    });
    json!({
        "description": message(&format!("{}{}", fix.title, fix_mark(&placed.finding))),
        "artifactChanges": [{
            "artifactLocation": artifact(placed.path),
            "replacements": replacements.collect::<Vec<_>>(),
        }],
    })
}

fn location(path: &str, source: &SourceText, span: Span) -> Value {
    json!({"physicalLocation": {
        "artifactLocation": artifact(path),
        "region": region(source, span),
    }})
}

/// Returns the place of a launch, given as `path:line`.
fn launch(place: &str, id: usize) -> Option<Value> {
    let (path, line) = place.rsplit_once(':')?;
    let line: usize = line.parse().ok()?;
    Some(json!({
        "id": id,
        "message": message("the launch"),
        "physicalLocation": {
            "artifactLocation": artifact(path),
            "region": {"startLine": line},
        },
    }))
}

fn region(source: &SourceText, span: Span) -> Value {
    let (start, end) = (source.line_column(span.start), source.line_column(span.end));
    json!({
        "startLine": start.line, "startColumn": start.column,
        "endLine": end.line, "endColumn": end.column,
    })
}

/// Returns the address of a file, relative if its path is.
fn artifact(path: &str) -> Value {
    let encoded = percent_encoded(path);
    let is_drive = path.as_bytes().get(1) == Some(&b':');
    match (path.starts_with('/'), is_drive) {
        (true, _) => json!({"uri": format!("file://{encoded}")}),
        (_, true) => json!({"uri": format!("file:///{encoded}")}),
        _ => json!({"uri": encoded, "uriBaseId": ROOT}),
    }
}

fn percent_encoded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'~' => out.push(byte as char),
            byte if byte.is_ascii_alphanumeric() => out.push(byte as char),
            byte => out += &format!("%{byte:02X}"),
        }
    }
    out
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Info => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

/// Converts `dup-coverage` to `DupCoverage`.
fn pascal_case(name: &str) -> String {
    let capital = |word: &str| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_ascii_uppercase() + rest
    };
    name.split('-').map(capital).collect()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::complete;

    #[test]
    fn a_log() {
        let log = render(&[complete()], &Run::default());
        let mut log: Value = serde_json::from_str(&log).expect("JSON");
        let driver = &mut log["runs"][0]["tool"]["driver"];
        driver["semanticVersion"] = json!("");
        for field in ["help", "shortDescription", "fullDescription"] {
            driver["rules"][0][field] = json!({"text": ""});
        }
        insta::assert_snapshot!(serde_json::to_string_pretty(&log).expect("JSON"));
    }

    #[test]
    fn no_text_of_a_message_is_a_link() {
        let mut report = complete();
        let finding = &mut report.analysis.findings[0];
        let link = "[see](https://example.org)";
        finding.message = link.to_owned();
        finding.help = Some(link.to_owned());
        finding
            .labels
            .iter_mut()
            .for_each(|it| it.message = link.to_owned());
        if let Some(fix) = &mut finding.fix {
            fix.title = link.to_owned();
        }
        for gap in &mut report.analysis.not_analysed {
            gap.reason = link.to_owned();
        }
        let log = render(&[report], &Run::default());
        assert!(!log.contains("[see]("), "{log}");
        assert!(
            log.matches("[see\\\\](https://example.org)").count() > 1,
            "{log}"
        );
    }

    #[test]
    fn addresses_are_relative_and_encoded() {
        let uri = |path: &str| artifact(path)["uri"].as_str().map(str::to_owned);
        assert_eq!(uri("a b/核.py").as_deref(), Some("a%20b/%E6%A0%B8.py"));
        assert_eq!(uri("/x/k.py").as_deref(), Some("file:///x/k.py"));
        assert_eq!(uri("C:/k.py").as_deref(), Some("file:///C%3A/k.py"));
        assert_eq!(artifact("/x/k.py")["uriBaseId"], Value::Null);
    }
}
