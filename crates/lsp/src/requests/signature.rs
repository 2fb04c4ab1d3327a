//! `textDocument/signatureHelp`, generated from the instruction table.

use tower_lsp::ls_types::*;

use super::call::OpenCall;
use crate::snapshot::Snapshot;
use a2lint_isa::{Instruction, ParamKind};

/// Returns the characters that trigger the request.
pub fn options() -> SignatureHelpOptions {
    SignatureHelpOptions {
        trigger_characters: Some(vec!["(".to_owned(), ",".to_owned()]),
        retrigger_characters: None,
        work_done_progress_options: WorkDoneProgressOptions::default(),
    }
}

/// Returns the signature of the instruction whose call is being typed, and the current parameter.
pub fn signature_help(snapshot: &Snapshot, position: Position) -> Option<SignatureHelp> {
    if snapshot.has_other_server() {
        return None;
    }
    let offset = snapshot.offset(position) as usize;
    let call = OpenCall::at(snapshot.source().as_str(), offset)?;
    let row = call.instruction()?;
    let spelled = snapshot.dialect_at(offset as u32).signature(row.opcode)?;
    let shown: Vec<_> = spelled
        .params()
        .map(|spelled| &spelled.param)
        .filter(|param| param.kind != ParamKind::Receiver)
        .collect();
    let active = match call.keyword {
        Some(name) => shown
            .iter()
            .position(|param| param.name == name || param.alias == Some(name)),
        None => Some(call.argument),
    };
    let active = active
        .filter(|&active| active < shown.len())
        .map(|active| active as u32);
    let label = spelled.text();
    let parameters = shown.iter().map(|param| ParameterInformation {
        label: ParameterLabel::Simple(param.name.to_owned()),
        documentation: Some(Documentation::String(meaning(row, param.kind))),
    });
    let information = SignatureInformation {
        documentation: Some(Documentation::String(row.doc.to_owned())),
        parameters: Some(parameters.collect()),
        active_parameter: active,
        label,
    };
    Some(SignatureHelp {
        signatures: vec![information],
        active_signature: Some(0),
        active_parameter: active,
    })
}

/// Describes a parameter in a few words.
pub fn meaning(row: &Instruction, kind: ParamKind) -> String {
    let of = |index: usize| row.param(index).map_or("", |param| param.name);
    let text = match kind {
        ParamKind::Operand(operand) | ParamKind::OperandOrValue(operand) => {
            let access = match (operand.access.reads(), operand.access.writes()) {
                (true, true) => "read and written",
                (false, true) => "written",
                _ => "read",
            };
            let value = matches!(kind, ParamKind::OperandOrValue(_));
            let or = if value { ", or a scalar" } else { "" };
            return format!("tensor, {access}{or}");
        }
        ParamKind::Value | ParamKind::Step => "scalar operand",
        ParamKind::Integer => "number",
        ParamKind::StaticInteger => "number that is known while tracing",
        ParamKind::Repeat => "number of repeats of 256 bytes",
        ParamKind::BlockStride(index) => {
            return format!(
                "blocks of 32 bytes from one block of `{}` to the next",
                of(index)
            );
        }
        ParamKind::RepeatStride(index) => {
            return format!(
                "blocks of 32 bytes from one repeat of `{}` to the next",
                of(index)
            );
        }
        ParamKind::ResultStride => "results from one repeat to the next",
        ParamKind::Count => "elements in all; replaces repeats and mask",
        ParamKind::CountPerRepeat => "live lanes of each repeat; replaces the mask",
        ParamKind::Round => "RoundMode",
        ParamKind::Compare => "CompareMode",
        ParamKind::Select => "SelectMode",
        ParamKind::Pipe => "Pipe",
        ParamKind::Flag => "True or False",
        ParamKind::Receiver => "the object it is called on",
        ParamKind::Ignored => "without effect on results",
    };
    text.to_owned()
}
