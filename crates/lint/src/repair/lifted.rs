//! Statements that are moved, with their comments.

use super::scene::{Scene, replace};
use a2lint_ir::finding::Edit;
use a2lint_source::text::Span;

/// A statement that is taken from its place, with the comments that go with it.
pub(super) struct Lifted {
    /// Takes it out; a block that has nothing else goes with it.
    pub edit: Edit,
    /// What is written elsewhere: comments on lines of their own, then the statement with the one on its line.
    pub lines: Vec<String>,
}

impl Lifted {
    /// `None` where something else stands on the lines of the statement.
    pub fn of(scene: &Scene, statement: Span) -> Option<Lifted> {
        let chain = scene.in_function(statement.start);
        let mut span = statement;
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
