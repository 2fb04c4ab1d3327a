//! Checks files in parallel.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::args::CheckArgs;
use super::cached;
use super::progress::ProgressLine;
use crate::cli::files::{self, Candidate, Discovery, Excluded, InputError, Loaded, Place};
use crate::cli::output::Streams;
use crate::cli::{Failure, Status};
use a2lint_frontend::is_library;
use a2lint_ir::NotAnalysed;
use a2lint_lint::cache::Cache;
use a2lint_lint::check::{Analysis, Results, Settings, check};
use a2lint_lint::config::{Config, Configs};
use a2lint_lint::repair;
use a2lint_project::Projects;
use a2lint_report::FileReport;
use a2lint_source::guard::{DEEP_STACK_BYTES, STACK_BYTES, begin_thread, guard};
use a2lint_source::language::Language;
use a2lint_source::text::SourceText;

/// A checked file, with all that is needed to check it again.
pub struct Checked {
    /// The origin of its text.
    pub candidate: Candidate,
    /// The absolute path.
    pub path: PathBuf,
    /// The configuration of its folder.
    pub config: Arc<Config>,
    /// The findings.
    pub report: FileReport,
}

impl Checked {
    /// Returns the settings for the file.
    pub fn settings(&self) -> Settings {
        self.config.settings(&self.path)
    }
}

/// The results of a check.
pub struct Outcome {
    /// Files that were checked, in the order of the arguments.
    pub files: Vec<Checked>,
    /// Number of files that were read, including those without kernels.
    pub candidates: usize,
    /// The worst failure to read or check a file.
    pub status: Status,
}

/// The function that checks a text; tests replace it.
pub type Checker = fn(&SourceText, Language, &Settings) -> Analysis;

/// Finds the files that the arguments name, checks them, and prints warnings and errors.
pub fn check_all(
    args: &CheckArgs,
    configs: &Arc<Configs>,
    streams: &Streams,
) -> Result<Outcome, Failure> {
    check_all_with(check, args, configs, streams)
}

fn check_all_with(
    checker: Checker,
    args: &CheckArgs,
    configs: &Arc<Configs>,
    streams: &Streams,
) -> Result<Outcome, Failure> {
    let discovery = discover(args, configs);
    let projects = Projects::new(files::absolute(Path::new(".")), is_library);
    let unused = |cause: io::Error| {
        if args.verbose {
            streams.remark(&format!("no cache: {cause}\n"));
        }
    };
    let cache = cached::open(args, &projects.files);
    let cache = cache.map_err(unused).ok().flatten();
    for warning in &discovery.warnings {
        streams.warn(warning);
    }
    let (outcome, complaints) =
        check_found(checker, args, configs, discovery, &projects, cache.as_ref())?;
    if let Some(Err(cause)) = cache.map(Cache::save) {
        unused(cause);
    }
    for complaint in &complaints {
        streams.complain(complaint);
    }
    Ok(outcome)
}

/// Checks the files that the arguments name, or one text. Nothing is printed; error messages are returned.
pub fn check_quietly(
    args: &CheckArgs,
    configs: &Arc<Configs>,
    text: Option<Candidate>,
) -> Result<(Outcome, Vec<String>), Failure> {
    let discovery = match text {
        Some(candidate) => Discovery {
            candidates: vec![candidate],
            ..Discovery::default()
        },
        None => regular(discover(args, configs)),
    };
    // No cache is used: programs that ask for a check do not expect files to be written.
    let projects = Projects::new(files::absolute(Path::new(".")), is_library);
    let warnings = discovery.warnings.clone();
    let (outcome, complaints) = check_found(check, args, configs, discovery, &projects, None)?;
    Ok((outcome, [warnings, complaints].concat()))
}

