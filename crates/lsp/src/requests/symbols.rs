//! `textDocument/documentSymbol`: the outline of a document.

use tower_lsp::ls_types::*;

use crate::snapshot::Snapshot;
use a2lint_ir::{MutexKind, Program, ScalarNames};
use a2lint_source::text::Span;
use a2lint_syntax::python::ast::{FunctionDef, Stmt, StmtKind};

/// Returns the functions of the file in source order; kernels contain their buffers, tensors, events and mutexes.
pub fn document_symbols(snapshot: &Snapshot) -> Vec<DocumentSymbol> {
    let mut symbols = functions(snapshot, &snapshot.syntax.file.body);
    symbols.extend(mask_functions(snapshot));
    symbols
}

/// Returns the C++ or PTX functions that contain mask instructions, each once, in source order.
fn mask_functions(snapshot: &Snapshot) -> Vec<DocumentSymbol> {
    let masks = &snapshot.masks;
    let tiles = masks.tiles.functions.iter();
    let tiles = tiles.map(|it| (it.name_span, &it.name, "tiles"));
    let products = masks.mma.kernels.iter();
    let products = products.map(|it| (it.name_span, &it.name, "tcgen05.mma"));
    let all = tiles.chain(products);
    // Spans of other files lie after the end of this one; those functions are in the outline of their own file.
    let length = snapshot.source().as_str().len() as u32;
    let mut own: Vec<_> = all
        .filter(|it| it.0.end <= length && it.0.start < it.0.end)
        .collect();
    own.sort();
    own.dedup_by_key(|it| it.0);
    let function = |(span, name, what): (Span, &String, &str)| {
        let texts = (name.as_str(), what.to_owned());
        symbol(snapshot, texts, SymbolKind::FUNCTION, (span, span))
    };
    own.into_iter().map(function).collect()
}

fn functions(snapshot: &Snapshot, body: &[Stmt]) -> Vec<DocumentSymbol> {
    let functions = body.iter().filter_map(|stmt| match &stmt.kind {
        StmtKind::Function(def) => Some(function(snapshot, def)),
        _ => None,
    });
    functions.collect()
}

fn function(snapshot: &Snapshot, def: &FunctionDef) -> DocumentSymbol {
    let mut programs = snapshot.module().programs.iter();
    let program = programs.find(|program| program.name_span == def.name.span);
    let (detail, mut children) = match program {
        Some(program) => ("kernel", members(snapshot, program)),
        None => ("", Vec::new()),
    };
    children.extend(functions(snapshot, &def.body));
    children.sort_by_key(|child| child.range.start);
    DocumentSymbol {
        children: Some(children),
        ..symbol(
            snapshot,
            (&def.name.text, detail.to_owned()),
            SymbolKind::FUNCTION,
            (def.full_span, def.name.span),
        )
    }
}

/// Returns the named buffers, global tensors, events and mutexes of a kernel.
fn members(snapshot: &Snapshot, program: &Program) -> Vec<DocumentSymbol> {
    let names = ScalarNames::new(program);
    let mut members = Vec::new();
    let mut add = |name: &str, detail: String, kind: SymbolKind, span: Span| {
        if !name.is_empty() && program.span.start <= span.start && span.end <= program.span.end {
            members.push(symbol(snapshot, (name, detail), kind, (span, span)));
        }
    };
    for buffer in &program.buffers {
        let [rows, columns] = buffer.shape.map(|extent| names.text(extent));
        let detail = format!("{} [{rows}, {columns}] {}", buffer.dtype, buffer.position);
        add(&buffer.name, detail, SymbolKind::ARRAY, buffer.span);
    }
    for global in &program.globals {
        add(
            &global.name,
            "GM".to_owned(),
            SymbolKind::ARRAY,
            global.span,
        );
    }
    for event in &program.events {
        let pipe = |pipe: Option<a2lint_isa::Pipe>| pipe.map_or("?", |pipe| pipe.name());
        let detail = format!("{} → {}", pipe(event.src), pipe(event.dst));
        add(&event.name, detail, SymbolKind::EVENT, event.span);
    }
    for mutex in &program.mutexes {
        let detail = match mutex.kind {
            MutexKind::CubeToVec => "cube → vec",
            MutexKind::VecToCube => "vec → cube",
        };
        add(&mutex.name, detail.to_owned(), SymbolKind::KEY, mutex.span);
    }
    members
}

fn symbol(
    snapshot: &Snapshot,
    (name, detail): (&str, String),
    kind: SymbolKind,
    (range, selection): (Span, Span),
) -> DocumentSymbol {
    #[allow(deprecated, reason = "the field must be given")]
    DocumentSymbol {
        name: name.to_owned(),
        detail: (!detail.is_empty()).then_some(detail),
        kind,
        tags: None,
        deprecated: None,
        range: snapshot.range(range),
        selection_range: snapshot.range(selection),
        children: None,
    }
}
