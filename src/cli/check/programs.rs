//! `check` as a function: it has the settings and findings of the command, and prints nothing.

use std::path::Path;
use std::time::Instant;

use clap::Parser;

use super::engine::Checked;
use super::{configs, edit, engine, known};
use crate::cli::args::{Args, Command};
use crate::cli::{Failure, files};
use a2lint_report::programs::{CheckedFiles, FixedFile, Request};
use a2lint_report::{Links, Run};
use a2lint_rules::fix::Applicability;
use a2lint_source::files::{Candidate, Place};
use a2lint_source::text::SourceText;

/// Checks a file, a folder or a text. `options` are options of the command line. Fixes up to the applicability
/// `fixes` are returned as texts, and not written.
pub fn check_for_program(
    request: &Request,
    options: &[String],
    fixes: Option<Applicability>,
) -> Result<CheckedFiles, String> {
    a2lint_source::guard::install();
    let start = Instant::now();
    let (path, text) = match request {
        Request::Path(path) => (path, None),
        Request::Text(path, text) => {
            if text.len() as u64 > files::MAX_BYTES {
                return Err(format!("a text of {} MiB is too large", text.len() >> 20));
            }
            let candidate = Candidate {
                place: Place::Text(path.clone(), SourceText::new(text.as_str())),
                explicit: true,
            };
            (path, Some(candidate))
        }
    };
    let words = ["a2lint", "check", "--quiet"]
        .map(str::to_owned)
        .into_iter();
    let words = words.chain(options.iter().cloned());
    // A dash means a file of that name: standard input belongs to the protocol.
    let path = match path.as_os_str() == "-" {
        true => "./-".to_owned(),
        false => path.to_string_lossy().into_owned(),
    };
    let words = words.chain(["--".to_owned(), path]);
    let args = match Args::try_parse_from(words)
        .map_err(|error| error.to_string())?
        .command
    {
        Command::Check(args) => args,
        _ => return Err("these are no options of check".to_owned()),
    };
    let checked = || -> Result<_, Failure> {
        let configs = configs(&args)?;
        let (mut outcome, complaints) = engine::check_quietly(&args, &configs, text)?;
        let hidden = known::hide(&mut outcome)?.hidden;
        let here = configs.of_folder(&files::absolute(Path::new(".")))?;
        let base = here.options.docs_url.clone();
        Ok((outcome, complaints, hidden, base))
    };
    let (outcome, complaints, hidden, base) = checked().map_err(|failure| failure.to_string())?;
    let fixed = outcome.files.iter().filter_map(|file| fixed(file, fixes?));
    Ok(CheckedFiles {
        fixed: fixed.collect(),
        run: Run {
            seconds: start.elapsed().as_secs_f64(),
            candidates: outcome.candidates,
            hidden,
            all_reasons: false,
            is_verbose: false,
            tried_repairs: fixes.is_some(),
            links: Links {
                base,
                clickable: false,
            },
        },
        reports: outcome.files.into_iter().map(|file| file.report).collect(),
        complaints,
    })
}

fn fixed(file: &Checked, applicability: Applicability) -> Option<FixedFile> {
    let fixed = edit::fixed(file, applicability)?.fixed;
    if fixed.done.is_empty() {
        return None;
    }
    Some(FixedFile {
        path: file.candidate.path().to_owned(),
        before: file.report.source.as_str().to_owned(),
        after: fixed.text,
        fixes: fixed.done.len(),
    })
}
