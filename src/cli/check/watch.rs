//! `--watch`: checks again after each change.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};

use super::args::CheckArgs;
use crate::cli::output::Streams;
use crate::cli::{Failure, Status, files};
use a2lint_lint::config::{OWN_FILE, PYPROJECT};
use a2lint_source::language::Language;

/// Time without changes before a check starts, because editors save a file in several steps.
const QUIET: Duration = Duration::from_millis(60);

/// Checks now, and after each change of a source or a configuration file, until interrupted.
pub fn run(args: &CheckArgs, streams: &Streams) -> Result<Status, Failure> {
    let (sender, changes) = mpsc::channel();
    let failure = |cause: notify::Error| Failure::Watch { cause };
    // Links are not followed, as when files are searched for: a link may lead to the whole disk.
    let config = notify::Config::default().with_follow_symlinks(false);
    let mut watcher = RecommendedWatcher::new(sender, config).map_err(failure)?;
    for (folder, mode) in folders(args) {
        watcher.watch(&folder, mode).map_err(failure)?;
    }
    loop {
        streams.clear_screen();
        let status = super::once(args, streams).unwrap_or_else(|failure| {
            failure.show(streams);
            Status::Unusable
        });
        streams.remark("Waiting for changes; Ctrl-C ends\n");
        if !wait(&changes) {
            return Ok(status);
        }
    }
}

/// Returns the folders to watch: named folders recursively, and the folders of named files.
fn folders(args: &CheckArgs) -> Vec<(PathBuf, RecursiveMode)> {
    let mut folders = Vec::new();
    for path in &args.paths {
        let path = files::absolute(path);
        match path.is_dir() {
            true => folders.push((path, RecursiveMode::Recursive)),
            false => {
                let folder = path.parent().unwrap_or(Path::new("/")).to_owned();
                folders.push((folder, RecursiveMode::NonRecursive));
            }
        }
    }
    if folders.is_empty() {
        folders.push((files::absolute(Path::new(".")), RecursiveMode::Recursive));
    }
    folders
}

/// Waits for a relevant change, and then until changes stop for `QUIET`. `false` if the watcher has ended.
fn wait(changes: &Receiver<notify::Result<Event>>) -> bool {
    loop {
        match changes.recv() {
            Ok(Ok(event)) if matters(&event) => break,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
    while changes.recv_timeout(QUIET).is_ok() {}
    true
}

fn matters(event: &Event) -> bool {
    let is_config = |path: &Path| path.ends_with(OWN_FILE) || path.ends_with(PYPROJECT);
    !event.kind.is_access()
        && event
            .paths
            .iter()
            .any(|path| Language::of_path(path).is_some() || is_config(path))
}
