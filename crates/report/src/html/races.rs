//! The unordered accesses that the timeline shows: those of reported hazards.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::model::{Teller, track_name};
use a2lint_ir::View;
use a2lint_ir::finding::Finding;
use a2lint_machine::hazards::{End, Hazard};
use a2lint_rules as rules;

/// Builds the marks of all hazards.
pub fn races(teller: &Teller) -> Vec<Value> {
    let hazards = teller.subject.hazards.iter();
    hazards.filter_map(|hazard| race(teller, hazard)).collect()
}

/// Builds the mark of a hazard, on whichever core its accesses are; `None` if no finding reports it.
fn race(teller: &Teller, hazard: &Hazard) -> Option<Value> {
    let lines = [&hazard.first, &hazard.second].map(|end| teller.line_of(end.stmt));
    let lines: BTreeSet<usize> = lines.into_iter().collect::<Option<_>>()?;
    let mut findings = teller.subject.findings.iter();
    let finding = findings.find(|finding| tells(teller, finding, &lines))?;
    let ends = [end(teller, &hazard.first), end(teller, &hazard.second)];
    let ends: Vec<Value> = ends.into_iter().flatten().collect();
    (!ends.is_empty()).then(|| {
        json!({
            "rule": finding.name,
            "line": teller.line(finding.span),
            "count": hazard.count,
            "ends": ends,
        })
    })
}

/// Returns whether a finding about synchronisation names both lines.
fn tells(teller: &Teller, finding: &Finding, lines: &BTreeSet<usize>) -> bool {
    let rule = rules::find(finding.name);
    let is_about_order = rule.is_some_and(|rule| rule.group().prefix == "SYN");
    let labels = finding.labels.iter().map(|label| label.span);
    let spans = std::iter::once(finding.span).chain(labels);
    let named: BTreeSet<usize> = spans.map(|span| teller.line(span)).collect();
    is_about_order && lines.is_subset(&named)
}

/// Builds one end of a mark. Its time is known on the shown core alone.
fn end(teller: &Teller, end: &End) -> Option<Value> {
    let recorder = teller.subject.recorder;
    let time = match end.lane.core == recorder.core() {
        true => Some(teller.time(recorder.occasion(end)?)?),
        false => None,
    };
    let (_, instr) = teller.instructions.get(&end.stmt)?;
    let view = instr.operands().nth(end.operand).map(|(_, _, view)| view);
    let program = teller.subject.program;
    let tensor = view.map(|view| match view {
        View::Local(view) => program.buffer(view.buffer).label().to_owned(),
        View::Global(view) => program.global(view.global).name.to_string(),
    });
    Some(json!({
        "track": track_name(end.lane.kind, end.pipe),
        "core": end.lane.core,
        "from": time.map(|it| it.0),
        "to": time.map(|it| it.1),
        "line": teller.line_of(end.stmt),
        "iteration": end.iterations,
        "tensor": tensor,
    }))
}
