//! Text of a file inside of Markdown.
//!
//! Names and lines of source come from whoever wrote the file, and clients make of Markdown links, pictures that
//! are loaded from anywhere, and commands that an extension trusts. All such text in answers goes through one of
//! these functions; `tests/it/tidy.rs` keeps fences and code spans out of the rest of `lsp`.

use a2lint_report::{printable, printable_lines};

/// How every fence begins and ends.
pub const FENCE: &str = "```";

/// Plain text on one line: what is Markdown or HTML in it is escaped.
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

/// Text on one line as code. What could end a code span, or start a block where the line is broken, is shown as
/// plain text instead.
pub fn code(source: &str) -> String {
    let shown = printable(source);
    match shown.trim().is_empty() || shown.contains(['`', '<', '~']) {
        true => text(source),
        false => format!("`{shown}`"),
    }
}

/// Lines as a block of code, in a fence that none of them can end.
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
