//! Markdown for a terminal: headings bold, code indented, paragraphs filled.

use unicode_width::UnicodeWidthStr;

use crate::report::Paint;

/// Columns of a filled line.
const WIDTH: usize = 88;

/// Renders the Markdown that rule documentation is written in: headings, paragraphs, lists, fenced
/// code, tables (as they are) and inline code.
pub fn render(text: &str, paint: Paint) -> String {
    let mut renderer = Renderer {
        paint,
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

    /// Writes the paragraph that has been gathered.
    fn fill(&mut self) {
        let Some(first) = self.paragraph.first() else {
            return;
        };
        let indent = if is_item(first) { "  " } else { "" };
        let text = self.paragraph.join(" ");
        self.paragraph.clear();
        for (index, line) in wrap(&text, WIDTH - indent.len()).iter().enumerate() {
            let indent = if index == 0 { "" } else { indent };
            self.push(&format!("{indent}{}", inline(line, self.paint)));
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

/// Lines of at most `width` columns; code between backticks stays on one line.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in words(text) {
        let line = lines.last_mut().expect("there is always a line");
        if line.is_empty() {
            line.push_str(&word);
        } else if line.width() + 1 + word.width() <= width {
            line.push(' ');
            line.push_str(&word);
        } else {
            lines.push(word);
        }
    }
    lines
}

/// Words, with the spaces inside backticks kept.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in text.chars() {
        quoted ^= c == '`';
        if c.is_whitespace() && !quoted {
            words.push(String::new());
        } else if let Some(word) = words.last_mut() {
            word.push(c);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Colours what stands between backticks; without colours the backticks stay.
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
            render(text, Paint::Plain),
            "Why\nOne two `a b`.\n\n* item more\n* next\n\n    x = 1\n"
        );
    }

    #[test]
    fn paragraphs_are_filled_and_code_is_kept_together() {
        let text = format!("{}`{}`", "word ".repeat(16), "a b ".repeat(4).trim());
        let lines = wrap(&text, 88);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[1], "`a b a b a b a b`");
    }

    #[test]
    fn inline_code_is_coloured() {
        assert!(render("say `x`", Paint::Coloured).contains("\x1b["));
    }
}
