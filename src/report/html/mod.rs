//! One page about a kernel, for people who look rather than read: what is known of it, its source with
//! findings and costs, its memory over time, its pipes, and its tiles. One file of HTML that needs nothing
//! else.

mod model;
mod recorder;
mod tiles;

pub use recorder::{Focus, Recorder};

use crate::device::Device;
use crate::finding::Finding;
use crate::ir::Program;
use crate::machine::{BoundLaunch, Estimate, Outcome};
use crate::record::KernelRecord;
use crate::text::SourceText;

const PAGE: &str = include_str!("viewer.html");
const STYLE: &str = include_str!("viewer.css");
const SCRIPT: &str = include_str!("viewer.js");

/// What a page is about.
pub struct Subject<'a> {
    /// The path of the file, as the user knows it.
    pub path: &'a str,
    /// Its text, and after it those of the files that it was evaluated with.
    pub source: &'a SourceText,
    /// What was found in it.
    pub findings: &'a [Finding],
    /// What was looked at of its kernels.
    pub records: &'a [KernelRecord],
    /// The text of the file, without those that it was evaluated with.
    pub own: &'a str,
    /// The kernel.
    pub program: &'a Program,
    /// The launch that ran.
    pub bound: &'a BoundLaunch,
    /// Where it comes from, as a clause.
    pub origin: &'a str,
    /// The device.
    pub device: Device,
    /// How the run ended.
    pub outcome: &'a Outcome,
    /// When what happened.
    pub estimate: &'a Estimate,
    /// What was seen.
    pub recorder: &'a Recorder<'a>,
}

/// The page.
pub fn render(subject: &Subject) -> String {
    // Text of the source must not end the element that it stands in.
    let data = model::object(subject).to_string().replace('<', "\\u003c");
    PAGE.replace("/*STYLE*/", STYLE)
        .replace("/*SCRIPT*/", SCRIPT)
        .replace("/*DATA*/", &data)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_needs_nothing_else() {
        for text in [PAGE, STYLE, SCRIPT] {
            let addresses = text.match_indices("://").map(|(at, _)| &text[..at]);
            let allowed = |before: &str| text[before.len()..].starts_with("://www.w3.org/2000/svg");
            assert!(addresses.into_iter().all(allowed), "{text}");
            assert!(!text.contains("import(") && !text.contains("@import"));
        }
        for mark in ["/*STYLE*/", "/*SCRIPT*/", "/*DATA*/"] {
            assert_eq!(PAGE.matches(mark).count(), 1, "{mark}");
        }
    }
}
