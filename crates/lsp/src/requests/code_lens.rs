//! `textDocument/codeLens`: the verdict on a kernel, and commands for it.

use serde_json::json;
use tower_lsp::ls_types::*;

use crate::command_names::{DEBUG, REPORT, RUN, SHOW_MEMORY, TEST};
use crate::simulation::launches;
use crate::snapshot::Snapshot;
use a2lint_ir::{Launch, Program};
use a2lint_report::{number_text, standing};

/// Returns the lenses above all kernels.
pub fn code_lenses(snapshot: &Snapshot) -> Vec<CodeLens> {
    let programs = snapshot.module().programs.iter();
    programs
        .filter(|program| snapshot.is_here(program.name_span))
        .flat_map(|program| above(snapshot, program))
        .collect()
}

fn above(snapshot: &Snapshot, program: &Program) -> Vec<CodeLens> {
    let range = snapshot.range(program.name_span);
    let instance = instance(snapshot, program);
    let lens = |title: String, command: &str, launch: Option<usize>| CodeLens {
        range,
        command: Some(Command {
            title: format!("{instance}{title}"),
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
        // With several launches, the client lets the user choose.
        let choice = if launches.len() > 1 { " ▾" } else { "" };
        let with_choice = |title: String, command: &str| {
            let mut lens = lens(title, command, None);
            let arguments = lens.command.as_mut().and_then(|it| it.arguments.as_mut());
            if let Some([argument]) = arguments.map(Vec::as_mut_slice) {
                argument["launches"] = json!(launches);
            }
            lens
        };
        // At most three: the client has commands for the rest.
        let verdict = verdict(snapshot, program);
        let verdict = verdict.unwrap_or_else(|| format!("Report{choice}"));
        lenses.push(with_choice(verdict, REPORT));
        lenses.push(with_choice(format!("▶ Simulate{choice}"), RUN));
        if snapshot.links.debugs {
            lenses.push(lens("Debug".to_owned(), DEBUG, None));
        }
        return lenses;
    }
    let (sizes, launch) = match spelled.first() {
        Some(launch) => (given(launch), Some(0)),
        None => (" (invented sizes)".to_owned(), None),
    };
    lenses.push(lens(format!("▶ Simulate kernel{sizes}"), RUN, launch));
    if !program.buffers.is_empty() {
        lenses.push(lens("Show memory map".to_owned(), SHOW_MEMORY, None));
    }
    lenses.push(lens("Test laws".to_owned(), TEST, None));
    lenses
}

/// Returns the current verdict on a kernel, whose report has the details.
fn verdict(snapshot: &Snapshot, program: &Program) -> Option<String> {
    if !snapshot.settings.hints.verdicts {
        return None;
    }
    if !snapshot.is_settled() {
        return Some("checking…".to_owned());
    }
    let mut records = snapshot.records().iter();
    let record = records.find(|record| record.name == program.name)?;
    Some(standing::label(snapshot.found(), record))
}

/// Formats what tells a kernel from the other instances of its definition: `half: `; empty if there are none.
fn instance(snapshot: &Snapshot, program: &Program) -> String {
    let programs = snapshot.module().programs.iter();
    let others = programs.filter(|other| other.name_span == program.name_span);
    let others: Vec<&Program> = others.filter(|other| other.name != program.name).collect();
    let differs = |it: &&(String, String)| others.iter().any(|other| !other.built_for.contains(it));
    let own = program.built_for.iter().filter(differs);
    let own: Vec<&str> = own.map(|(_, value)| value.as_str()).collect();
    match own.is_empty() {
        true => String::new(),
        false => format!("{}: ", own.join(", ")),
    }
}

/// Formats a launch: by its place if it is in another file, which has the arguments.
fn given(launch: &Launch) -> String {
    match &launch.place {
        Some(place) => format!(" ({place})"),
        None => arguments(launch),
    }
}

/// Formats the arguments of a launch: ` (M=128, N=64)`.
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
