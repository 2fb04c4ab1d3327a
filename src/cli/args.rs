//! Options.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};

use super::eval::EvalArgs;
use super::run::RunArgs;
use crate::check::matches;
use crate::device::{DEVICES, Device};
use crate::rules::{Group, RULES};

/// Static checker for Ascend A2 kernels.
#[derive(Debug, Parser)]
#[command(name = "a2lint", version, max_term_width = 100)]
pub struct Args {
    /// When to colour output.
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub color: ColorChoice,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check kernel files.
    Check(CheckArgs),
    /// Run a kernel on the embedded machine.
    Run(RunArgs),
    /// List the rules.
    Rules(RulesArgs),
    /// Show the documentation of rules.
    Explain(ExplainArgs),
    /// Draw the memory map of kernels.
    Mem(MemArgs),
    /// Show what a mask instruction selects.
    Eval(EvalArgs),
    /// Show the instruction program that kernels are traced into.
    Trace(TraceArgs),
    /// Serve an editor on standard input and output.
    Lsp,
}

/// When to colour output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Options of `check`.
#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    /// Files and directories, `-` for standard input [default: the current directory].
    ///
    /// Directories are walked: files that .gitignore names, hidden ones and symbolic links are
    /// left out, and so is every Python file that does not import easyasc and every C++ or CUDA
    /// file without a mask instruction. Files named here are always checked.
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// The name that standard input goes by.
    #[arg(long, value_name = "FILE")]
    pub stdin_filename: Option<PathBuf>,
    /// How findings are shown.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub output_format: CheckFormat,
    /// Write findings to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output_file: Option<PathBuf>,
    /// Run these rules alone (names, codes or prefixes of codes).
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule_pattern)]
    pub select: Vec<String>,
    /// Run these rules too.
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule_pattern)]
    pub extend_select: Vec<String>,
    /// Do not run these rules.
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule_pattern)]
    pub ignore: Vec<String>,
    /// Run pedantic rules too.
    #[arg(long)]
    pub pedantic: bool,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub device: DeviceArg,
    /// Exit with 0 even when there are findings.
    #[arg(long)]
    pub exit_zero: bool,
    /// Fail on warnings too.
    #[arg(long)]
    pub error_on_warning: bool,
    /// Number of threads [default: one per core].
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// Show findings alone, without the summary.
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Name every checked file.
    #[arg(short, long)]
    pub verbose: bool,
}

/// `--device`.
#[derive(Debug, clap::Args)]
pub struct DeviceArg {
    /// The device that kernels are meant for.
    #[arg(long, value_name = "DEVICE", default_value = Device::default().name, value_parser = device_parser())]
    pub device: Device,
}

/// Formats of `check`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// With source lines.
    #[default]
    Full,
    /// One line each.
    Concise,
    /// One JSON object.
    Json,
}

/// Options of `rules`.
#[derive(Debug, clap::Args)]
pub struct RulesArgs {
    /// How the table is shown.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub output_format: RulesFormat,
}

/// Formats of `rules`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum RulesFormat {
    /// For people.
    #[default]
    Full,
    /// One JSON object.
    Json,
    /// Markdown tables.
    Markdown,
}

/// Options of `explain`.
#[derive(Debug, clap::Args)]
pub struct ExplainArgs {
    /// Names, codes or prefixes of codes.
    #[arg(required = true, value_name = "RULE", value_delimiter = ',', value_parser = rule_pattern)]
    pub rules: Vec<String>,
}

/// Options of `mem`.
#[derive(Debug, clap::Args)]
pub struct MemArgs {
    /// A file, or one of its kernels.
    #[arg(value_name = "FILE[::KERNEL]")]
    pub target: String,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub device: DeviceArg,
}

/// Options of `trace`.
#[derive(Debug, clap::Args)]
pub struct TraceArgs {
    /// A file, or one of its kernels.
    #[arg(value_name = "FILE[::KERNEL]")]
    pub target: String,
}

fn device_parser() -> impl TypedValueParser<Value = Device> {
    PossibleValuesParser::new(DEVICES.iter().map(|device| device.name))
        .map(|name| Device::from_name(&name).expect("only names of devices pass"))
}

/// Accepts what selects a rule, or starts the codes of a group.
fn rule_pattern(text: &str) -> Result<String, String> {
    let text = text.trim();
    let prefix = text.to_ascii_uppercase();
    let is_group = |group: &Group| !prefix.is_empty() && group.prefix.starts_with(&prefix);
    if RULES.iter().any(|rule| matches(rule, text)) || Group::ALL.iter().any(is_group) {
        return Ok(text.to_owned());
    }
    let hint = match nearest(text, rule_spellings()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`a2lint rules` lists them".to_owned(),
    };
    Err(format!("no such rule; {hint}"))
}

/// Everything that names a rule or a group.
fn rule_spellings() -> impl Iterator<Item = &'static str> {
    let rules = RULES.iter().flat_map(|rule| [rule.name, rule.code]);
    rules.chain(Group::ALL.iter().map(|group| group.prefix))
}

/// The candidate that `text` most likely means, if one is near enough.
pub fn nearest<'a>(text: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let text = text.to_lowercase();
    let likeness = |candidate: &str| strsim::jaro_winkler(&text, &candidate.to_lowercase());
    candidates
        .map(|candidate| (likeness(candidate), candidate))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_sound() {
        Args::command().debug_assert();
    }

    #[test]
    fn rules_go_by_name_code_or_prefix() {
        for text in ["l0c-overflow", "CAP001", "cap0", "SYN", " CAP "] {
            assert_eq!(rule_pattern(text), Ok(text.trim().to_owned()));
        }
        let error = rule_pattern("l0c-overfow").unwrap_err();
        assert_eq!(error, "no such rule; did you mean `l0c-overflow`?");
        assert!(rule_pattern("zzz").is_err());
        assert!(rule_pattern("").is_err());
    }
}
