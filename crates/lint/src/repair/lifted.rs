//! Moving statements together with their comments.

use super::scene::{Scene, replace};
use a2lint_ir::finding::Edit;
use a2lint_source::text::Span;

/// A statement that is to be moved, with its comments.
pub(super) struct Lifted {
    /// The edit that removes the statement from its place, along with its block if that has no other statement.
    pub edit: Edit,
    /// The lines to be inserted elsewhere: comments on lines of their own, then the statement with the comment on its
    /// line.
    pub lines: Vec<String>,
}

impl Lifted {
    /// Lifts a statement; `None` if its lines contain other code.
    pub fn of(scene: &Scene, statement: Span) -> Option<Lifted> {
        let chain = scene.in_function(statement.start);
        let mut span = statement;
        // Blocks must not become empty, so an enclosing statement with no other code is removed as well.
        for pair in chain.windows(2).rev() {
            let [outer, inner] = pair else { break };
            let whole = outer.code().span;
            let is_small = scene.code_lines(whole) == 1 + scene.code_lines(span);
            if inner.block.len() != 1 || !is_small {
                break;
            }
            span = whole;
        }
        let rest = scene.text(Span {
            start: statement.end,
            end: scene.lines(statement).end,
        });
        let is_alone = rest.trim().is_empty() || rest.trim_start().starts_with('#');
        if !is_alone || !scene.starts_line(statement) || !scene.starts_line(span) {
            return None;
        }
        let whole = Span {
            start: scene.attached(span),
            end: scene.lines(span).end,
        };
        let own = scene.lines(statement);
        let comments = scene.comments(whole).into_iter();
        let comments = comments.filter(|comment| own.to(*comment) != own);
        let mut lines: Vec<String> = comments.map(|it| scene.text(it).to_owned()).collect();
        lines.push(format!("{}{}", scene.text(statement), rest.trim_end()));
        Some(Lifted {
            edit: replace(whole, ""),
            lines,
        })
    }
}
