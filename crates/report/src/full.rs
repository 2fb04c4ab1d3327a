//! The full report: findings with their source lines.

use codespan_reporting::diagnostic::{Diagnostic, Label, Severity as Level};
use codespan_reporting::term::termcolor::{Ansi, NoColor};
use codespan_reporting::term::{self, Config};

use super::excerpt::Excerpt;
use super::{FileReport, Links, Page, Paint, Placed, Run, concise, numbers, printable};
use a2lint_ir::finding::{Basis, Finding, Severity};
use a2lint_ir::verdict::Property;
use a2lint_rules as rules;
use a2lint_source::text::{Slice, SourceText, Span, character_at};

/// Renders all findings in the given order.
pub fn render(reports: &[FileReport], run: &Run, page: Page) -> String {
    let mut out = String::new();
    for report in reports {
        for placed in report.placed() {
            out.push_str(&finding_text(&placed, &run.links, page));
        }
    }
    out
}

/// Renders one finding, followed by an empty line.
pub(super) fn finding_text(placed: &Placed, links: &Links, page: Page) -> String {
    let (source, finding) = (placed.source, &*placed.finding);
    let path = printable(placed.path);
    let labels = finding.labels.iter().map(|label| label.span);
    let spans: Vec<Span> = std::iter::once(finding.span)
        .chain(labels)
        .map(|span| visible(source, span))
        .collect();
    let excerpt = Excerpt::new(&path, source, &spans, page.columns);
    let diagnostic = diagnostic(finding, &excerpt, &spans)
        .with_notes(notes(placed, page))
        .with_code(links.name(finding.name));
    let text = emit(&excerpt, &diagnostic, page.paint);
    page.fit(text.unwrap_or_else(|| concise::line(placed, links, page.paint) + "\n"))
}

fn diagnostic(finding: &Finding, excerpt: &Excerpt<'_>, spans: &[Span]) -> Diagnostic<()> {
    let level = match finding.severity {
        Severity::Info => Level::Note,
        Severity::Warning => Level::Warning,
        Severity::Error => Level::Error,
    };
    let mut labels = vec![Label::primary((), excerpt.range(spans[0]))];
    for (label, &span) in finding.labels.iter().zip(&spans[1..]) {
        let message = printable(&label.message).into_owned();
        // A message about the place itself follows its mark.
        if span == spans[0] && labels[0].message.is_empty() {
            labels[0].message = message;
            continue;
        }
        labels.push(Label::secondary((), excerpt.range(span)).with_message(message));
    }
    Diagnostic::new(level)
        .with_message(printable(&finding.message))
        .with_labels(labels)
}

/// Returns the notes below the source lines.
fn notes(placed: &Placed, page: Page) -> Vec<String> {
    let finding = &*placed.finding;
    let mut notes = Vec::new();
    notes.extend(placed.same_at());
    if let Some(help) = &finding.help {
        notes.push(format!("help: {}", indented(help, "help: ")));
    }
    if let Some(fix) = &finding.fix {
        let caution = if fix.safe {
            ""
        } else {
            " (unsafe: apply with `--unsafe-fixes`)"
        };
        notes.push(format!("fix: {}{caution}", printable(&fix.title)));
    }
    let lines = numbers::lines(finding, page);
    // Values say nothing about an address.
    let is_address = rules::property_of(finding) == Some(Property::Bounds);
    if !lines.is_empty() && !is_address {
        notes.push(format!("numbers: {}", lines.join("\n  ")));
    }
    let kernel = finding.kernel.as_deref();
    let place = kernel.map_or(String::new(), |kernel| match finding.also_in.as_slice() {
        [] => format!(" in kernel {kernel}"),
        [other] => format!(" in kernels {kernel} and {other}"),
        others => format!(" in kernel {kernel} and {} others", others.len()),
    });
    let clause = finding.basis.clause();
    notes.push(match &finding.witness {
        Some(witness) if finding.basis == Basis::Replayed => {
            format!("{}{place}, {}", finding.code, printable(&witness.detail))
        }
        Some(witness) => {
            let detail = printable(&witness.detail);
            format!("{}{place}, {clause}, {detail}", finding.code)
        }
        None => format!("{}{place}, {clause}", finding.code),
    });
    notes
}

/// Joins several lines; all but the first are indented by the width of `lead`.
fn indented(text: &str, lead: &str) -> String {
    let lines: Vec<_> = text.lines().map(printable).collect();
    lines.join(&format!("\n{}", " ".repeat(lead.len())))
}

