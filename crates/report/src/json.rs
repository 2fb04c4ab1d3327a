//! The JSON report: one object of a documented, versioned shape.

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::run::finite;
use super::standing::Standing;
use super::{FileReport, Placed, Run, Summary};
use a2lint_ir::finding::{self, Severity};
use a2lint_ir::verdict::{self, Status};
use a2lint_lint::check::{Group, Results};
use a2lint_rules::record::KernelRecord;
use a2lint_source::text::{LineColumn, SourceText, Span, is_unprintable};

/// The version of the object, which changes if a field is removed or changes its meaning.
pub(super) const VERSION: u32 = 1;

/// Renders the report as JSON with a final newline.
pub fn render(reports: &[FileReport], run: &Run) -> String {
    let placed: Vec<Placed> = reports.iter().flat_map(FileReport::placed).collect();
    let report = Report::new(reports, &placed, run);
    json_text(&report)
}

/// Renders a value as JSON with a final newline. Unprintable characters are escaped, so that quoted source texts have
/// no effect on terminals that show the JSON.
pub fn json_text(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value).expect("every key is a string");
    escaped(&text) + "\n"
}

/// Escapes unprintable characters in JSON. They only occur inside of its strings, except for line ends.
pub fn escaped(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match is_unprintable(c) && c != '\n' {
            true => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    out += &format!("\\u{unit:04x}");
                }
            }
            false => out.push(c),
        }
    }
    out
}

#[derive(Serialize)]
struct Report<'a> {
    version: u32,
    findings: Vec<Finding<'a>>,
    not_analysed: Vec<NotAnalysed<'a>>,
    /// Kernels and files that are only for other products.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    other_products: Vec<NotAnalysed<'a>>,
    kernels: Vec<Kernel<'a>>,
    summary: Totals,
}

/// A finding as an object.
#[derive(Serialize)]
pub(super) struct Finding<'a> {
    code: &'a str,
    name: &'a str,
    severity: &'static str,
    confidence: &'static str,
    basis: &'static str,
    message: &'a str,
    path: &'a str,
    kernel: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    also_in: &'a [String],
    range: Range,
    labels: Vec<Label<'a>>,
    /// Other places of the same mistake.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    same_cause: Vec<Label<'a>>,
    help: Option<&'a str>,
    fix: Option<Fix<'a>>,
    witness: Option<Witness<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
}

#[derive(Serialize)]
struct Range {
    start: Place,
    end: Place,
    start_offset: u32,
    end_offset: u32,
}

#[derive(Serialize)]
struct Place {
    line: usize,
    column: usize,
}

#[derive(Serialize)]
struct Label<'a> {
    message: &'a str,
    range: Range,
}

#[derive(Serialize)]
struct Fix<'a> {
    title: &'a str,
    safe: bool,
    edits: Vec<Edit<'a>>,
}

#[derive(Serialize)]
struct Edit<'a> {
    range: Range,
    text: &'a str,
}

#[derive(Serialize)]
struct Witness<'a> {
    launch: Launch<'a>,
    core: u32,
    lane: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<&'a str>,
    iteration: &'a [u64],
    detail: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    numbers: Option<Numbers<'a>>,
}

/// A few elements of each operand, before and after the statement of the finding.
#[derive(Serialize)]
struct Numbers<'a> {
    core: u32,
    lane: &'a str,
    iteration: &'a [i64],
    operands: Vec<Operand<'a>>,
}

/// Some elements of an operand; `null` if undefined.
#[derive(Serialize)]
struct Operand<'a> {
    parameter: &'a str,
    text: &'a str,
    dtype: &'a str,
    shape: [usize; 2],
    /// Row and column of the first of these elements.
    first: [usize; 2],
    before: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    after: Vec<Value>,
    changed: usize,
    undefined: usize,
}

/// Launch arguments, serialised as an object in the order of the parameters.
struct Launch<'a>(&'a [(String, f64)]);

#[derive(Serialize)]
struct NotAnalysed<'a> {
    path: &'a str,
    kernel: Option<&'a str>,
    reason: &'a str,
}

/// The record of a kernel and its verdicts.
#[derive(Serialize)]
pub(super) struct Kernel<'a> {
    path: &'a str,
    name: &'a str,
    range: Range,
    dialect: &'static str,
    standing: &'static str,
    traced: &'static str,
    unknown: Vec<Unknown<'a>>,
    contract: &'a [String],
    /// The launches for which the proofs of the kernel hold; empty if that need not be said.
    holds_only_for: Vec<String>,
    not_read: &'a [String],
    changes_not_tried: u32,
    launches: Vec<LaunchRun<'a>>,
    verdicts: Vec<Verdict>,
}

