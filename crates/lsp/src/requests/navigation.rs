//! `textDocument/definition`, `textDocument/references` and `textDocument/documentHighlight`.

use tower_lsp::ls_types::*;

use crate::snapshot::Snapshot;
use a2lint_source::text::Span;

/// Returns the first binding of the name at a position.
pub fn definition(snapshot: &Snapshot, position: Position) -> Option<Location> {
    let (symbol, _) = snapshot.scopes().at(snapshot.offset(position))?;
    symbol
        .bindings
        .first()
        .map(|&span| location(snapshot, span))
}

/// Returns the uses of the name at a position, and its bindings if `with_declaration` is set.
pub fn references(
    snapshot: &Snapshot,
    position: Position,
    with_declaration: bool,
) -> Vec<Location> {
    let Some((symbol, _)) = snapshot.scopes().at(snapshot.offset(position)) else {
        return Vec::new();
    };
    let places = symbol.occurrences().into_iter();
    places
        .filter(|span| with_declaration || !symbol.bindings.contains(span))
        .map(|span| location(snapshot, span))
        .collect()
}

/// Returns the occurrences of the name at a position. Bindings and operands that instructions write count as writes.
pub fn highlights(snapshot: &Snapshot, position: Position) -> Vec<DocumentHighlight> {
    let Some((symbol, _)) = snapshot.scopes().at(snapshot.offset(position)) else {
        return Vec::new();
    };
    let written = written_operands(snapshot);
    let highlight = |span: Span| {
        let is_write = symbol.bindings.contains(&span)
            || written
                .iter()
                .any(|site| site.start == span.start && span.end <= site.end);
        DocumentHighlight {
            range: snapshot.range(span),
            kind: Some(match is_write {
                true => DocumentHighlightKind::WRITE,
                false => DocumentHighlightKind::READ,
            }),
        }
    };
    symbol.occurrences().into_iter().map(highlight).collect()
}

/// Returns the spans of operands that instructions write.
fn written_operands(snapshot: &Snapshot) -> Vec<Span> {
    let programs = snapshot.module().programs.iter();
    let mut sites = Vec::new();
    for (_, instr) in programs.flat_map(|program| program.instructions()) {
        let written = instr
            .operands()
            .filter(|(_, operand, _)| operand.access.writes());
        sites.extend(written.map(|(.., view)| view.site()));
    }
    sites.sort();
    sites.dedup();
    sites
}

fn location(snapshot: &Snapshot, span: Span) -> Location {
    Location::new(snapshot.uri.clone(), snapshot.range(span))
}
