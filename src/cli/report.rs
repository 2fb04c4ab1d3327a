//! `a2lint report`.

use std::path::{Path, PathBuf};

use super::check::write_file;
use super::output::Streams;
use super::run::{InputArgs, LimitArgs};
use super::{Failure, Status};
use crate::check::{self, Conclusion};
use crate::files;
use crate::language::Language;
use crate::report::html;
use crate::run::{Job, Questions, bind, kernel};
use crate::target::Target;

/// Options of `report`.
#[derive(Debug, clap::Args)]
pub struct ReportArgs {
    /// A file, or one of its kernels.
    #[arg(value_name = "FILE[::KERNEL]")]
    pub target: String,
    /// The page [default: KERNEL.html].
    #[arg(short, long, value_name = "FILE.html")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub inputs: InputArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub limits: LimitArgs,
}

/// Writes a page about a kernel.
pub fn run(args: &ReportArgs, streams: &Streams) -> Result<Status, Failure> {
    let target = Target::open(&args.target)?;
    let program = kernel(&target)?;
    let bound = bind(
        &target,
        program,
        &args.inputs.arguments(),
        args.limits.max_memory,
        false,
    )?;
    let known = checked(&args.target, &target)?;
    let questions = Questions::default();
    let limits = args.limits.limits();
    let job = Job::of(&target, program, &bound, &questions, limits);
    let page = html::page(&job, &known, &mut ());
    let default = || PathBuf::from(format!("{}.html", file_name(&program.name)));
    let path = args.output.clone().unwrap_or_else(default);
    write_file(&path, &page)?;
    let size = page.len() / 1024;
    streams.remark(&format!("{} ({size} KB)\n", files::shown(&path)));
    Ok(Status::Clean)
}

/// What is found and proved in the file.
fn checked(path: &str, target: &Target) -> Result<Conclusion, Failure> {
    let path = path.rsplit_once("::").map_or(path, |(path, _)| path);
    let source = files::read_source(Path::new(path))?;
    let mut settings = target.settings.clone();
    settings.prove = true;
    let analysis = check::check(&source, Language::Easyasc, &settings);
    Ok(Conclusion {
        findings: analysis.findings,
        records: analysis.records,
        excess: 0,
    })
}

/// A name that files may have: a kernel of a factory is called `build[T=64]`.
fn file_name(kernel: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-.=".contains(c);
    kernel
        .chars()
        .map(|c| if is_plain(c) { c } else { '_' })
        .collect()
}
