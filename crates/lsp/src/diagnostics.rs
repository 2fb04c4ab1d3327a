//! Conversion of findings to diagnostics.

use serde_json::json;
use tower_lsp::ls_types::*;

use super::snapshot::Snapshot;
use a2lint_ir::finding::{Elsewhere, Finding, Fix, Severity};
use a2lint_lint::check::groups;
use a2lint_report::{printable, printable_lines, standing};
use a2lint_rules as rules;

/// Maximum number of diagnostics per document: hundreds of them slow editors down and are no help.
const MOST: usize = 500;

/// Returns the diagnostics of a document: findings, what was not analysed, and errors in its configuration.
pub fn diagnostics(snapshot: &Snapshot) -> Vec<Diagnostic> {
    let findings = snapshot.findings();
    let groups = groups(findings).into_iter().take(MOST);
    let mut found: Vec<Diagnostic> = groups
        .map(|group| {
            let mut shown = diagnostic(snapshot, &findings[group.first]);
            let others = group.others.iter().map(|&at| &findings[at]);
            let others = others.map(|other| DiagnosticRelatedInformation {
                location: Location::new(snapshot.uri.clone(), snapshot.range(other.span)),
                message: self::shown(&other.message),
            });
            let others: Vec<_> = others.collect();
            if !others.is_empty() {
                shown
                    .related_information
                    .get_or_insert_default()
                    .extend(others);
            }
            shown
        })
        .collect();
    found.extend(not_analysed(snapshot));
    found.extend(open(snapshot));
    found.extend(misconfigured(snapshot));
    found
}

/// Returns the diagnostic about an invalid configuration, on the first line of every file that it applies to.
fn misconfigured(snapshot: &Snapshot) -> Option<Diagnostic> {
    let error = snapshot.misconfigured.as_ref()?;
    let help = error.help.as_ref().map(|help| format!("\n{help}"));
    let message = &error.message;
    Some(Diagnostic {
        range: snapshot.range(first_line(snapshot)),
        severity: Some(DiagnosticSeverity::WARNING),
        code: Some(NumberOrString::String("configuration".to_owned())),
        source: Some("a2lint".to_owned()),
        message: shown(&format!(
            "{}: {message}{}",
            error.path,
            help.unwrap_or_default()
        )),
        ..Diagnostic::default()
    })
}

/// Converts a finding.
pub fn diagnostic(snapshot: &Snapshot, finding: &Finding) -> Diagnostic {
    let related = finding
        .labels
        .iter()
        .map(|label| DiagnosticRelatedInformation {
            location: Location::new(snapshot.uri.clone(), snapshot.range(label.span)),
            message: shown(&label.message),
        });
    let elsewhere = finding.elsewhere.iter().flat_map(other_places);
    let related: Vec<_> = related.chain(elsewhere).collect();
    Diagnostic {
        range: snapshot.range(finding.span),
        severity: Some(severity(finding.severity)),
        code: Some(NumberOrString::String(finding.name.to_owned())),
        code_description: link(snapshot, finding),
        source: Some("a2lint".to_owned()),
        message: shown(&message(finding)),
        related_information: (!related.is_empty()).then_some(related),
        tags: None,
        data: finding.fix.as_ref().map(|fix| data(snapshot, fix)),
    }
}

/// Returns the link to the documentation of a finding's rule: to where the project publishes it, or to a virtual
/// document of the editor. `None` for clients that support neither; their hovers explain the rule instead.
pub fn link(snapshot: &Snapshot, finding: &Finding) -> Option<CodeDescription> {
    let rule = rules::find(finding.name)?;
    let base = match &snapshot.docs_url {
        Some(base) => base.trim_end_matches('/'),
        None if snapshot.links.rules => "a2lint:/rules",
        None => return None,
    };
    let href = format!("{base}/{}.md", rule.name).parse().ok()?;
    Some(CodeDescription { href })
}

fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Info => DiagnosticSeverity::INFORMATION,
    }
}

