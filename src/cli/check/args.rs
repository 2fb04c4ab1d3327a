//! Options of `check`. Doc comments of options are the texts of `--help`.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use clap::builder::FalseyValueParser;

use crate::cli::args::{device_parser, rule_pattern, threads};
use a2lint_ir::verdict::Property;
use a2lint_isa::device::Device;
use a2lint_lint::config::{
    ConfigError, DeviceName, Level, Options, Origin, ReplayWork, RulePattern, parse,
};

/// Parses the name of a property.
pub fn property(name: &str) -> Result<Property, String> {
    let mut all = Property::ALL.into_iter();
    let names = || Property::ALL.map(Property::name).join(", ");
    all.find(|property| property.name() == name)
        .ok_or_else(|| format!("the properties are {}", names()))
}

/// Options of `check`.
#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    /// Files and directories, `-` for standard input [default: the current directory].
    ///
    /// Directories are walked: files that .gitignore names, hidden ones and symbolic links are
    /// left out, and so are Python files that import neither easyasc nor Ascriptor and other files
    /// with neither an AscendC kernel nor a mask instruction. Files named here are always checked,
    /// unless the configuration excludes them.
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// The name that standard input goes by.
    #[arg(long, value_name = "FILE")]
    pub stdin_filename: Option<PathBuf>,
    /// How findings are shown.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    #[arg(alias = "format")]
    #[arg(help_heading = "Output")]
    pub output_format: CheckFormat,
    /// Write findings to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    #[arg(help_heading = "Output")]
    pub output_file: Option<PathBuf>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub rules: RuleArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub edits: EditArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub baseline: BaselineArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub config: ConfigArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub cache: CacheArgs,
    /// Count findings per rule instead of showing them.
    #[arg(long, conflicts_with_all = ["fix", "diff", "watch"])]
    #[arg(help_heading = "Output")]
    pub statistics: bool,
    /// Check again whenever a file changes.
    #[arg(short, long, conflicts_with_all = ["diff", "add_ignore", "output_file", "write_baseline"])]
    #[arg(help_heading = "Output")]
    pub watch: bool,
    /// Exit with 0 even when there are findings.
    #[arg(long)]
    #[arg(help_heading = "Exit status")]
    pub exit_zero: bool,
    /// Fail on warnings too.
    #[arg(long)]
    #[arg(help_heading = "Exit status")]
    pub error_on_warning: bool,
    /// Fail if something was not looked at.
    ///
    /// That is so where a file or a kernel was not analysed, code of a kernel could not be
    /// evaluated, nothing launches it, or a launch did not run to its end.
    #[arg(long)]
    #[arg(help_heading = "Exit status")]
    pub require_complete: bool,
    /// Fail if a property of a kernel is not proved, with or without preconditions [default: any of them].
    #[arg(
        long,
        value_name = "PROPERTY",
        value_delimiter = ',',
        num_args = 0..=1,
        require_equals = true,
        value_parser = property
    )]
    #[arg(help_heading = "Exit status")]
    pub require_proof: Option<Vec<Property>>,
    /// Number of threads [default: one per core].
    #[arg(short, long, value_name = "N", value_parser = threads)]
    #[arg(help_heading = "Runs and proofs")]
    pub jobs: Option<NonZeroUsize>,
    /// Show findings alone, without the summary.
    #[arg(short, long, conflicts_with = "verbose")]
    #[arg(help_heading = "Output")]
    pub quiet: bool,
    /// Name every checked file, and show what is known of each kernel.
    #[arg(short, long)]
    #[arg(help_heading = "Output")]
    pub verbose: bool,
}

/// Which rules run, and how serious they are.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Rules")]
pub struct RuleArgs {
    /// Run these rules alone (names, codes or prefixes of codes).
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule_pattern)]
    pub select: Vec<RulePattern>,
    /// Run these rules too.
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule_pattern)]
    pub extend_select: Vec<RulePattern>,
    /// Do not run these rules.
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule_pattern)]
    pub ignore: Vec<RulePattern>,
    /// Make findings of these rules errors.
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule_pattern)]
    pub error: Vec<RulePattern>,
    /// Make findings of these rules warnings.
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule_pattern)]
    pub warn: Vec<RulePattern>,
    /// Run pedantic rules too.
    #[arg(long)]
    pub pedantic: bool,
    /// Do not run kernels on the embedded machine.
    ///
    /// Findings that are proven stay; possible ones are not confirmed by a run.
    #[arg(long)]
    #[arg(help_heading = "Runs and proofs")]
    pub no_replay: bool,
    /// Work that the replays of one file may do together, or `unlimited` [default: 1600000].
    ///
    /// One unit is about a repeat of a vector instruction. A launch that takes more is replayed at
    /// smaller sizes.
    #[arg(long, value_name = "N")]
    #[arg(help_heading = "Runs and proofs")]
    pub work: Option<ReplayWork>,
    /// Value of a scalar parameter or a symbolic extent, in place of what launches give.
    #[arg(long, value_name = "NAME=VALUE", value_parser = a2lint_run::spec::binding)]
    #[arg(help_heading = "Runs and proofs")]
    pub bind: Vec<(String, f64)>,
    /// The device that kernels are meant for [default: b3].
    #[arg(long, value_name = "DEVICE", value_parser = device_parser())]
    #[arg(help_heading = "Runs and proofs")]
    pub device: Option<Device>,
}

