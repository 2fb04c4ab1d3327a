//! Renders Markdown for a terminal: bold headings, indented code, filled paragraphs.

use a2lint_report::{Page, Paint, filled};

/// Width of a filled line in columns, if the terminal has no width.
const WIDTH: usize = 88;

/// Renders the Markdown of rule documentation: headings, paragraphs, lists, fenced code, inline code, and tables,
/// which are copied.
pub fn render(text: &str, page: Page) -> String {
    let mut renderer = Renderer {
        paint: page.paint,
        width: page.columns_or(WIDTH),
        out: String::new(),
        paragraph: Vec::new(),
        in_code: false,
    };
    for line in text.lines() {
        renderer.line(line);
    }
    renderer.fill();
    renderer.out
}

struct Renderer<'a> {
    paint: Paint,
    width: usize,
    out: String,
    paragraph: Vec<&'a str>,
    in_code: bool,
}

impl<'a> Renderer<'a> {
    fn line(&mut self, line: &'a str) {
        if line.trim_start().starts_with("```") {
            self.fill();
            self.in_code = !self.in_code;
        } else if self.in_code {
            self.push(&format!("    {}", self.paint.code(line)));
        } else if line.starts_with('#') {
            self.fill();
            self.push(&self.paint.bold(line.trim_start_matches('#').trim()));
        } else if line.trim().is_empty() {
            self.fill();
            self.push("");
        } else if line.starts_with('|') {
            self.fill();
            self.push(line);
        } else {
            if is_item(line) {
                self.fill();
            }
            self.paragraph.push(line);
        }
    }

    fn push(&mut self, line: &str) {
        self.out.push_str(line.trim_end());
        self.out.push('\n');
    }

    /// Writes the collected paragraph.
    fn fill(&mut self) {
        let Some(first) = self.paragraph.first() else {
            return;
        };
        let indent = if is_item(first) { "  " } else { "" };
        let lines = self.paragraph.iter().map(|line| line.trim());
        let text = lines.collect::<Vec<_>>().join(" ");
        self.paragraph.clear();
        for line in filled(&text, indent.len(), self.width).lines() {
            self.push(&inline(line, self.paint));
        }
    }
}

fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with("* ")
        || line.starts_with("- ")
        || number.len() < line.len() && number.starts_with(". ")
}

/// Colours the text between backticks; without colours, the backticks are kept.
fn inline(line: &str, paint: Paint) -> String {
    if paint == Paint::Plain {
        return line.to_owned();
    }
    let parts = line.split('`').enumerate();
    parts
        .map(|(index, part)| match index % 2 {
            1 => paint.code(part),
            _ => part.to_owned(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_code_lists_and_paragraphs() {
        let text = "## Why\nOne\ntwo `a b`.\n\n* item\n  more\n* next\n\n```python\nx = 1\n```\n";
        assert_eq!(
            render(text, Page::PLAIN),
            "Why\nOne two `a b`.\n\n* item more\n* next\n\n    x = 1\n"
        );
    }

    #[test]
    fn paragraphs_are_filled_and_code_is_kept_together() {
        let text = format!("{}`{}`", "word ".repeat(16), "a b ".repeat(4).trim());
        let filled = render(&text, Page::PLAIN);
        assert_eq!(filled.lines().last(), Some("`a b a b a b a b`"));
        assert_eq!(filled.lines().count(), 2);
    }

    #[test]
    fn inline_code_is_coloured() {
        assert!(inline("say `x`", Paint::Coloured).contains("\x1b["));
    }
}
