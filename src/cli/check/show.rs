//! `--show-settings` and `--show-files`.

use std::path::{Path, PathBuf};

use super::args::CheckArgs;
use super::engine::Outcome;
use crate::cli::output::Streams;
use crate::cli::{Failure, Status, files};
use a2lint_lint::config::{Config, Configs};
use a2lint_report::printable;

/// Prints the settings of the folders that the arguments name.
pub fn settings(args: &CheckArgs, configs: &Configs, streams: &Streams) -> Result<Status, Failure> {
    let here = [PathBuf::from(".")];
    let paths = match args.paths.is_empty() {
        true => &here[..],
        false => &args.paths,
    };
    let mut texts: Vec<String> = Vec::new();
    for path in paths {
        let path = match path.as_os_str() == "-" {
            true => args.stdin_filename.as_deref().unwrap_or(Path::new("-")),
            false => path,
        };
        let absolute = files::absolute(path);
        let config = match absolute.is_dir() {
            true => configs.of_folder(&absolute)?,
            false => configs.of_file(&absolute)?,
        };
        let text = text(&config);
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    streams.write(&texts.join("\n"))?;
    Ok(Status::Clean)
}

fn text(config: &Config) -> String {
    let origin = match &config.path {
        Some(path) => format!("# from {}\n", printable(&files::shown(path))),
        None => "# no configuration file\n".to_owned(),
    };
    let options = config.options.clone().with_defaults();
    let options = toml::to_string(&options).expect("options came from TOML or could have");
    origin + &options
}

/// Prints the paths of the checked files.
pub fn files(outcome: &Outcome, streams: &Streams) -> Result<Status, Failure> {
    let lines = outcome
        .files
        .iter()
        .map(|file| format!("{}\n", printable(&file.report.path)));
    streams.write(&lines.collect::<String>())?;
    Ok(outcome.status)
}
