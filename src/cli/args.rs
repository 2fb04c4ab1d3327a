//! The commands and options of the command line. Doc comments of options are the texts of `--help`.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::Path;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use super::check::CheckArgs;
use super::compare::CompareArgs;
use super::cost::CostArgs;
use super::debug::DebugArgs;
use super::eval::EvalArgs;
use super::init::InitArgs;
use super::prove::ProveArgs;
use super::report::ReportArgs;
use super::run::RunArgs;
use super::test::TestArgs;
use a2lint_isa::device::{DEVICES, Device};
use a2lint_lint::check::Settings;
use a2lint_lint::config::RulePattern;
use a2lint_source::language::Language;

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

/// The exit statuses of the commands that check.
const CHECK_STATUS: &str = "Exit status: 0 nothing to fail on, 1 findings, 2 unusable options, configuration or input, \
                            101 a defect of a2lint.";

/// Commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check kernel files.
    #[command(after_help = CHECK_STATUS)]
    Check(Box<CheckArgs>),
    /// Show what is proved of kernels, for every launch or under which preconditions.
    #[command(after_help = CHECK_STATUS)]
    Prove(Box<ProveArgs>),
    /// Run a kernel on the embedded machine.
    #[command(
        after_help = "Exit status: 0 the run ended and agrees with what was expected, 1 a finding, a deadlock or a \
                            difference, 2 it cannot be run or relied on, 101 a defect of a2lint."
    )]
    Run(Box<RunArgs>),
    /// Try laws on a kernel that hold whatever it computes: no reference is needed.
    #[command(
        after_help = "Exit status: 0 no law is violated, 1 a law is violated, 2 a kernel could not be tried, \
                            101 a defect of a2lint."
    )]
    Test(Box<TestArgs>),
    /// Compare two versions of a kernel: results, errors, proofs, findings, time.
    ///
    /// Both run under the launches of either file with the same contents. Fails if NEW computes anything else, loses a
    /// proof or a number, is less accurate, has a new error, or if something could not be compared.
    #[command(
        after_help = "Exit status: 0 NEW is as good or better, 1 it is worse or could not be compared in part, \
                            2 unusable options or input, 101 a defect of a2lint."
    )]
    Compare(Box<CompareArgs>),
    /// Step through a kernel in a terminal, forwards and backwards.
    Debug(Box<DebugArgs>),
    /// Estimate what kernels take on the device, and compare variants and sizes.
    Cost(Box<CostArgs>),
    /// Write a page about a kernel: findings, memory over time, pipes, tiles.
    Report(Box<ReportArgs>),
    /// Write a configuration, a pre-commit hook and a CI workflow into a project.
    Init(InitArgs),
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
    /// Serve a debugger on standard input and output, by the Debug Adapter Protocol.
    Dap,
    /// Serve a coding agent on standard input and output, by the Model Context Protocol.
    Mcp,
    /// Print the JSON Schema of the configuration.
    ConfigSchema,
    /// Print shell completions.
    Completions {
        /// The shell.
        #[arg(value_name = "SHELL")]
        shell: Shell,
    },
    /// Print the manual page.
    Man,
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

/// `--device`.
#[derive(Debug, clap::Args)]
pub struct DeviceArg {
    /// The device that kernels are meant for [default: what the configuration says, else b3].
    #[arg(long, value_name = "DEVICE", value_parser = device_parser())]
    pub device: Option<Device>,
}

impl DeviceArg {
    /// Returns the device of the option, or that of the configuration.
    pub fn or(&self, settings: &Settings) -> Device {
        self.device.unwrap_or(settings.trace.device)
    }
}

/// Options of `rules`.
#[derive(Debug, clap::Args)]
pub struct RulesArgs {
    /// How the table is shown.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    #[arg(alias = "format")]
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
    pub rules: Vec<RulePattern>,
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

/// Returns the first word before `--` that looks like an option but is a source file in the working directory. Such a
/// file gets on the command line when a tool, such as a commit hook, passes the names of all files of a repository.
pub fn file_among_options(words: impl IntoIterator<Item = OsString>) -> Option<OsString> {
    let mut words = words.into_iter().take_while(|word| word != "--");
    words.find(|word| {
        let path = Path::new(word);
        let is_option = word.as_encoded_bytes().starts_with(b"-");
        is_option && Language::of_path(path).is_some() && path.symlink_metadata().is_ok()
    })
}

pub fn device_parser() -> impl TypedValueParser<Value = Device> {
    PossibleValuesParser::new(DEVICES.iter().map(|device| device.name))
        .map(|name| Device::from_name(&name).expect("only names of devices pass"))
}

/// Parses a number of threads.
pub fn threads(text: &str) -> Result<NonZeroUsize, String> {
    text.parse()
        .map_err(|_| "expected a number of threads, at least 1".to_owned())
}

/// Parses a rule pattern, with the syntax of the configuration file.
pub fn rule_pattern(text: &str) -> Result<RulePattern, String> {
    RulePattern::try_from(text.to_owned())
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
            let pattern = rule_pattern(text).expect(text);
            assert_eq!(pattern.as_str(), text.trim());
        }
        let error = rule_pattern("l0c-overfow").unwrap_err();
        assert_eq!(
            error,
            "no rule is called `l0c-overfow`; did you mean `l0c-overflow`?"
        );
        assert!(rule_pattern("zzz").is_err());
        assert!(rule_pattern("").is_err());
    }
}
