//! `textDocument/codeLens`: what is known of a kernel, running it, its report and its memory.

use serde_json::json;
use tower_lsp::ls_types::*;

use crate::ir::{Launch, Program};
use crate::lsp::commands::{REPORT, RUN, SHOW_MEMORY};
use crate::lsp::simulation::launches;
use crate::lsp::snapshot::Snapshot;
use crate::report::{looked_at, number_text};

/// Most launches of a kernel that get a lens each.
const MOST_LAUNCHES: usize = 4;

/// The lenses above every kernel.
pub fn code_lenses(snapshot: &Snapshot) -> Vec<CodeLens> {
    let programs = snapshot.module().programs.iter();
    programs
        .flat_map(|program| above(snapshot, program))
        .collect()
}

fn above(snapshot: &Snapshot, program: &Program) -> Vec<CodeLens> {
    let range = snapshot.range(program.name_span);
    let lens = |title: String, command: &str, launch: Option<usize>| CodeLens {
        range,
        command: Some(Command {
            title,
            command: command.to_owned(),
            arguments: Some(vec![json!({
                "uri": snapshot.uri,
                "kernel": program.name,
                "launch": launch,
            })]),
        }),
        data: None,
    };
    let spelled = launches(snapshot, program);
    let mut lenses = Vec::new();
    if snapshot.links.pages {
        let launches: Vec<String> = spelled.iter().map(|launch| arguments(launch)).collect();
        let title = if launches.len() > 1 {
            "▶ Simulate ▾"
        } else {
            "▶ Simulate"
        };
        let mut simulate = lens(title.to_owned(), RUN, None);
        if let Some(command) = &mut simulate.command
            && let Some([argument]) = command.arguments.as_deref_mut()
        {
            // The client lets people choose.
            argument["launches"] = json!(launches);
        }
        let verdict = verdict(snapshot, program);
        lenses.extend(verdict.map(|verdict| lens(verdict, REPORT, None)));
        lenses.push(simulate);
        lenses.push(lens("Report".to_owned(), REPORT, None));
        if !program.buffers.is_empty() {
            lenses.push(lens("Memory map".to_owned(), SHOW_MEMORY, None));
        }
        return lenses;
    }
    if spelled.is_empty() {
        lenses.push(lens(
            "▶ Simulate kernel (invented sizes)".to_owned(),
            RUN,
            None,
        ));
    }
    let shown = spelled.iter().enumerate().take(MOST_LAUNCHES);
    lenses.extend(shown.map(|(index, launch)| {
        let arguments = arguments(launch);
        lens(format!("▶ Simulate kernel{arguments}"), RUN, Some(index))
    }));
    if !program.buffers.is_empty() {
        lenses.push(lens("Show memory map".to_owned(), SHOW_MEMORY, None));
    }
    lenses
}

/// What is known of a kernel, by now; its report says it in full.
fn verdict(snapshot: &Snapshot, program: &Program) -> Option<String> {
    if !snapshot.settings.hints.verdicts {
        return None;
    }
    if !snapshot.is_settled() {
        return Some("checking…".to_owned());
    }
    let mut records = snapshot.records().iter();
    let record = records.find(|record| record.name == program.name)?;
    Some(looked_at::label(record, snapshot.findings()))
}

/// ` (M=128, N=64)`.
fn arguments(launch: &Launch) -> String {
    let scalars = launch.scalars.iter();
    let texts: Vec<String> = scalars
        .map(|(name, value)| format!("{name}={}", number_text(*value)))
        .collect();
    match texts.is_empty() {
        true => String::new(),
        false => format!(" ({})", texts.join(", ")),
    }
}
