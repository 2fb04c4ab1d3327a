//! `textDocument/completion`: fitting operands first, then keyword arguments, vocabularies, instructions.

use tower_lsp::ls_types::*;

use super::call::OpenCall;
use super::hover;
use super::signature::meaning;
use crate::snapshot::Snapshot;
use a2lint_ir::{Buffer, Program, ScalarNames};
use a2lint_isa::{
    CompareMode, DType, DefaultValue, Dialect, Layout, ParamKind, Pipe, Place, Position as Memory,
    Receiver, RoundMode, SelectMode, Signature,
};
use a2lint_source::text::Slice;

/// Prefixes of sort keys, in the order of completions.
const FITS: char = '0';
const OTHER_TYPE: char = '1';
const KEYWORD: char = '2';
const OTHER: char = '3';
const INSTRUCTION: char = '4';

/// Returns the options of the capability.
pub fn options() -> CompletionOptions {
    CompletionOptions {
        trigger_characters: Some(vec![".".to_owned()]),
        ..CompletionOptions::default()
    }
}

/// Returns the completions at a position; none in files without kernels, and none where another server completes.
pub fn completions(snapshot: &Snapshot, position: Position) -> Vec<CompletionItem> {
    let module = snapshot.module();
    let is_empty = module.programs.is_empty() && module.not_analysed.is_empty();
    if is_empty || snapshot.has_other_server() {
        return Vec::new();
    }
    let offset = snapshot.offset(position) as usize;
    let dialect = snapshot.dialect_at(offset as u32);
    let text = snapshot.source().as_str();
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let before = text.part(..offset).trim_end_matches(is_part);
    if let Some(object) = before.strip_suffix('.') {
        let name = object.part(object.trim_end_matches(is_part).len()..);
        return vocabulary(name).unwrap_or_else(|| methods(snapshot, name));
    }
    let call = OpenCall::at(text, offset);
    let signature = call.as_ref().and_then(OpenCall::instruction);
    let signature = signature.and_then(|row| dialect.signature(row.opcode));
    let mut items = match (&call, signature) {
        (Some(call), Some(signature)) => {
            let mut items = operands(snapshot, offset as u32, call, signature);
            items.extend(keywords(signature));
            items
        }
        _ => Vec::new(),
    };
    items.extend(functions(dialect));
    items
}

