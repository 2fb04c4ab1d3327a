//! Embedding text of a file in Markdown.
//!
//! Names and source lines are untrusted. Clients turn Markdown into links, into images that are loaded from anywhere,
//! and into commands that an extension trusts. All such text in answers passes through one of these functions;
//! `tests/it/tidy.rs` keeps fences and code spans out of the rest of `lsp`.

use a2lint_report::{printable, printable_lines};

/// The shortest fence of a code block.
pub const FENCE: &str = "```";

/// Escapes a text for one line of Markdown.
pub fn text(text: &str) -> String {
    let text = printable(text);
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    for c in text.chars() {
        // `://` and `www.` make links of bare addresses.
        let is_address = c == ':' || (c == '.' && before.eq_ignore_ascii_case(&'w'));
        if is_address
            || matches!(
                c,
                '[' | ']' | '*' | '`' | '<' | '>' | '\\' | '!' | '#' | '&' | '~' | '|' | '@'
            )
        {
            out.push('\\');
        }
        out.push(c);
        before = c;
    }
    out
}

/// Formats a text as a code span on one line. A text that could end the span, or start a block where the line is
/// broken, is escaped instead.
pub fn code(source: &str) -> String {
    let shown = printable(source);
    match shown.trim().is_empty() || shown.contains(['`', '<', '~']) {
        true => text(source),
        false => format!("`{shown}`"),
    }
}

/// Formats lines as a code block, with a fence that is longer than any in the lines.
pub fn fence(language: &str, lines: &str) -> String {
    let lines = printable_lines(lines);
    let mut longest = 0;
    let mut run = 0;
    for c in lines.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(FENCE.len().max(longest + 1));
    format!("{fence}{language}\n{lines}\n{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_text_is_no_markdown() {
        let hostile = "x](command:y) ![i](https://e.example/p.png) <img src=x> **b** `c` ~~~\n# h www.e.example";
        let shown = text(hostile);
        assert!(!shown.contains('\n'));
        let mut before = ' ';
        for c in shown.chars() {
            assert!(!"[]<>`*!#~".contains(c) || before == '\\', "{shown}");
            before = if c == '\\' && before == '\\' { ' ' } else { c };
        }
        assert!(
            !shown.contains("https://") && !shown.contains("www."),
            "{shown}"
        );
        assert_eq!(code("x[0:8]"), "`x[0:8]`");
        assert_eq!(code("a`b"), "a\\`b");
        assert_eq!(fence("text", "a\n```\nb"), "````text\na\n```\nb\n````");
    }
}
