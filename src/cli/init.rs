//! `a2lint init`: writes a configuration, a hook for pre-commit and a workflow for GitHub Actions into a project.

use std::path::{Path, PathBuf};

use super::output::Streams;
use super::{Failure, Status, files};
use a2lint_lint::config::OWN_FILE;
use a2lint_report::printable;
use a2lint_source::disk;

/// Options of `init`.
#[derive(Debug, clap::Args)]
pub struct InitArgs {
    /// The root of the project [default: the current directory].
    #[arg(value_name = "FOLDER", default_value = ".", hide_default_value = true)]
    pub folder: PathBuf,
    /// Say what would be written, and write nothing.
    #[arg(long)]
    pub dry_run: bool,
}

/// A file that `init` writes.
struct Template {
    /// The path in the project.
    path: &'static str,
    /// What the file does, in a few words.
    does: &'static str,
    text: &'static str,
    /// The lines that an existing file needs to do the same; empty if it is complete without them.
    addition: &'static str,
}

const CONFIGURATION: &str = "\
# Configuration of a2lint. Every key is optional; `a2lint config-schema` lists all of them, and
# `a2lint check --show-settings` shows what holds.

# The device that kernels are meant for.
# device = \"b3\"

# Names and patterns of files and folders that are not checked.
# exclude = [\"third_party\"]

# Rules that are not run, by name, code or prefix of codes.
# ignore = []

# Findings that were there before: a2lint check --baseline a2lint-baseline.json --write-baseline
# baseline = \"a2lint-baseline.json\"
";

/// The hook takes the a2lint on the path, which is the one that wrote it.
const HOOKS: &str = "\
repos:
  - repo: local
    hooks:
      - id: a2lint
        name: a2lint
        language: system
        entry: a2lint check --force-exclude --
        files: '\\.(py|cpp|cc|h|hpp|cce|asc|cu|cuh|pto|mlir|ptx)$'
        types: [text]
        require_serial: true
";

const WORKFLOW: &str = "\
name: a2lint
on:
  push:
  pull_request:
permissions: {}
concurrency:
  group: a2lint-${{ github.ref }}
  cancel-in-progress: ${{ github.event_name == 'pull_request' }}
jobs:
  check:
    name: Kernels
    runs-on: ubuntu-latest
    permissions:
      contents: read
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
        with:
          persist-credentials: false
      # A2LINT is what pip installs: a checkout, a wheel, or an address such as git+https://…@REVISION. Set it as a
      # variable of the repository.
      - name: Install a2lint
        env:
          A2LINT: ${{ vars.A2LINT }}
        run: pip install \"$A2LINT\"
      - name: Check kernels
        run: a2lint check --output-format github
";

const TEMPLATES: [Template; 3] = [
    Template {
        path: OWN_FILE,
        does: "the configuration",
        text: CONFIGURATION,
        addition: "",
    },
    Template {
        path: ".pre-commit-config.yaml",
        does: "a hook: `pre-commit install` runs a2lint before each commit",
        text: HOOKS,
        addition: HOOKS,
    },
    Template {
        path: ".github/workflows/a2lint.yml",
        does: "a workflow of GitHub Actions; set the variable A2LINT to what pip is to install",
        text: WORKFLOW,
        addition: "",
    },
];

/// What happened to a file.
enum Outcome {
    Written,
    /// It exists, or what it would say is elsewhere, and is left as it is.
    Kept(&'static str),
}

/// Writes the files that do not exist, and says what was written.
pub fn run(args: &InitArgs, streams: &Streams) -> Result<Status, Failure> {
    let mut out = String::new();
    let mut is_new = false;
    for template in &TEMPLATES {
        let path = args.folder.join(template.path);
        let shown = files::shown(&path);
        let outcome =
            write(&args.folder, template, args.dry_run).map_err(|cause| Failure::Output {
                path: shown.clone(),
                cause,
            })?;
        let shown = printable(&shown);
        match outcome {
            Outcome::Written => {
                is_new = true;
                let verb = if args.dry_run { "would write" } else { "wrote" };
                out += &format!("{verb} {shown}: {}\n", template.does);
            }
            Outcome::Kept(why) => out += &format!("kept {shown}: {why}\n{}", addition(template)),
        }
    }
    if is_new && !args.dry_run {
        out += "next: a2lint check\n";
    }
    streams.write(&out)?;
    Ok(Status::Clean)
}

/// Writes a file unless it exists.
fn write(folder: &Path, template: &Template, dry_run: bool) -> std::io::Result<Outcome> {
    let path = folder.join(template.path);
    if !folder.is_dir() {
        return Err(std::io::Error::other("its folder does not exist"));
    }
    // A broken link exists as well: it is not followed.
    if path.symlink_metadata().is_ok() {
        return Ok(Outcome::Kept("it exists"));
    }
    if template.path == OWN_FILE && has_table(&folder.join("pyproject.toml")) {
        return Ok(Outcome::Kept(
            "`[tool.a2lint]` in pyproject.toml is the configuration",
        ));
    }
    if dry_run {
        return Ok(Outcome::Written);
    }
    match disk::create_new(&path, template.text)? {
        true => Ok(Outcome::Written),
        false => Ok(Outcome::Kept("it exists")),
    }
}

/// Returns whether a file in TOML has a table of a2lint.
fn has_table(path: &Path) -> bool {
    let text = disk::text(path, files::MAX_BYTES).unwrap_or_default();
    let mut lines = text.lines().map(str::trim_start);
    lines.any(|line| line.starts_with("[tool.a2lint"))
}

/// Renders the lines to add to an existing file, indented.
fn addition(template: &Template) -> String {
    let lines = template
        .addition
        .lines()
        .map(|line| format!("    {line}\n"));
    match template.addition {
        "" => String::new(),
        _ => format!("  add to it:\n{}", lines.collect::<String>()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_configuration_is_valid_with_and_without_its_comments() {
        let bare: String = CONFIGURATION
            .lines()
            .filter_map(|line| line.strip_prefix("# ").filter(|rest| rest.contains(" = ")))
            .map(|line| format!("{line}\n"))
            .collect();
        assert!(bare.lines().count() > 3, "{bare}");
        for text in [CONFIGURATION, &bare] {
            a2lint_lint::config::parse(Path::new(OWN_FILE), text).expect("a configuration");
        }
    }
}