fn check_found(
    checker: Checker,
    args: &CheckArgs,
    configs: &Arc<Configs>,
    discovery: Discovery,
    projects: &Projects,
    cache: Option<&Cache>,
) -> Result<(Outcome, Vec<String>), Failure> {
    let mut status = Status::Clean;
    let mut complaints = Vec::new();
    for error in &discovery.errors {
        complaints.push(error.to_string());
        status = Status::Unusable;
    }
    let candidates = with_configs(discovery.candidates, configs)?;
    let looked = candidates.len();
    let jobs = args.jobs.map_or(0, usize::from);
    // Where there is no address space for deep stacks, the files that need one take a thread of their own.
    let pool =
        workers(jobs, STACK_BYTES + DEEP_STACK_BYTES).or_else(|_| workers(jobs, STACK_BYTES));
    let pool = pool.map_err(|cause| Failure::Threads { jobs, cause })?;
    let progress = ProgressLine::new(looked, !args.quiet);
    let proves = args.require_proof.is_some();
    let one = |(candidate, config)| {
        let result = check_one(checker, candidate, config, projects, cache, proves);
        progress.step();
        result
    };
    // Each file is a task of its own: checking a kernel takes about a thousand times as long as skipping other Python
    // files, and kernels are often next to each other.
    let each = candidates.into_par_iter().with_max_len(1);
    let results: Vec<_> = pool.install(|| each.map(one).collect());
    drop(progress);
    let mut files = Vec::new();
    for result in results {
        match result {
            Ok(None) => {}
            Ok(Some((checked, panic))) => {
                if let Some(message) = panic {
                    let path = &checked.report.path;
                    complaints.push(format!("internal error while checking {path}: {message}"));
                    status = Status::Internal;
                }
                files.push(checked);
            }
            Err(error) => {
                complaints.push(error.to_string());
                status = status.max(Status::Unusable);
            }
        }
    }
    let outcome = Outcome {
        files,
        candidates: looked,
        status,
    };
    Ok((outcome, complaints))
}

/// Creates the pool of `jobs` threads that check files, each with a stack of `bytes` bytes.
fn workers(jobs: usize, bytes: usize) -> Result<rayon::ThreadPool, rayon::ThreadPoolBuildError> {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(jobs);
    let begin = move |_| begin_thread(bytes);
    threads.stack_size(bytes).start_handler(begin).build()
}

/// Makes files that a client names explicitly candidates that have to be regular files.
fn regular(mut discovery: Discovery) -> Discovery {
    for candidate in &mut discovery.candidates {
        if let Place::File(path) = &candidate.place
            && candidate.explicit
        {
            candidate.place = Place::Regular(path.clone());
        }
    }
    discovery
}

/// Finds the files that the arguments name, without those that the configuration excludes.
fn discover(args: &CheckArgs, configs: &Arc<Configs>) -> Discovery {
    let here = [PathBuf::from(".")];
    let paths = match args.paths.is_empty() {
        true => &here[..],
        false => &args.paths,
    };
    // A folder whose configuration cannot be read is not excluded; its files report the error.
    let configs = configs.clone();
    let excluded: Excluded = Arc::new(move |path: &Path, is_dir: bool| {
        let path = files::absolute(path);
        let config = configs.of_file(&path);
        config.is_ok_and(|config| config.excludes(&path, is_dir))
    });
    let mut discovery = files::discover(paths, args.stdin_filename.as_deref(), &excluded);
    if !args.config.no_force_exclude {
        let named_out =
            |candidate: &Candidate| candidate.explicit && excluded(candidate.path(), false);
        discovery
            .candidates
            .retain(|candidate| !named_out(candidate));
    }
    discovery
}

fn with_configs(
    candidates: Vec<Candidate>,
    configs: &Configs,
) -> Result<Vec<(Candidate, Arc<Config>)>, Failure> {
    let with_config = |candidate: Candidate| {
        let config = configs.of_file(&files::absolute(candidate.path()))?;
        Ok((candidate, config))
    };
    candidates.into_iter().map(with_config).collect()
}

/// A checked file with the message of a panic, if there was one; `None` if the file is not a source for the linter.
type OneResult = Result<Option<(Checked, Option<String>)>, InputError>;