#[derive(Serialize)]
struct Unknown<'a> {
    range: Range,
    what: &'a str,
}

#[derive(Serialize)]
struct LaunchRun<'a> {
    from: &'static str,
    arguments: Launch<'a>,
    range: Option<Range>,
    place: Option<&'a str>,
    outcome: &'static str,
    reason: Option<&'a str>,
}

#[derive(Serialize)]
struct Verdict {
    property: &'static str,
    status: &'static str,
    #[serde(rename = "if")]
    under: Vec<String>,
    assuming: Vec<String>,
    because: Option<String>,
    range: Option<Range>,
    /// Indices of findings in the report.
    findings: Vec<usize>,
}

#[derive(Serialize)]
struct Totals {
    clean: bool,
    files: usize,
    kernels: usize,
    analysed: usize,
    errors: usize,
    warnings: usize,
    /// Kernels with an error.
    wrong: usize,
    /// Kernels with a warning and no error.
    with_warnings: usize,
    /// Kernels with neither of which not everything is proved.
    open: usize,
    /// Kernels of which everything is proved, those with notes included. `clean` is about the whole run.
    kernels_clean: usize,
    /// Findings that `--fix` fixes.
    fixable: usize,
    /// Findings that only `--unsafe-fixes` fixes.
    fixable_unsafe: usize,
    proved: usize,
    proved_if: usize,
    tested: usize,
    undecided: usize,
    refuted: usize,
    seconds: f64,
}

impl<'a> Report<'a> {
    fn new(reports: &'a [FileReport], placed: &'a [Placed<'a>], run: &Run) -> Self {
        let findings = placed.iter().map(|placed| Finding {
            url: Some(run.links.url(placed.finding.name)),
            ..Finding::new(placed)
        });
        let entries = |of: fn(&Results) -> &[a2lint_ir::NotAnalysed]| {
            let entries = reports.iter().flat_map(move |report| {
                of(&report.analysis).iter().map(move |entry| NotAnalysed {
                    path: &report.path,
                    kernel: entry.kernel.as_deref(),
                    reason: &entry.reason,
                })
            });
            entries.collect::<Vec<_>>()
        };
        Report {
            version: VERSION,
            findings: findings.collect(),
            not_analysed: entries(|results| &results.not_analysed),
            other_products: entries(|results| &results.other_products),
            kernels: kernels(reports),
            summary: Totals::new(&Summary::of(reports), run),
        }
    }
}

/// Builds the objects of all kernels; findings are named by their index in the report.
pub(super) fn kernels(reports: &[FileReport]) -> Vec<Kernel<'_>> {
    let mut kernels = Vec::new();
    let groups: Vec<Vec<Group>> = reports.iter().map(FileReport::groups).collect();
    let index_in = |report: usize, at: usize| {
        let before: usize = groups[..report].iter().map(Vec::len).sum();
        let mut own = groups[report].iter();
        let shown = own.position(|it| it.first == at || it.others.contains(&at));
        before + shown.unwrap_or_default()
    };
    for (number, report) in reports.iter().enumerate() {
        let analysis = &report.analysis;
        let index = |at: usize| match analysis.shared.shown_by(at) {
            Some(shown) => index_in(shown.report, shown.finding),
            None => index_in(number, at),
        };
        for (record, verdicts) in analysis.records.iter().zip(analysis.verdicts()) {
            kernels.push(Kernel::new(report, record, verdicts, &index));
        }
    }
    kernels
}

impl<'a> Kernel<'a> {
    /// Builds the object of a kernel; `index` maps a finding of the file to its index in the report.
    fn new(
        report: &'a FileReport,
        record: &'a KernelRecord,
        verdicts: verdict::Verdicts,
        index: &dyn Fn(usize) -> usize,
    ) -> Self {
        let source = &report.source;
        let standing = Standing::of(report, record, &verdicts);
        let unknown = record.unknown.iter().map(|code| Unknown {
            range: Range::new(source, code.span),
            what: &code.what,
        });
        let launches = record.launches.iter().map(|run| LaunchRun {
            from: run.source.name(),
            arguments: Launch(&run.arguments),
            range: run.span.map(|span| Range::new(source, span)),
            place: run.place.as_deref(),
            outcome: run.outcome.name(),
            reason: run.reason.as_deref(),
        });
        let holds_only_for = record.restrictions(&verdicts);
        let verdicts = verdicts.into_iter();
        Kernel {
            path: &report.path,
            name: &record.name,
            range: Range::new(source, record.span),
            dialect: record.dialect.name(),
            standing: standing.name(),
            traced: match record.unknown.is_empty() {
                true => "whole",
                false => "partly",
            },
            unknown: unknown.collect(),
            contract: &record.contract,
            holds_only_for,
            not_read: &record.not_read,
            changes_not_tried: record.untried,
            launches: launches.collect(),
            verdicts: verdicts
                .map(|verdict| Verdict::new(source, verdict, index))
                .collect(),
        }
    }
}

