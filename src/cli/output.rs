//! Standard output and error.

use std::io::{self, ErrorKind, IsTerminal, Write};

use super::args::ColorChoice;
use crate::finding::Severity;
use crate::report::{Paint, printable};

/// The two streams, and whether each is coloured.
#[derive(Debug)]
pub struct Streams {
    /// For standard output.
    pub paint: Paint,
    /// For standard error.
    pub error_paint: Paint,
    /// Whether standard output is a terminal that makes links of OSC 8 sequences.
    pub clickable: bool,
}

impl Streams {
    /// Decides on colours.
    pub fn new(color: ColorChoice) -> Self {
        Streams {
            paint: paint(color, io::stdout().is_terminal()),
            error_paint: paint(color, io::stderr().is_terminal()),
            clickable: io::stdout().is_terminal() && has_links(),
        }
    }

    /// Writes to standard output. A reader that has gone away (`| head`) has read enough.
    pub fn write(&self, text: &str) -> Result<(), super::Failure> {
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

    /// Writes to standard error; nobody can be told when that fails.
    pub fn remark(&self, text: &str) {
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    /// Starts on an empty screen, where standard output is one.
    pub fn clear_screen(&self) {
        if io::stdout().is_terminal() {
            let _ = self.write("\x1b[2J\x1b[3J\x1b[H");
        }
    }

    /// Writes a warning that changes nothing.
    pub fn warn(&self, message: &str) {
        let head = self.error_paint.severity(Severity::Warning, "a2lint:");
        self.remark(&format!("{head} warning: {message}\n"));
    }

    /// Writes an error message.
    pub fn complain(&self, message: &str) {
        let head = self.error_paint.severity(Severity::Error, "a2lint:");
        self.remark(&format!("{head} {}\n", printable(message)));
    }
}

/// Whether the terminal is one of those known to show links.
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
        || number("VTE_VERSION").is_some_and(|version| version >= 5000)
        || programs.contains(&program.as_str())
        || ["xterm-kitty", "alacritty", "foot", "xterm-ghostty"].contains(&term.as_str())
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
