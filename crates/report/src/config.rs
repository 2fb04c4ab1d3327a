//! The report of an error in a configuration, with its line.

use codespan_reporting::diagnostic::{Diagnostic, Label};
use codespan_reporting::files::SimpleFile;
use codespan_reporting::term::termcolor::{Ansi, NoColor, WriteColor};
use codespan_reporting::term::{self, Config};

use super::{Paint, printable};
use a2lint_lint::config::ConfigError;
use a2lint_source::text::Slice;

/// Renders the error with the line at fault, if there is one.
pub fn config_error(error: &ConfigError, paint: Paint) -> String {
    let message = printable(&error.message);
    let mut diagnostic = Diagnostic::<()>::error().with_message(message);
    if let Some(span) = &error.span {
        let end = span.start + error.text.part(span.clone()).trim_end().len();
        diagnostic = diagnostic.with_labels(vec![Label::primary((), span.start..end)]);
    } else if !error.path.is_empty() {
        let path = printable(&error.path);
        diagnostic = diagnostic.with_notes(vec![format!("in {path}")]);
    }
    if let Some(help) = &error.help {
        diagnostic = diagnostic.with_notes(vec![format!("help: {}", printable(help))]);
    }
    let file = SimpleFile::new(printable(&error.path), error.text.as_str());
    let text = match paint {
        Paint::Plain => {
            let mut writer = NoColor::new(Vec::new());
            emit(&mut writer, &file, &diagnostic).map(|()| writer.into_inner())
        }
        Paint::Coloured => {
            let mut writer = Ansi::new(Vec::new());
            emit(&mut writer, &file, &diagnostic).map(|()| writer.into_inner())
        }
    };
    let text = text.and_then(|bytes| String::from_utf8(bytes).ok());
    text.unwrap_or_else(|| format!("{}: {}\n", error.path, error.message))
}

fn emit(
    writer: &mut impl WriteColor,
    file: &SimpleFile<std::borrow::Cow<'_, str>, &str>,
    diagnostic: &Diagnostic<()>,
) -> Option<()> {
    term::emit_to_write_style(writer, &Config::default(), file, diagnostic).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use a2lint_lint::config::parse;
    use std::path::Path;

    #[test]
    fn the_line_is_shown() {
        let text = "pedantic = true\nselct = [\"CAP\"]\n";
        let error = parse(Path::new("a2lint.toml"), text).expect_err("a misspelt key");
        insta::assert_snapshot!(config_error(&error, Paint::Plain), @r#"
        error: unknown key `selct`
          ┌─ a2lint.toml:2:1
          │
        2 │ selct = ["CAP"]
          │ ^^^^^
          │
          = help: did you mean `select`?
        "#);
    }
}
