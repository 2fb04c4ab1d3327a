//! `textDocument/codeAction`: fixes, suppression comments, explanations, and debugging at a witness.

use std::collections::HashMap;

use serde_json::json;
use tower_lsp::ls_types::*;

use crate::command_names::{DEBUG, EXPLAIN};
use crate::diagnostics::{diagnostic, edits};
use crate::simulation::launches;
use crate::snapshot::Snapshot;
use crate::snapshot::repairs::Offer;
use a2lint_ir::finding::Finding;
use a2lint_lint::repair;
use a2lint_report::printable;
use a2lint_rules::suppress::{can_be_ignored, ignore_edits};
use a2lint_source::text::Span;

/// Returns the kind `source.fixAll.a2lint`.
pub fn fix_all() -> CodeActionKind {
    CodeActionKind::new("source.fixAll.a2lint")
}

/// Returns whether a client explicitly requests fixes of the whole file.
pub fn asks_for_all(params: &CodeActionParams) -> bool {
    let only = params.context.only.as_deref().unwrap_or_default();
    only.iter().any(|it| covers(it, &fix_all()))
}

/// Returns the actions for a range. Repairs of its findings are tried until the request is cancelled.
pub fn code_actions(
    snapshot: &Snapshot,
    params: &CodeActionParams,
    is_cancelled: &dyn Fn() -> bool,
) -> CodeActionResponse {
    let only = params.context.only.as_deref();
    let wants =
        |kind: &CodeActionKind| only.is_none_or(|only| only.iter().any(|it| covers(it, kind)));
    let mut actions = Vec::new();
    if wants(&CodeActionKind::QUICKFIX) {
        let span = snapshot.span(params.range);
        let findings = snapshot.findings().iter();
        let near: Vec<&Finding> = findings
            .filter(|finding| meets(finding.span, span))
            .collect();
        let rewrites = snapshot.rewrites(&near, is_cancelled).into_iter();
        actions.extend(rewrites.map(|(finding, offer)| quick_fix(snapshot, finding, &offer)));
        let ignorable = near.iter().filter(|finding| can_be_ignored(finding));
        // The edit is one of the checked file.
        let ignorable = ignorable.filter(|_| !snapshot.is_header());
        actions.extend(ignorable.map(|finding| ignore(snapshot, finding)));
        // Only clients that show the answers of commands.
        let explained = near.iter().filter(|_| snapshot.links.rules);
        actions.extend(explained.map(|finding| explain(snapshot, finding)));
        let seen = near.iter().filter(|_| snapshot.links.debugs);
        actions.extend(seen.filter_map(|finding| debug(snapshot, finding)));
    }
    // An action about the whole file is not offered at every position.
    let is_asked = only.is_some() || near_a_fix(snapshot, params.range);
    if is_asked && wants(&fix_all()) {
        actions.extend(fix_everything(snapshot, only.is_some()));
    }
    actions
        .into_iter()
        .map(CodeActionOrCommand::CodeAction)
        .collect()
}

/// Returns whether a requested kind is a kind or an ancestor of it: `source` covers `source.fixAll.a2lint`.
fn covers(wanted: &CodeActionKind, kind: &CodeActionKind) -> bool {
    let rest = kind.as_str().strip_prefix(wanted.as_str());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || wanted.as_str().is_empty())
}

fn meets(a: Span, b: Span) -> bool {
    a.start <= b.end && b.start <= a.end
}

fn near_a_fix(snapshot: &Snapshot, range: Range) -> bool {
    let span = snapshot.span(range);
    let mut findings = snapshot.findings().iter();
    let is_safe = |finding: &Finding| finding.fix.as_ref().is_some_and(|fix| fix.safe);
    findings.any(|finding| is_safe(finding) && meets(finding.span, span))
}

/// Creates the action for the fix of a finding, with its cost.
fn quick_fix(snapshot: &Snapshot, finding: &Finding, offer: &Offer) -> CodeAction {
    let fix = &offer.fix;
    let cost = offer.price.as_ref();
    let cost = cost.map_or(String::new(), |price| format!(" ({})", price.describe()));
    let title = capitalised(&fix.title);
    let title = match fix.safe {
        true => title,
        false => format!("(unsafe) {title}"),
    };
    CodeAction {
        title: printable(&title).into_owned() + &cost,
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![diagnostic(snapshot, finding)]),
        edit: Some(edit(snapshot, edits(snapshot, fix))),
        is_preferred: Some(fix.safe),
        ..CodeAction::default()
    }
}

/// Creates the action that adds a suppression comment to the statement of a finding.
fn ignore(snapshot: &Snapshot, finding: &Finding) -> CodeAction {
    let findings = std::slice::from_ref(finding);
    let comments = ignore_edits(&snapshot.map.own, snapshot.language(), findings, "").into_iter();
    let changes = comments.map(|it| TextEdit::new(snapshot.range(it.span), it.text));
    CodeAction {
        title: format!("Ignore {} for this line", finding.name),
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![diagnostic(snapshot, finding)]),
        edit: Some(edit(snapshot, changes.collect())),
        is_preferred: Some(false),
        ..CodeAction::default()
    }
}

