//! The cache of check results on disk.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::args::CheckArgs;
use super::engine::{Checker, analyse_with};
use crate::cli::files;
use a2lint_lint::cache::{self, Cache, Subject};
use a2lint_lint::check::Settings;
use a2lint_project::{self as project, Files, Project};
use a2lint_report::FileReport;
use a2lint_source::disk;
use a2lint_source::language::Language;
use a2lint_source::text::SourceText;

const SECONDS_OF_A_DAY: u64 = 86_400;

/// Opens the cache of a check; `None` if it is switched off.
pub fn open(args: &CheckArgs, files: &Arc<Files>) -> io::Result<Option<Cache>> {
    if args.cache.no_cache {
        return Ok(None);
    }
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let today = since.map_or(0, |since| since.as_secs() / SECONDS_OF_A_DAY);
    let (folder, project) = place(args);
    Cache::open(folder, project.as_deref(), files.clone(), today as u32).map(Some)
}

/// Returns the cache folder and its project: that of the checked files or, without a mark, the working directory.
fn place(args: &CheckArgs) -> (PathBuf, Option<PathBuf>) {
    let here = files::absolute(Path::new("."));
    let first = args.paths.first().map(|path| files::absolute(path));
    let first = first.unwrap_or_else(|| here.clone());
    let root = match first.is_dir() {
        true => project::marked(&first),
        false => first.parent().and_then(project::marked),
    };
    // A symbolic link in the project may lead into another project, whose folders must not be written to.
    let root = root.filter(|root| !root.starts_with(&here) || disk::stays(root, &here));
    let folder = match &args.cache.cache_dir {
        Some(folder) => files::absolute(folder),
        None => root.unwrap_or(&here).join(cache::NAME),
    };
    (folder, root.map(Path::to_owned))
}

/// Returns the cached result for a text, or checks the text and caches the result.
pub fn analyse(
    cache: Option<&Cache>,
    checker: Checker,
    path: String,
    source: SourceText,
    language: Language,
    mut settings: Settings,
) -> (FileReport, Option<String>) {
    let (Some(cache), Some(project)) = (cache, settings.trace.project.clone()) else {
        return analyse_with(checker, path, source, language, &settings);
    };
    let subject = Subject::of(&source, &settings);
    if let Some(analysis) = cache.get(&subject, &project) {
        let report = FileReport {
            path,
            source,
            analysis,
        };
        return (report, None);
    }
    let files = Arc::new(project.files.recording());
    settings.trace.project = Some(Project {
        files: files.clone(),
        ..project.clone()
    });
    let (report, panic) = analyse_with(checker, path, source, language, &settings);
    if panic.is_none() {
        cache.put(&subject, &project, &files.asked(), &report.analysis);
    }
    (report, panic)
}