fn check_one(
    checker: Checker,
    candidate: Candidate,
    config: Arc<Config>,
    projects: &Projects,
    cache: Option<&Cache>,
    proves: bool,
) -> OneResult {
    let path = files::absolute(candidate.path());
    let shown = candidate.shown();
    let (report, panic) = match candidate.load() {
        Ok(Loaded::Ours(source)) => {
            let mut settings = config.settings(&path);
            settings.prove |= proves;
            settings.trace.project = projects.of(&path);
            let cache = cache.filter(|_| matches!(candidate.place, Place::File(_)));
            let language = candidate.language();
            cached::analyse(cache, checker, shown, source, language, settings)
        }
        // A commit hook may name files without kernels, which are skipped. A text from standard input is kept,
        // because `--fix` has to write it back.
        Ok(Loaded::Foreign(Some(source))) if candidate.is_stdin() => {
            let report = FileReport {
                path: shown,
                source,
                analysis: Results::default(),
            };
            (report, None)
        }
        Ok(Loaded::Foreign(_)) => return Ok(None),
        Err(InputError::Encoding { reason, .. }) if !candidate.explicit => {
            (unanalysed(shown, reason), None)
        }
        Err(error @ InputError::TooLarge { .. }) if !candidate.explicit => {
            let reason = error.to_string();
            let reason = reason
                .strip_prefix(&format!("{shown}: "))
                .unwrap_or(&reason);
            (unanalysed(shown.clone(), reason.to_owned()), None)
        }
        Err(error) => return Err(error),
    };
    let checked = Checked {
        candidate,
        path,
        config,
        report,
    };
    Ok(Some((checked, panic)))
}

/// Checks a text. A panic makes this file an error, and the others are still checked.
pub fn analyse(
    path: String,
    source: SourceText,
    language: Language,
    settings: &Settings,
) -> (FileReport, Option<String>) {
    analyse_with(check, path, source, language, settings)
}

pub fn analyse_with(
    checker: Checker,
    path: String,
    source: SourceText,
    language: Language,
    settings: &Settings,
) -> (FileReport, Option<String>) {
    let check = |source: &SourceText| checker(source, language, settings);
    let confirmed = || {
        let mut analysis = check(&source);
        repair::confirm(&source, language, &mut analysis, &check);
        analysis
    };
    match guard(confirmed) {
        Ok(analysis) => {
            let report = FileReport {
                path,
                source,
                analysis: analysis.into(),
            };
            (report, None)
        }
        Err(message) => {
            let report = unanalysed(path, format!("internal error: {message}"));
            (report, Some(message))
        }
    }
}

/// Returns the report on a file that could not be analysed.
pub fn unanalysed(path: String, reason: String) -> FileReport {
    FileReport {
        path,
        source: SourceText::new(""),
        analysis: Results {
            not_analysed: vec![NotAnalysed {
                kernel: None,
                reason,
            }],
            ..Results::default()
        },
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::args::{Args, ColorChoice, Command};
    use a2lint_source::guard::{in_kernel, in_rule, install};

    const KERNEL: &str = "from easyasc.a2 import *\n";

    /// A checker with a defect that some files bring out.
    fn defective(source: &SourceText, language: Language, settings: &Settings) -> Analysis {
        if source.as_str().contains("unlucky") {
            in_kernel("unlucky", || {
                in_rule("dup-coverage", || panic!("no such lane"))
            });
        }
        check(source, language, settings)
    }

    #[test]
    fn a_panic_costs_its_file_and_fails_the_run() {
        install();
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        std::fs::write(path("a.py"), format!("{KERNEL}# unlucky\n")).expect("a file");
        std::fs::write(path("b.py"), KERNEL).expect("a file");
        let words = [
            "a2lint",
            "check",
            "--isolated",
            "--no-cache",
            "-q",
            &path("a.py"),
            &path("b.py"),
        ];
        let Command::Check(args) = Args::parse_from(words).command else {
            panic!("not a check");
        };
        let configs = Configs::new(
            Box::new(|_, _| Err(std::io::ErrorKind::NotFound.into())),
            a2lint_lint::config::Origin::Isolated,
            a2lint_lint::config::Options::default(),
            folder.path().to_owned(),
        );
        let streams = Streams::new(ColorChoice::Never);
        let outcome = check_all_with(defective, &args, &Arc::new(configs), &streams);
        let outcome = outcome.expect("an outcome");
        assert_eq!(outcome.status, Status::Internal);
        assert_eq!(outcome.files.len(), 2);
        let broken = &outcome.files[0].report;
        let reason = &broken.analysis.not_analysed[0].reason;
        let wanted = "internal error: kernel `unlucky`: rule `dup-coverage`: no such lane (";
        assert!(reason.starts_with(wanted), "{reason}");
        assert!(outcome.files[1].report.analysis.not_analysed.is_empty());
    }
}