/// What is written into the checked files.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Fixes and suppressions")]
pub struct EditArgs {
    /// Apply the fixes that keep the author's meaning.
    #[arg(long)]
    pub fix: bool,
    /// Apply all fixes, those too that the author should read.
    #[arg(long)]
    pub unsafe_fixes: bool,
    /// Show what --fix would change, and fail if it would change anything.
    #[arg(long, conflicts_with = "fix")]
    pub diff: bool,
    /// Silence every finding with an ignore comment that gives this reason.
    #[arg(long, value_name = "REASON", conflicts_with_all = ["fix", "diff"])]
    pub add_ignore: Option<String>,
}

/// Findings that are known.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Baseline")]
pub struct BaselineArgs {
    /// Hide the findings that this file counts.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write what is found into the baseline.
    #[arg(long)]
    pub write_baseline: bool,
    /// Take out of the baseline what is no longer found.
    #[arg(long, conflicts_with = "write_baseline")]
    pub prune_baseline: bool,
}

/// Where the configuration comes from.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Configuration")]
pub struct ConfigArgs {
    /// A configuration file, which is used for every folder, or a setting that beats all files.
    #[arg(long, value_name = "FILE | KEY = VALUE")]
    pub config: Vec<String>,
    /// Read no configuration file.
    #[arg(long)]
    pub isolated: bool,
    /// Leave out files that the configuration excludes even when they are named [default].
    #[arg(long, overrides_with = "no_force_exclude")]
    pub force_exclude: bool,
    /// Check files that are named although the configuration excludes them.
    #[arg(long, overrides_with = "force_exclude")]
    pub no_force_exclude: bool,
    /// Show the settings that hold for the files, and stop.
    #[arg(long)]
    pub show_settings: bool,
    /// Show the files that would be checked, and stop.
    #[arg(long)]
    pub show_files: bool,
}

/// Results of earlier checks.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Cache")]
pub struct CacheArgs {
    /// Check every file again, and keep no results.
    #[arg(long, env = "A2LINT_NO_CACHE", value_parser = FalseyValueParser::new())]
    pub no_cache: bool,
    /// The folder that results are kept in [default: .a2lint_cache in the root of the project].
    #[arg(long, value_name = "DIR", env = "A2LINT_CACHE_DIR")]
    pub cache_dir: Option<PathBuf>,
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
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Annotations of GitHub Actions.
    Github,
    /// A code quality report of GitLab.
    Gitlab,
    /// JUnit XML, for CI systems that show tests.
    Junit,
    /// One line each with all that a coding agent needs.
    Agent,
}

impl CheckArgs {
    /// Returns the settings that the options override, and where configuration files are read from.
    pub fn overrides(&self) -> Result<(Options, Origin), ConfigError> {
        let mut options = self.rules.options();
        let mut origin = match self.config.isolated {
            true => Origin::Isolated,
            false => Origin::Nearest,
        };
        for text in &self.config.config {
            match text.contains('=') && !Path::new(text).is_file() {
                true => {
                    let inline = parse(Path::new("--config"), text)?.unwrap_or_default();
                    options = options.over(inline);
                }
                false => origin = Origin::File(PathBuf::from(text)),
            }
        }
        if let Some(path) = &self.baseline.baseline {
            options.baseline = Some(path.to_string_lossy().into_owned());
        }
        Ok((options, origin))
    }
}

impl RuleArgs {
    fn options(&self) -> Options {
        let list = |rules: &Vec<RulePattern>| (!rules.is_empty()).then(|| rules.clone());
        let warn = self.warn.iter().map(|rule| (rule.clone(), Level::Warn));
        let error = self.error.iter().map(|rule| (rule.clone(), Level::Error));
        let levels: BTreeMap<RulePattern, Level> = warn.chain(error).collect();
        Options {
            select: list(&self.select),
            extend_select: list(&self.extend_select),
            ignore: list(&self.ignore),
            pedantic: self.pedantic.then_some(true),
            device: self.device.map(DeviceName),
            replay: self.no_replay.then_some(false),
            replay_work: self.work,
            bindings: self.bind.clone(),
            rules: (!levels.is_empty()).then_some(levels),
            ..Options::default()
        }
    }
}
