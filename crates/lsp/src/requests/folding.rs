//! `textDocument/foldingRange`: functions, loops, branches and `with` blocks.

use tower_lsp::ls_types::{FoldingRange, FoldingRangeKind};

use crate::snapshot::Snapshot;
use a2lint_source::text::Span;
use a2lint_syntax::python::ast::{Expr, ExprKind, Stmt, StmtKind};

/// Returns the folding ranges of all blocks of several lines.
pub fn folding_ranges(snapshot: &Snapshot) -> Vec<FoldingRange> {
    let mut found = Vec::new();
    block(snapshot, &snapshot.syntax.file.body, &mut found);
    found.sort_by_key(|range| (range.start_line, range.end_line));
    found.dedup_by_key(|range| range.start_line);
    found
}

fn block(snapshot: &Snapshot, body: &[Stmt], found: &mut Vec<FoldingRange>) {
    for stmt in body {
        let bodies: Vec<&[Stmt]> = match &stmt.kind {
            StmtKind::Function(def) => vec![&def.body],
            StmtKind::Class { body, .. } | StmtKind::With { body, .. } => vec![body],
            StmtKind::For { body, orelse, .. } | StmtKind::While { body, orelse, .. } => {
                vec![body, orelse]
            }
            StmtKind::If { arms, orelse } => {
                let arms = arms.iter().map(|(_, body)| body.as_slice());
                arms.chain([orelse.as_slice()]).collect()
            }
            StmtKind::Try { blocks, .. } => blocks.iter().map(Vec::as_slice).collect(),
            StmtKind::Error(body) => vec![body],
            StmtKind::Expr(Expr {
                kind: ExprKind::Str(_),
                span,
            }) => {
                found.extend(fold(snapshot, *span, Some(FoldingRangeKind::Comment)));
                continue;
            }
            _ => continue,
        };
        let mut start = stmt.span.start;
        for body in bodies.into_iter().filter(|body| !body.is_empty()) {
            let end = body.last().map_or(start, |last| last.span.end);
            found.extend(fold(snapshot, Span { start, end }, None));
            block(snapshot, body, found);
            // An `else` folds from the line after the previous block.
            start = next_line(snapshot, end);
        }
    }
}

/// Returns the start of the line after that of an offset.
fn next_line(snapshot: &Snapshot, offset: u32) -> u32 {
    let source = snapshot.source();
    let next = source.line_index(offset) + 1;
    source.line_span(next).map_or(offset, |line| line.start)
}

fn fold(snapshot: &Snapshot, span: Span, kind: Option<FoldingRangeKind>) -> Option<FoldingRange> {
    let range = snapshot.range(span);
    (range.start.line < range.end.line).then(|| FoldingRange {
        start_line: range.start.line,
        end_line: range.end.line,
        kind,
        ..FoldingRange::default()
    })
}
