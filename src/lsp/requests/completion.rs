//! `textDocument/completion`: instructions, vocabularies and keyword arguments.

use tower_lsp::ls_types::*;

use super::call::OpenCall;
use super::hover;
use super::signature::meaning;
use crate::isa::{
    CompareMode, DType, DefaultValue, Dialect, Layout, ParamKind, Pipe, Position as Memory,
    Receiver, RoundMode, SelectMode, Signature,
};
use crate::lsp::snapshot::Snapshot;

/// When the editor asks.
pub fn options() -> CompletionOptions {
    CompletionOptions {
        trigger_characters: Some(vec![".".to_owned()]),
        ..CompletionOptions::default()
    }
}

/// What may stand at a position. Nothing in files that hold no kernels.
pub fn completions(snapshot: &Snapshot, position: Position) -> Vec<CompletionItem> {
    let module = snapshot.module();
    if module.programs.is_empty() && module.not_analysed.is_empty() {
        return Vec::new();
    }
    let offset = snapshot.offset(position) as usize;
    let dialect = snapshot.dialect_at(offset as u32);
    let text = snapshot.source().as_str();
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let before = text[..offset].trim_end_matches(is_part);
    if let Some(object) = before.strip_suffix('.') {
        let name = &object[object.trim_end_matches(is_part).len()..];
        return vocabulary(name).unwrap_or_else(|| methods(snapshot, name));
    }
    let mut items = match OpenCall::at(text, offset).and_then(|call| call.instruction()) {
        Some(row) => dialect
            .signature(row.opcode)
            .map_or_else(Vec::new, keywords),
        None => Vec::new(),
    };
    items.extend(functions(dialect));
    items
}

/// The values of one of the closed vocabularies.
fn vocabulary(name: &str) -> Option<Vec<CompletionItem>> {
    fn names<T: Copy>(all: &[T], name: fn(T) -> &'static str) -> Vec<&'static str> {
        all.iter().map(|&value| name(value)).collect()
    }
    let values = match name {
        "DT" | "Datatype" => names(DType::ALL, DType::name),
        "Position" => names(Memory::ALL, Memory::name),
        "Pipe" => names(Pipe::ALL, Pipe::name),
        "RoundMode" => names(RoundMode::ALL, RoundMode::name),
        "CompareMode" => names(CompareMode::ALL, CompareMode::name),
        "SelectMode" => names(SelectMode::ALL, SelectMode::name),
        "Layout" => names(Layout::ALL, Layout::name),
        _ => return None,
    };
    let item = |value: &&str| CompletionItem {
        label: (*value).to_owned(),
        kind: Some(CompletionItemKind::ENUM_MEMBER),
        detail: Some(format!("{name}.{value}")),
        ..CompletionItem::default()
    };
    Some(values.iter().map(item).collect())
}

/// The instructions that an object of this name has.
fn methods(snapshot: &Snapshot, name: &str) -> Vec<CompletionItem> {
    let programs = &snapshot.module().programs;
    let has = |receiver: Receiver| {
        programs.iter().any(|program| match receiver {
            Receiver::Event => program.events.iter().any(|event| event.name == name),
            Receiver::Mutex => {
                program.mutexes.iter().any(|mutex| mutex.name == name)
                    || program
                        .globals
                        .iter()
                        .any(|it| it.name == name && it.mutex.is_some())
            }
            Receiver::Var => program
                .variables
                .iter()
                .any(|variable| variable.name == name),
        })
    };
    let dialect = programs
        .first()
        .map_or_else(Dialect::default, |it| it.dialect);
    let all = dialect.signatures();
    all.filter(|signature| signature.row.receiver.is_some_and(has))
        .map(instruction)
        .collect()
}

/// The keyword arguments of an instruction.
fn keywords(signature: &'static Signature) -> Vec<CompletionItem> {
    let row = signature.row;
    let params = signature.params().map(|spelled| &spelled.param);
    let params = params.filter(|param| {
        param.default != DefaultValue::Required && param.kind != ParamKind::Receiver
    });
    let item = |param: &'static crate::isa::Param| CompletionItem {
        label: format!("{}=", param.name),
        kind: Some(CompletionItemKind::PROPERTY),
        detail: Some(meaning(row, param.kind)),
        sort_text: Some(format!("0{}", param.name)),
        ..CompletionItem::default()
    };
    params.map(item).collect()
}

/// Every instruction that is a function.
fn functions(dialect: Dialect) -> impl Iterator<Item = CompletionItem> {
    let all = dialect.signatures();
    let functions = all.filter(|signature| signature.row.receiver.is_none());
    functions.map(instruction)
}

fn instruction(signature: &'static Signature) -> CompletionItem {
    let row = signature.row;
    CompletionItem {
        label: row.name.to_owned(),
        kind: Some(match row.receiver {
            None => CompletionItemKind::FUNCTION,
            Some(_) => CompletionItemKind::METHOD,
        }),
        detail: Some(signature.text()),
        documentation: Some(Documentation::MarkupContent(MarkupContent {
            kind: MarkupKind::Markdown,
            value: hover::instruction::meaning(row).join("\n\n"),
        })),
        sort_text: Some(format!("1{}", row.name)),
        ..CompletionItem::default()
    }
}
