//! A second chance for lines behind a mistake.
//!
//! A bracket or quote that is never closed makes the parser read the next statements as part of it.
//! The line where the trouble starts is blanked out, and the rest is parsed as it stands.

use tree_sitter::{Node, Tree};

use super::parse::parse_tree;
use a2lint_source::text::Span;

/// The tree of a text in which some lines are blank.
pub(super) struct Mended {
    /// The tree.
    pub tree: Tree,
    /// The lines, in source order.
    pub blanked: Vec<Span>,
}

/// How often a text is parsed again; what one round uncovers is rarely more than the next.
const ROUNDS: usize = 3;

/// Blanks out the first lines of errors that reach over line ends; `None` where there are none.
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

/// The lines on which errors start that do not end there.
fn torn_lines(root: Node, text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let mut stack = vec![root];
    while let Some(node) = stack.pop() {
        if !node.has_error() {
            continue;
        }
        // What stands at the end of the text has nothing behind it to swallow.
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

/// Whether a bracket was closed for want of a closing one, lines further down.
fn is_torn_operand(node: Node) -> bool {
    let closes = matches!(
        node.kind(),
        "address" | "vector" | "list" | "application" | "array_extent"
    );
    closes && node.start_position().row < node.end_position().row
}

/// The line that holds `at`, where it is not blank already.
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
