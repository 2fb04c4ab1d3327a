//! A check of indentation, which the grammar does not reject: blocks that no statement opens, and lines whose
//! indentation matches no enclosing block.

use super::ast::{ErrorReason, SyntaxError};
use super::mend::starts_like_head;
use super::scan::Scan;
use a2lint_source::text::{Slice, Span};

/// Distance of tab stops in columns, as in Python.
const TAB: usize = 8;
const UNOPENED: &str = "this line is indented, and nothing above opens a block";

/// Returns the first line whose indentation Python rejects. Lines after it are not checked, since they depend on how
/// it is corrected.
pub(super) fn misplaced(text: &str) -> Option<SyntaxError> {
    let mut scan = Scan::default();
    let mut open = vec![0];
    let mut may_indent = false;
    let mut before = Span::new(0, 0);
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let code = line.trim_start();
        let starts = scan.may_end() && !code.is_empty() && !code.starts_with('#');
        if starts {
            let column = column(line.part(..line.len() - code.len()));
            let reason = place(&mut open, column, may_indent);
            // The statement before lacks its colon: that is the mistake, rather than this indentation.
            if reason == Some(UNOPENED) && starts_like_head(text.part(before.range())) {
                let span = Span::new(before.range().end, before.range().end);
                let reason = ErrorReason::Missing(":".to_owned());
                return Some(SyntaxError { span, reason });
            }
            let start = at + line.len() - code.len();
            // A line that consists of a backslash alone sets no end, so the span starts empty.
            before = Span::new(start, start);
            if let Some(reason) = reason {
                let span = Span::new(start, start + code.trim_end().len());
                let reason = ErrorReason::Indentation(reason);
                return Some(SyntaxError { span, reason });
            }
        }
        scan.line(line.as_bytes());
        if scan.had_code && scan.may_end() {
            may_indent = scan.ends_in_colon;
            before.end = (at + scan.code_end) as u32;
        }
        at += line.len();
    }
    None
}

/// Updates the stack of open blocks for a line that starts at a column; returns what is wrong with it.
fn place(open: &mut Vec<usize>, column: usize, may_indent: bool) -> Option<&'static str> {
    let innermost = *open.last()?;
    if column > innermost {
        if !may_indent {
            return Some(UNOPENED);
        }
        open.push(column);
    } else {
        while open.last().is_some_and(|&outer| outer > column) {
            open.pop();
        }
        if open.last() != Some(&column) {
            return Some("this indentation is that of no block around");
        }
    }
    None
}

fn column(blanks: &str) -> usize {
    blanks.chars().fold(0, |column, blank| match blank {
        '\t' => (column / TAB + 1) * TAB,
        '\x0c' => 0,
        _ => column + 1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line_of(text: &str) -> Option<usize> {
        let error = misplaced(text)?;
        Some(text[..error.span.start as usize].matches('\n').count() + 1)
    }

    #[test]
    fn blocks_begin_after_colons() {
        assert_eq!(line_of("a\n  b\n"), Some(2));
        assert_eq!(line_of("if a:\n    b\n  c\n"), Some(3));
        assert_eq!(line_of("def f():\n\tb\n\n    # c\n\td\n"), None);
        assert_eq!(line_of("if a == '#':  # why\n  b\nc\n"), None);
        assert_eq!(
            line_of("if (a and\n      b):\n  '''\nx\n'''\n  y = [\n1,\n]\n"),
            None
        );
        assert_eq!(line_of("if a: b\nc = lambda: \\\n  d\n"), None);
        assert_eq!(line_of("x = d[a:\n  b]\n  y\n"), Some(3));
        assert_eq!(
            line_of("class A:\n    '''doc:'''\n    a: int = 1\nb\n"),
            None
        );
        // Found by fuzzing: the line of the backslash has no other code.
        assert_eq!(line_of("a\n\\\n\n    b = c(\n"), Some(4));
    }
}
