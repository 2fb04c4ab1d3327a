//! `textDocument/semanticTokens`: kernels, tensors, instructions, events and mutexes.

use tower_lsp::ls_types::*;

use crate::snapshot::Snapshot;
use a2lint_ir::{ArgValue, Program, View};
use a2lint_source::text::Span;
use a2lint_syntax::python::queries;

/// Token types; the protocol refers to them by index.
const TYPES: [SemanticTokenType; 6] = [
    SemanticTokenType::FUNCTION,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::EVENT,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::TYPE,
];
/// Token modifiers; the protocol refers to them by bit position.
const MODIFIERS: [SemanticTokenModifier; 2] = [
    SemanticTokenModifier::DECLARATION,
    SemanticTokenModifier::DEFAULT_LIBRARY,
];

const DECLARED: u32 = 1;
const BUILTIN: u32 = 2;

/// Returns the server's legend and options for the capabilities.
pub fn options() -> SemanticTokensOptions {
    SemanticTokensOptions {
        legend: SemanticTokensLegend {
            token_types: TYPES.to_vec(),
            token_modifiers: MODIFIERS.to_vec(),
        },
        range: Some(true),
        full: Some(SemanticTokensFullOptions::Bool(true)),
        work_done_progress_options: WorkDoneProgressOptions::default(),
    }
}

/// A token in absolute coordinates, before it is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Token {
    span: Span,
    kind: u32,
    modifiers: u32,
}

/// Returns the tokens of a document, or of a range of it. `None` where another server colours the document, since
/// editors take the tokens of one server.
pub fn tokens(snapshot: &Snapshot, range: Option<Range>) -> Option<SemanticTokens> {
    if snapshot.has_other_server() {
        return None;
    }
    let mut tokens = Vec::new();
    for program in &snapshot.module().programs {
        kernel(snapshot, program, &mut tokens);
    }
    if !snapshot.module().programs.is_empty() {
        tokens.extend(vocabulary(snapshot));
    }
    tokens.retain(|token| snapshot.map.is_own(token.span));
    tokens.sort();
    tokens.dedup_by_key(|token| token.span.start);
    let shown = range.map(|range| snapshot.text.span(range));
    tokens.retain(|token| {
        let is_shown = |shown: Span| shown.start <= token.span.start && token.span.end <= shown.end;
        shown.is_none_or(is_shown)
    });
    Some(SemanticTokens {
        result_id: None,
        data: encode(snapshot, &tokens),
    })
}

/// Adds all occurrences of the names that a kernel declares, and the instructions it issues.
fn kernel(snapshot: &Snapshot, program: &Program, tokens: &mut Vec<Token>) {
    let mut add = |span: Span, kind: &SemanticTokenType, modifiers: u32| {
        let kind = TYPES
            .iter()
            .position(|known| known == kind)
            .unwrap_or_default() as u32;
        tokens.push(Token {
            span,
            kind,
            modifiers,
        });
    };
    add(program.name_span, &SemanticTokenType::FUNCTION, DECLARED);
    for param in &program.params {
        names(snapshot, param.span, |span, declared| {
            add(span, &SemanticTokenType::PARAMETER, declared);
        });
    }
    for (_, instr) in program.instructions() {
        let word = snapshot.source().slice(instr.name_span);
        if word.starts_with(|c: char| c.is_alphabetic()) {
            add(instr.name_span, &SemanticTokenType::FUNCTION, BUILTIN);
        }
        for arg in &instr.args {
            match &arg.value {
                ArgValue::View(view) => {
                    let name = leading_name(snapshot, view.site());
                    let kind = match **view {
                        View::Local(_) => SemanticTokenType::VARIABLE,
                        View::Global(_) => SemanticTokenType::PARAMETER,
                    };
                    name.into_iter().for_each(|span| add(span, &kind, 0));
                }
                ArgValue::Event(_) | ArgValue::Mutex(_) => {
                    let span = arg.span().and_then(|span| leading_name(snapshot, span));
                    span.into_iter()
                        .for_each(|span| add(span, &SemanticTokenType::EVENT, 0));
                }
                _ => {}
            }
        }
    }
}

/// Reports the bindings and uses of the name at a span.
fn names(snapshot: &Snapshot, span: Span, mut add: impl FnMut(Span, u32)) {
    let Some((symbol, _)) = snapshot.scopes().at(span.start) else {
        return;
    };
    symbol.bindings.iter().for_each(|&span| add(span, DECLARED));
    symbol.uses.iter().for_each(|&span| add(span, 0));
}

/// Returns the name that a view starts with: `buf` of `buf[slot][:, 0:64]`.
fn leading_name(snapshot: &Snapshot, span: Span) -> Option<Span> {
    let text = snapshot.source().slice(span);
    let length = text
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(text.len());
    let start = span.start as usize;
    (length > 0).then(|| Span::new(start, start + length))
}

/// Returns the types and values of the DSL, found by the tree-sitter queries that editors use too.
fn vocabulary(snapshot: &Snapshot) -> Vec<Token> {
    let highlights = queries::highlights(&snapshot.syntax, snapshot.source()).into_iter();
    let token = |highlight: queries::Highlight| {
        let kind = match highlight.capture {
            "type" | "type.builtin" => 5,
            "constant" => 4,
            _ => return None,
        };
        Some(Token {
            span: highlight.span,
            kind,
            modifiers: BUILTIN,
        })
    };
    highlights.filter_map(token).collect()
}

/// Encodes tokens relative to their predecessors, as the protocol wants it. Tokens that span lines are left out.
fn encode(snapshot: &Snapshot, tokens: &[Token]) -> Vec<SemanticToken> {
    let mut before = Position::new(0, 0);
    let mut data = Vec::new();
    for token in tokens {
        let text = snapshot.source().slice(token.span);
        if text.is_empty() || text.contains('\n') {
            continue;
        }
        let start = snapshot.text.position(token.span.start as usize);
        let delta_line = start.line - before.line;
        data.push(SemanticToken {
            delta_line,
            delta_start: match delta_line {
                0 => start.character - before.character,
                _ => start.character,
            },
            length: snapshot.text.encoding().width(text) as u32,
            token_type: token.kind,
            token_modifiers_bitset: token.modifiers,
        });
        before = start;
    }
    data
}