/// Returns the values of an enumeration of the DSL.
fn vocabulary(name: &str) -> Option<Vec<CompletionItem>> {
    fn names<T: Copy>(all: &[T], name: fn(T) -> &'static str) -> Vec<&'static str> {
        all.iter().map(|&value| name(value)).collect()
    }
    let values = match name {
        "DT" | "Datatype" => names(&DType::ALL, DType::name),
        "Position" => names(&Memory::ALL, Memory::name),
        "Pipe" => names(&Pipe::ALL, Pipe::name),
        "RoundMode" => names(&RoundMode::ALL, RoundMode::name),
        "CompareMode" => names(&CompareMode::ALL, CompareMode::name),
        "SelectMode" => names(&SelectMode::ALL, SelectMode::name),
        "Layout" => names(Layout::DECLARED, Layout::name),
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

/// Returns the methods of an object by its name.
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

/// Returns tensors and variables of the enclosing kernel, those that the parameter accepts first.
fn operands(
    snapshot: &Snapshot,
    offset: u32,
    call: &OpenCall,
    signature: &Signature,
) -> Vec<CompletionItem> {
    let mut programs = snapshot.module().programs.iter();
    let Some(program) = programs.find(|program| program.span.touches(offset)) else {
        return Vec::new();
    };
    let params = signature.params().map(|spelled| &spelled.param);
    let params: Vec<_> = params
        .filter(|param| param.kind != ParamKind::Receiver)
        .collect();
    let wanted = match call.keyword {
        Some(name) => params
            .iter()
            .find(|param| param.name == name || param.alias == Some(name)),
        None => params.get(call.argument),
    };
    let kind = wanted.map(|param| param.kind);
    let (tensor, takes_number) = match kind {
        Some(ParamKind::Operand(operand)) => (Some(operand), false),
        Some(ParamKind::OperandOrValue(operand)) => (Some(operand), true),
        Some(ParamKind::Value | ParamKind::Integer | ParamKind::Repeat | ParamKind::Count) => {
            (None, true)
        }
        _ => (None, false),
    };
    let takes = |place: Place| tensor.is_some_and(|operand| operand.places.contains(&place));
    // Most instructions have one element type and one shape, those of the first operand.
    let first = call
        .first
        .map(|name| name.split(['[', '.']).next().unwrap_or(name).trim());
    let first = first.and_then(|name| program.buffers.iter().find(|buffer| buffer.name == name));
    let written = written_before(program, offset);
    let names = ScalarNames::new(program);
    let mut items: Vec<CompletionItem> = Vec::new();
    let mut add = |name: &str, detail: String, kind, rank: &str| {
        if !name.is_empty() && items.iter().all(|item| item.label != name) {
            items.push(CompletionItem {
                label: name.to_owned(),
                kind: Some(kind),
                detail: Some(detail),
                sort_text: Some(format!("{rank}{name}")),
                ..CompletionItem::default()
            });
        }
    };
    let shape_of = |buffer: &Buffer| buffer.shape.map(|extent| names.text(extent));
    for (buffer, written) in program.buffers.iter().zip(written) {
        let shape = shape_of(buffer);
        let other_shape = first.is_some_and(|first| shape_of(first) != shape);
        let [rows, columns] = shape;
        let detail = format!("{} [{rows}, {columns}] {}", buffer.dtype, buffer.position);
        let rank = match takes(Place::Local(buffer.position)) {
            true if first.is_none_or(|first| first.dtype == buffer.dtype) => FITS,
            true => OTHER_TYPE,
            false => OTHER,
        };
        let rank = format!("{rank}{}{written:05}", u8::from(other_shape));
        add(&buffer.name, detail, CompletionItemKind::VARIABLE, &rank);
    }
    for global in &program.globals {
        let rank = if takes(Place::Gm) { FITS } else { OTHER };
        let kind = CompletionItemKind::VARIABLE;
        add(&global.name, "GM".to_owned(), kind, &rank.to_string());
    }
    for variable in &program.variables {
        let dtype = variable
            .dtype
            .map_or(String::new(), |dtype| format!("{dtype} "));
        let rank = if takes_number { FITS } else { OTHER };
        let detail = format!("{dtype}variable");
        let kind = CompletionItemKind::VARIABLE;
        add(&variable.name, detail, kind, &rank.to_string());
    }
    items
}

/// Returns for each buffer how many instructions before the offset it was last written. Recent results are the most
/// likely operands; buffers that are never written come last.
fn written_before(program: &Program, offset: u32) -> Vec<usize> {
    let mut last = vec![0; program.buffers.len()];
    let mut count = 0;
    for (stmt, instr) in program.instructions() {
        if stmt.span.end > offset {
            continue;
        }
        count += 1;
        let written = instr
            .operands()
            .filter(|(_, operand, _)| operand.access.writes());
        for view in written.filter_map(|(_, _, view)| view.local()) {
            last[view.buffer.index()] = count;
        }
    }
    let ago = |&at: &usize| if at == 0 { 99_999 } else { count - at };
    last.iter().map(ago).collect()
}

/// Returns the keyword arguments of an instruction.
fn keywords(signature: &'static Signature) -> Vec<CompletionItem> {
    let row = signature.row;
    let params = signature.params().map(|spelled| &spelled.param);
    let params = params.filter(|param| {
        param.default != DefaultValue::Required && param.kind != ParamKind::Receiver
    });
    let item = |param: &'static a2lint_isa::Param| CompletionItem {
        label: format!("{}=", param.name),
        kind: Some(CompletionItemKind::PROPERTY),
        detail: Some(meaning(row, param.kind)),
        sort_text: Some(format!("{KEYWORD}{}", param.name)),
        ..CompletionItem::default()
    };
    params.map(item).collect()
}

/// Returns all instructions that are functions.
fn functions(dialect: Dialect) -> impl Iterator<Item = CompletionItem> {
    let all = dialect.signatures();
    let functions = all.filter(|signature| signature.row.receiver.is_none());
    functions.map(instruction)
}

fn instruction(signature: &'static Signature) -> CompletionItem {
    let row = signature.row;
    CompletionItem {
        label: signature.name.to_owned(),
        kind: Some(match row.receiver {
            None => CompletionItemKind::FUNCTION,
            Some(_) => CompletionItemKind::METHOD,
        }),
        detail: Some(signature.text()),
        documentation: Some(Documentation::MarkupContent(MarkupContent {
            kind: MarkupKind::Markdown,
            value: hover::instruction::meaning(row),
        })),
        sort_text: Some(format!("{INSTRUCTION}{}", signature.name)),
        ..CompletionItem::default()
    }
}