/// Returns the places of a finding in another file as related information.
fn other_places(place: &Elsewhere) -> Vec<DiagnosticRelatedInformation> {
    let Some(uri) = Uri::from_file_path(&place.path) else {
        return Vec::new();
    };
    let position = |offset: u32| {
        let found = place.source.line_column(offset);
        Position::new(found.line as u32 - 1, found.column as u32 - 1)
    };
    let own = (place.span, "here");
    let labels = place
        .labels
        .iter()
        .map(|label| (label.span, label.message.as_str()));
    let related = std::iter::once(own).chain(labels).map(|(span, message)| {
        let range = Range::new(position(span.start), position(span.end));
        DiagnosticRelatedInformation {
            location: Location::new(uri.clone(), range),
            message: shown(message),
        }
    });
    related.collect()
}

/// Replaces characters that an editor would interpret instead of showing.
fn shown(message: &str) -> String {
    printable_lines(message).into_owned()
}

/// Returns the message and the help of a finding.
fn message(finding: &Finding) -> String {
    let place = finding.elsewhere.as_ref().map(|place| {
        let line = place.source.line_index(place.span.start) + 1;
        format!("{}:{line}: ", place.shown)
    });
    let place = place.unwrap_or_default();
    match &finding.help {
        Some(help) => format!("{place}{}\n{help}", finding.message),
        None => format!("{place}{}", finding.message),
    }
}

/// Returns the fix as data, which clients send back when they ask for code actions.
fn data(snapshot: &Snapshot, fix: &Fix) -> serde_json::Value {
    let edits: Vec<TextEdit> = edits(snapshot, fix);
    json!({"fix": {"title": printable(&fix.title), "safe": fix.safe, "edits": edits}})
}

/// Returns the text edits of a fix.
pub fn edits(snapshot: &Snapshot, fix: &Fix) -> Vec<TextEdit> {
    let edits = fix.edits.iter();
    edits
        .map(|edit| TextEdit::new(snapshot.range(edit.span), edit.text.clone()))
        .collect()
}

/// Returns notices about kernels and files that were not analysed, so that the absence of findings is not taken for
/// success.
fn not_analysed(snapshot: &Snapshot) -> impl Iterator<Item = Diagnostic> {
    snapshot.file.analysis.not_analysed.iter().map(|not| {
        let named = not.kernel.as_deref().and_then(|kernel| {
            let definition = format!("def {kernel}");
            let start = snapshot.source().as_str().find(&definition)? + "def ".len();
            Some(a2lint_source::text::Span::new(start, start + kernel.len()))
        });
        let (what, span) = match (&not.kernel, named) {
            (Some(kernel), Some(span)) => (format!("the kernel `{kernel}`"), span),
            (Some(kernel), None) => (format!("the kernel `{kernel}`"), first_line(snapshot)),
            (None, _) => ("this file".to_owned(), first_line(snapshot)),
        };
        Diagnostic {
            range: snapshot.range(span),
            severity: Some(DiagnosticSeverity::INFORMATION),
            code: Some(NumberOrString::String("not-analysed".to_owned())),
            source: Some("a2lint".to_owned()),
            message: format!("{what} was not analysed: {}", not.reason),
            ..Diagnostic::default()
        }
    })
}

/// Returns notices about kernels with code that could not be evaluated, which have no finding for that reason. Where
/// text does not parse, that is what there is to say.
fn open(snapshot: &Snapshot) -> Vec<Diagnostic> {
    let (file, findings) = (&snapshot.file, &snapshot.file.analysis.findings);
    let is_broken = findings
        .iter()
        .any(|it| it.kernel.is_none() && it.severity == Severity::Error);
    let records = file.analysis.records.iter().zip(file.analysis.verdicts());
    let open = records.filter(|(record, _)| !is_broken && !record.unknown.is_empty());
    let notices = open.filter_map(|(record, verdicts)| {
        let sentence = standing::sentence(file, record, &verdicts)?;
        Some(Diagnostic {
            range: snapshot.range(record.span),
            severity: Some(DiagnosticSeverity::INFORMATION),
            code: Some(NumberOrString::String("open".to_owned())),
            source: Some("a2lint".to_owned()),
            message: shown(&format!("`{}` {}", record.name, sentence.text)),
            ..Diagnostic::default()
        })
    });
    notices.collect()
}

fn first_line(snapshot: &Snapshot) -> a2lint_source::text::Span {
    snapshot.source().line_span(0).unwrap_or_default()
}