/// Moves a span into the text and to character boundaries, and excludes trailing white space, which would add the
/// next line to the excerpt.
fn visible(source: &SourceText, span: Span) -> Span {
    let text = source.as_str();
    let border = |offset: u32| character_at(text, offset as usize);
    let start = border(span.start);
    let end = border(span.end).max(start);
    Span::new(start, start + text.part(start..end).trim_end().len())
}

fn emit(excerpt: &Excerpt<'_>, diagnostic: &Diagnostic<()>, paint: Paint) -> Option<String> {
    let config = Config::default();
    let bytes = match paint {
        Paint::Plain => {
            let mut writer = NoColor::new(Vec::new());
            term::emit_to_write_style(&mut writer, &config, excerpt, diagnostic).ok()?;
            writer.into_inner()
        }
        Paint::Coloured => {
            let mut writer = Ansi::new(Vec::new());
            term::emit_to_write_style(&mut writer, &config, excerpt, diagnostic).ok()?;
            writer.into_inner()
        }
    };
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{complete, finding, report, span_of};

    fn shown(text: &str, span: Span) -> String {
        let file = report("k.py", text, vec![finding(span)]);
        render(&[file], &Run::default(), Page::PLAIN)
    }

    #[test]
    fn a_complete_finding() {
        let text = render(&[complete()], &Run::default(), Page::PLAIN);
        let expected = "\
error[dup-coverage]: dup fills 64 of 128 lanes
  ┌─ k.py:4:1
  │
4 │ dup(row, 0.0, repeat=1)
  │ ^^^^^^^^^^^^^^^^^^^^^^^
5 │ out <<= row
  │ ----------- lane 64 is read here
  │
  = help: write `repeat=2`
  = fix: cover the whole tile (unsafe: apply with `--unsafe-fixes`)
  = COV001 in kernel softmax, confirmed by simulation (M=128, core 0, vec0): element 64 is undefined

";
        assert_eq!(text, expected);
    }

    #[test]
    fn colours_are_asked_for() {
        let coloured = Page {
            paint: Paint::Coloured,
            columns: None,
        };
        assert!(render(&[complete()], &Run::default(), coloured).contains("\x1b["));
        assert!(!render(&[complete()], &Run::default(), Page::PLAIN).contains('\x1b'));
    }

    #[test]
    fn tabs_and_wide_characters_keep_carets_in_place() {
        let source = "\tx = 汉字; dup(y)\r\nz\r\n";
        let text = shown(source, span_of(source, "dup(y)"));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], "  ┌─ k.py:1:10");
        assert_eq!(lines[3], "1 │     x = 汉字; dup(y)");
        assert_eq!(lines[4], "  │               ^^^^^^");
    }

    #[test]
    fn a_span_that_ends_with_its_line_stays_on_it() {
        let text = shown("dup(y)\r\nz\n", Span::new(0, 8));
        assert!(text.contains("1 │ dup(y)\n  │ ^^^^^^\n"), "{text}");
    }

    #[test]
    fn long_lines_are_cut_around_the_label() {
        let source = format!("{}dup(y){}\n", "a, ".repeat(400), ", b".repeat(400));
        let text = shown(&source, span_of(&source, "dup(y)"));
        assert!(text.contains("k.py:1:1201"), "{text}");
        assert!(
            text.lines().all(|line| line.chars().count() < 180),
            "{text}"
        );
        let lines: Vec<&str> = text.lines().collect();
        let column = lines[3].chars().position(|c| c == 'd').unwrap();
        assert_eq!(lines[4].chars().position(|c| c == '^'), Some(column));
        assert!(
            lines[3].contains("│ …") && lines[3].ends_with('…'),
            "{text}"
        );
    }

    #[test]
    fn a_label_wider_than_the_window_is_cut_with_it() {
        let source = format!("dup({})\n", "a, ".repeat(4000));
        let text = shown(&source, Span::new(0, source.len()));
        assert!(
            text.lines().all(|line| line.chars().count() < 180),
            "{text}"
        );
    }

    #[test]
    fn escape_sequences_in_the_source_are_not_obeyed() {
        let source = "x = '\x1b[2J'; dup(y)\n";
        let text = shown(source, span_of(source, "dup(y)"));
        assert!(!text.contains('\x1b'), "{text}");
        assert!(text.contains("k.py:1:13"), "{text}");
    }

    #[test]
    fn empty_files_and_spans_past_the_end_are_shown() {
        assert!(shown("", Span::default()).contains("k.py:1:1"));
        assert!(shown("ab\n", Span::new(90, 99)).contains("k.py:2:1"));
        assert!(shown("汉", Span::new(1, 2)).contains("k.py:1:1"));
    }
}
