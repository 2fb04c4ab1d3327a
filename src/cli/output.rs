//! Standard output and error.

use std::io::{self, ErrorKind, IsTerminal, Write};

use super::args::ColorChoice;
use crate::finding::Severity;
use crate::report::Paint;

/// The two streams, and whether each is coloured.
#[derive(Debug)]
pub struct Streams {
    /// For standard output.
    pub paint: Paint,
    /// For standard error.
    pub error_paint: Paint,
}

impl Streams {
    /// Decides on colours.
    pub fn new(color: ColorChoice) -> Self {
        Streams {
            paint: paint(color, io::stdout().is_terminal()),
            error_paint: paint(color, io::stderr().is_terminal()),
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

    /// Writes an error message.
    pub fn complain(&self, message: &str) {
        let head = self.error_paint.severity(Severity::Error, "a2lint:");
        self.remark(&format!("{head} {message}\n"));
    }
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
