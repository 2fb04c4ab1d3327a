//! Standard output and standard error.

use std::io::{self, ErrorKind, IsTerminal, Write};
#[cfg(unix)]
use std::os::fd::AsFd as Terminal;
#[cfg(windows)]
use std::os::windows::io::AsHandle as Terminal;

use super::args::ColorChoice;
use a2lint_ir::finding::Severity;
use a2lint_report::{Page, Paint, printable};

/// The two output streams, with their colours and widths.
#[derive(Debug)]
pub struct Streams {
    /// Standard output.
    pub page: Page,
    /// Standard error.
    pub error_page: Page,
    /// Whether standard output is a terminal that supports links (OSC 8 sequences).
    pub clickable: bool,
}

impl Streams {
    /// Determines the colours and widths of the streams.
    pub fn new(color: ColorChoice) -> Self {
        Streams {
            page: Page {
                paint: paint(color, io::stdout().is_terminal()),
                columns: columns(io::stdout()),
            },
            error_page: Page {
                paint: paint(color, io::stderr().is_terminal()),
                columns: columns(io::stderr()),
            },
            clickable: io::stdout().is_terminal() && has_links(),
        }
    }

    /// Writes text for people to standard output, wrapped to its width.
    pub fn show(&self, text: String) -> Result<(), super::Failure> {
        self.write(&self.page.fit(text))
    }

    /// Writes to standard output, without control characters that a terminal would interpret. A closed pipe (`|
    /// head`) is no error.
    pub fn write(&self, text: &str) -> Result<(), super::Failure> {
        // OSC 8 sequences must survive the cleaning on a terminal that supports links, even if colours are off.
        let page = match self.clickable {
            true => Page {
                paint: Paint::Coloured,
                ..self.page
            },
            false => self.page,
        };
        self.pass_on(&page.clean(text))
    }

    /// Writes a text to standard output unchanged: the user's own text, which goes back to the editor.
    pub fn pass_on(&self, text: &str) -> Result<(), super::Failure> {
        let mut stdout = io::stdout().lock();
        let written = stdout
            .write_all(text.as_bytes())
            .and_then(|()| stdout.flush());
        match written {
            Err(cause) if cause.kind() != ErrorKind::BrokenPipe => Err(super::Failure::Output {
                path: "standard output".to_owned(),
                cause,
            }),
            _ => Ok(()),
        }
    }

    /// Writes to standard error. Errors are ignored, because there is no other place to report them.
    pub fn remark(&self, text: &str) {
        let text = self.error_page.fit(text.to_owned());
        let text = self.error_page.clean(&text);
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    /// Clears the screen, if standard output is a terminal.
    pub fn clear_screen(&self) {
        if io::stdout().is_terminal() {
            let _ = self.pass_on("\x1b[2J\x1b[3J\x1b[H");
        }
    }

    /// Writes a warning, which does not affect the exit status.
    pub fn warn(&self, message: &str) {
        let head = self.error_page.paint.severity(Severity::Warning, "a2lint:");
        let message = printable(message);
        self.remark(&format!("{head} warning: {message}\n"));
    }

    /// Writes an error message.
    pub fn complain(&self, message: &str) {
        let head = self.error_page.paint.severity(Severity::Error, "a2lint:");
        self.remark(&format!("{head} {}\n", printable(message)));
    }
}

/// Returns whether the terminal is known to support links.
fn has_links() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let number = |name: &str| std::env::var(name).ok()?.parse::<u32>().ok();
    let programs = [
        "iTerm.app",
        "WezTerm",
        "vscode",
        "ghostty",
        "Hyper",
        "Tabby",
    ];
    let program = std::env::var("TERM_PROGRAM").unwrap_or_default();
    let term = std::env::var("TERM").unwrap_or_default();
    [
        "WT_SESSION",
        "KONSOLE_VERSION",
        "KITTY_WINDOW_ID",
        "DOMTERM",
    ]
    .into_iter()
    .any(set)
        // VTE supports links since version 0.50.
        || number("VTE_VERSION").is_some_and(|version| version >= 5000)
        || programs.contains(&program.as_str())
        || ["xterm-kitty", "alacritty", "foot", "xterm-ghostty"].contains(&term.as_str())
}

/// Returns the width of a terminal; `None` if the stream is not one.
fn columns(stream: impl Terminal) -> Option<usize> {
    let (terminal_size::Width(columns), _) = terminal_size::terminal_size_of(stream)?;
    (columns > 0).then_some(columns.into())
}

fn paint(color: ColorChoice, is_terminal: bool) -> Paint {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let plain = set("NO_COLOR").is_some() || set("TERM").is_some_and(|term| term == "dumb");
    match color {
        ColorChoice::Always => Paint::Coloured,
        ColorChoice::Auto if is_terminal && !plain => Paint::Coloured,
        _ => Paint::Plain,
    }
}