impl Verdict {
    fn new(source: &SourceText, verdict: verdict::Verdict, index: &dyn Fn(usize) -> usize) -> Self {
        let mut shown = Verdict {
            property: verdict.property.name(),
            status: verdict.status.name(),
            under: Vec::new(),
            assuming: Vec::new(),
            because: None,
            range: None,
            findings: Vec::new(),
        };
        match verdict.status {
            Status::Proved { under, assuming } => (shown.under, shown.assuming) = (under, assuming),
            Status::Refuted { findings } => {
                shown.findings = findings.into_iter().map(index).collect();
                shown.findings.dedup();
            }
            Status::Tested => {}
            Status::Undecided { because, at } => {
                shown.because = Some(because);
                shown.range = at.map(|span| Range::new(source, span));
            }
        }
        shown
    }
}

impl<'a> Finding<'a> {
    /// Builds the object of a finding, without the URL of its rule.
    pub(super) fn new(placed: &'a Placed<'a>) -> Self {
        let (source, finding) = (placed.source, &*placed.finding);
        let label = |label: &'a finding::Label| Label {
            message: &label.message,
            range: Range::new(source, label.span),
        };
        Finding {
            code: finding.code,
            name: finding.name,
            severity: severity(finding.severity),
            confidence: finding.basis.confidence(),
            basis: finding.basis.name(),
            message: &finding.message,
            path: placed.path,
            kernel: finding.kernel.as_deref(),
            also_in: &finding.also_in,
            range: Range::new(source, finding.span),
            labels: finding.labels.iter().map(label).collect(),
            same_cause: placed
                .others
                .iter()
                .map(|other| Label {
                    message: &other.message,
                    range: Range::new(source, other.span),
                })
                .collect(),
            help: finding.help.as_deref(),
            fix: finding.fix.as_ref().map(|fix| Fix::new(source, fix)),
            witness: finding
                .witness
                .as_ref()
                .map(|witness| Witness::new(witness, finding.numbers.as_ref())),
            url: None,
        }
    }
}

impl<'a> Fix<'a> {
    fn new(source: &SourceText, fix: &'a finding::Fix) -> Self {
        let edit = |edit: &'a finding::Edit| Edit {
            range: Range::new(source, edit.span),
            text: &edit.text,
        };
        Fix {
            title: &fix.title,
            safe: fix.safe,
            edits: fix.edits.iter().map(edit).collect(),
        }
    }
}

impl<'a> Witness<'a> {
    fn new(witness: &'a finding::Witness, numbers: Option<&'a finding::Numbers>) -> Self {
        Witness {
            launch: Launch(&witness.launch),
            core: witness.core,
            lane: &witness.lane,
            place: witness.place.as_deref(),
            iteration: &witness.iteration,
            detail: &witness.detail,
            numbers: numbers.map(Numbers::new),
        }
    }
}

impl<'a> Numbers<'a> {
    fn new(numbers: &'a finding::Numbers) -> Self {
        Numbers {
            core: numbers.core,
            lane: numbers.lane,
            iteration: &numbers.iteration,
            operands: numbers.strips.iter().map(Operand::new).collect(),
        }
    }
}

impl<'a> Operand<'a> {
    fn new(strip: &'a finding::Strip) -> Self {
        let values = |values: &[Option<f64>]| {
            let values = values.iter();
            values
                .map(|value| value.map_or(Value::Null, finite))
                .collect()
        };
        Operand {
            parameter: strip.operand,
            text: &strip.view,
            dtype: strip.dtype.name(),
            shape: strip.shape,
            first: strip.place(0),
            before: values(&strip.before),
            after: values(&strip.after),
            changed: strip.changed,
            undefined: strip.undefined,
        }
    }
}