/// Creates the action that explains the rule of a finding.
fn explain(snapshot: &Snapshot, finding: &Finding) -> CodeAction {
    let title = format!("Explain {}", finding.name);
    CodeAction {
        title: title.clone(),
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![diagnostic(snapshot, finding)]),
        command: Some(Command {
            title,
            command: EXPLAIN.to_owned(),
            arguments: Some(vec![finding.name.into()]),
        }),
        is_preferred: Some(false),
        ..CodeAction::default()
    }
}

/// Creates the action that debugs the kernel and stops at the witness of a finding.
fn debug(snapshot: &Snapshot, finding: &Finding) -> Option<CodeAction> {
    let witness = finding.witness.as_ref()?;
    let mut programs = snapshot.module().programs.iter();
    let program = programs.find(|program| meets(program.span, finding.span))?;
    let launches = launches(snapshot, program);
    let launch = launches
        .iter()
        .position(|launch| launch.scalars == witness.launch);
    let bind: serde_json::Map<String, serde_json::Value> = match launch {
        Some(_) => serde_json::Map::new(),
        None => {
            let values = witness.launch.iter();
            values
                .map(|(name, value)| (name.clone(), (*value).into()))
                .collect()
        }
    };
    let iterations: Vec<String> = witness.iteration.iter().map(u64::to_string).collect();
    let execution = match iterations.is_empty() {
        true => format!("core {} {}", witness.core, witness.lane),
        false => {
            let iterations = iterations.join(", ");
            format!(
                "core {} {} iteration {iterations}",
                witness.core, witness.lane
            )
        }
    };
    let title = "Debug at the witness".to_owned();
    Some(CodeAction {
        title: title.clone(),
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![diagnostic(snapshot, finding)]),
        command: Some(Command {
            title,
            command: DEBUG.to_owned(),
            arguments: Some(vec![json!({
                "uri": snapshot.uri,
                "kernel": program.name,
                "launch": launch.map_or(json!("none"), |at| json!(at + 1)),
                "bind": bind,
                "stopAtLine": snapshot.map.line(finding.span).number,
                "stopAt": execution,
            })]),
        }),
        is_preferred: Some(false),
        ..CodeAction::default()
    })
}

/// Creates the action that applies all confirmed safe fixes. Repairs are included only if a client requested the
/// action explicitly, since finding them takes long.
fn fix_everything(snapshot: &Snapshot, is_asked: bool) -> Option<CodeAction> {
    let changes = match is_asked && has_proposals(snapshot) {
        true => difference(snapshot, &snapshot.fixed_text()),
        false => match snapshot.carried_text() {
            Some(text) => difference(snapshot, text.as_str()),
            None => Vec::new(),
        },
    };
    (!changes.is_empty()).then(|| CodeAction {
        title: "Fix everything that a2lint can fix safely".to_owned(),
        kind: Some(fix_all()),
        edit: Some(edit(snapshot, changes)),
        ..CodeAction::default()
    })
}

fn has_proposals(snapshot: &Snapshot) -> bool {
    let mut findings = snapshot.findings().iter();
    findings.any(|finding| finding.fix.is_none() && repair::proposes(finding.name))
}

/// Returns one edit that turns the document into another text, covering all differing lines.
fn difference(snapshot: &Snapshot, text: &str) -> Vec<TextEdit> {
    let old = snapshot.map.own.as_str();
    if old == text {
        return Vec::new();
    }
    let (before, after): (Vec<&str>, Vec<&str>) = (
        old.split_inclusive('\n').collect(),
        text.split_inclusive('\n').collect(),
    );
    let same = |(a, b): &(&&str, &&str)| a == b;
    let head = before.iter().zip(&after).take_while(same).count();
    let most = before.len().min(after.len()) - head;
    let tails = before.iter().rev().zip(after.iter().rev());
    let tail = tails.take_while(same).count().min(most);
    let length = |lines: &[&str]| lines.iter().map(|line| line.len()).sum::<usize>();
    let start = length(&before[..head]);
    let end = start + length(&before[head..before.len() - tail]);
    let new = after[head..after.len() - tail].concat();
    vec![TextEdit::new(snapshot.range(Span::new(start, end)), new)]
}

fn edit(snapshot: &Snapshot, edits: Vec<TextEdit>) -> WorkspaceEdit {
    WorkspaceEdit::new(HashMap::from([(snapshot.uri.clone(), edits)]))
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_cover_those_below() {
        let kind = |name: &'static str| CodeActionKind::new(name);
        for wanted in ["", "source", "source.fixAll", "source.fixAll.a2lint"] {
            assert!(covers(&kind(wanted), &fix_all()), "{wanted}");
        }
        for wanted in ["quickfix", "source.organizeImports", "source.fix"] {
            assert!(!covers(&kind(wanted), &fix_all()), "{wanted}");
        }
    }
}
