//! Repair of PTX texts in which a mistake hides the lines after it.
//!
//! A bracket or quote that is never closed makes the parser read the next statements as part of it. The line on which
//! the error starts is blanked, and the rest is parsed again.

use tree_sitter::{Node, Tree};

use super::parse::parse_tree;
use a2lint_source::text::Span;

/// A repaired tree.
pub(super) struct Mended {
    /// The tree of the text with blanked lines.
    pub tree: Tree,
    /// The blanked lines, in source order.
    pub blanked: Vec<Span>,
}

/// Number of times that a text is parsed again. A round rarely uncovers more than the next one repairs.
const ROUNDS: usize = 3;

/// Blanks the first lines of errors that extend over line ends, and parses again; `None` if there are no such errors.
pub(super) fn mend(tree: &Tree, text: &str) -> Option<Mended> {
    let mut lines = torn_lines(tree.root_node(), text);
    let mut text = text.to_owned();
    let mut mended: Option<Mended> = None;
    for _ in 0..ROUNDS {
        if lines.is_empty() {
            break;
        }
        text = blank(text, &lines);
        let tree = parse_tree(&text)?;
        let found = torn_lines(tree.root_node(), &text);
        let mut blanked = mended.map_or(Vec::new(), |before| before.blanked);
        blanked.append(&mut lines);
        mended = Some(Mended { tree, blanked });
        lines = found;
    }
    let mut mended = mended?;
    mended.blanked.sort_unstable();
    mended.blanked.dedup();
    Some(mended)
}

/// Returns the lines on which errors start that extend over the end of the line.
fn torn_lines(root: Node, text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let mut stack = vec![root];
    while let Some(node) = stack.pop() {
        if !node.has_error() {
            continue;
        }
        // An error at the root covers the whole text, whose first line is not to blame.
        let torn = match node.is_error() && node != root {
            true => node.start_position().row < node.end_position().row,
            false => is_torn_operand(node),
        };
        if torn {
            found.extend(line_around(text, node.start_byte()));
            continue;
        }
        let mut cursor = node.walk();
        stack.extend(node.children(&mut cursor));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns whether an operand in brackets extends over several lines, because the bracket that closes it was meant for
/// another one or inserted by the parser.
fn is_torn_operand(node: Node) -> bool {
    let closes = matches!(
        node.kind(),
        "address" | "vector" | "list" | "application" | "array_extent"
    );
    closes && node.start_position().row < node.end_position().row
}

/// Returns the line that contains `at`, unless it is blank.
fn line_around(text: &str, at: usize) -> Option<Span> {
    let bytes = text.as_bytes();
    let start = bytes[..at]
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |before| before + 1);
    let length = bytes[at..].iter().position(|&byte| byte == b'\n');
    let end = length.map_or(text.len(), |length| at + length);
    let line = text.get(start..end)?;
    (!line.trim().is_empty()).then(|| Span::new(start, end))
}

fn blank(text: String, lines: &[Span]) -> String {
    let mut bytes = text.into_bytes();
    for line in lines {
        bytes[line.range()].fill(b' ');
    }
    String::from_utf8(bytes).expect("whole lines become blanks")
}