impl Totals {
    fn new(summary: &Summary, run: &Run) -> Self {
        Totals {
            clean: summary.is_clean(),
            files: summary.files,
            kernels: summary.kernels,
            analysed: summary.analysed,
            errors: summary.errors,
            warnings: summary.warnings,
            wrong: summary.number(Standing::Wrong),
            with_warnings: summary.number(Standing::Suspect),
            open: summary.number(Standing::Open),
            kernels_clean: summary.number(Standing::Clean) + summary.number(Standing::Noted),
            fixable: summary.fixes.safe,
            fixable_unsafe: summary.fixes.not_safe,
            proved: summary.proved,
            proved_if: summary.proved_if,
            tested: summary.tested,
            undecided: summary.undecided,
            refuted: summary.refuted,
            seconds: run.seconds,
        }
    }
}

impl Range {
    fn new(source: &SourceText, span: Span) -> Self {
        Range {
            start: source.line_column(span.start).into(),
            end: source.line_column(span.end).into(),
            start_offset: span.start,
            end_offset: span.end,
        }
    }
}

impl From<LineColumn> for Place {
    fn from(place: LineColumn) -> Self {
        Place {
            line: place.line,
            column: place.column,
        }
    }
}

impl Serialize for Launch<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, number(*value))))
    }
}

/// Writes a number without a fraction if it has none. JSON has no infinities; they become `null`.
fn number(value: f64) -> serde_json::Value {
    match value as i64 {
        whole if whole as f64 == value && value.abs() < 2f64.powi(53) => whole.into(),
        _ => value.into(),
    }
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Info => "info",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::complete;
    use a2lint_ir::verdict::Property;
    use serde_json::json;

    #[test]
    fn the_object_is_the_documented_one() {
        let run = Run {
            seconds: 0.25,
            candidates: 1,
            ..Run::default()
        };
        let text = render(&[complete()], &run);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let range = |line: u32, from: u32, to: u32, start: u32, end: u32| {
            json!({"start": {"line": line, "column": from}, "end": {"line": line, "column": to},
                   "start_offset": start, "end_offset": end})
        };
        let expected = json!({
            "version": 1,
            "findings": [{
                "code": "COV001", "name": "dup-coverage", "severity": "error",
                "confidence": "replayed", "basis": "replayed", "message": "dup fills 64 of 128 lanes",
                "path": "k.py", "kernel": "softmax",
                "range": range(4, 1, 24, 41, 64),
                "labels": [{"message": "lane 64 is read here", "range": range(5, 1, 12, 65, 76)}],
                "help": "write `repeat=2`",
                "fix": {"title": "cover the whole tile", "safe": false,
                        "edits": [{"range": range(4, 15, 23, 55, 63), "text": "repeat=2"}]},
                "witness": {"launch": {"M": 128, "eps": 0.5}, "core": 0, "lane": "vec0",
                            "iteration": [0, 3],
                            "detail": "confirmed by simulation (M=128, core 0, vec0): element 64 is undefined"},
                "url": "docs/rules/dup-coverage.md",
            }],
            "not_analysed": [
                {"path": "k.py", "kernel": "other", "reason": "its shape depends on a file"}
            ],
            "kernels": [{
                "path": "k.py", "name": "softmax", "range": range(1, 1, 5, 0, 4),
                "dialect": "easyasc", "standing": "wrong", "traced": "whole", "unknown": [],
                "contract": [], "holds_only_for": [], "not_read": [], "changes_not_tried": 0,
                "launches": [{"from": "comment", "arguments": {"M": 128, "eps": 0.5},
                              "range": range(3, 1, 7, 26, 40), "place": null, "outcome": "finished",
                              "reason": null}],
                "verdicts": Property::ALL.map(|property| match property {
                    Property::Initialised => json!({
                        "property": "initialised", "status": "refuted", "if": [], "assuming": [],
                        "because": null, "range": null, "findings": [0]}),
                    _ => json!({
                        "property": property.name(), "status": "tested", "if": [],
                        "assuming": [], "because": null, "range": null, "findings": []}),
                }),
            }],
            "summary": {"clean": false, "files": 1, "kernels": 2, "analysed": 1, "errors": 1,
                        "warnings": 0, "fixable": 0, "wrong": 1, "with_warnings": 0, "open": 0,
                        "kernels_clean": 0, "fixable_unsafe": 1, "proved": 0,
                        "proved_if": 0, "tested": 7, "undecided": 0,
                        "refuted": 1, "seconds": 0.25},
        });
        assert_eq!(value, expected);
        assert!(text.find("\"M\"") < text.find("\"eps\""));
    }

    #[test]
    fn numbers_lose_needless_fractions() {
        assert_eq!(number(3.0).to_string(), "3");
        assert_eq!(number(-0.5).to_string(), "-0.5");
        assert_eq!(number(f64::INFINITY), serde_json::Value::Null);
    }
}
