//! Texts about the command line itself: schema, completions, manual page.

use clap::CommandFactory;
use clap_complete::Shell;

use super::args::Args;
use super::output::Streams;
use super::{Failure, Status};
use a2lint_lint::config;

/// Prints the schema of the configuration: `a2lint config-schema`.
pub fn config_schema(streams: &Streams) -> Result<Status, Failure> {
    streams.write(&config::schema())?;
    Ok(Status::Clean)
}

/// Prints shell completions: `a2lint completions`.
pub fn completions(shell: Shell, streams: &Streams) -> Result<Status, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "a2lint", &mut text);
    streams.write(&String::from_utf8_lossy(&text))?;
    Ok(Status::Clean)
}

/// Prints the manual page with those of all subcommands: `a2lint man`.
pub fn man(streams: &Streams) -> Result<Status, Failure> {
    let mut command = Args::command();
    command.build();
    let mut text = Vec::new();
    let pages = command
        .get_subcommands()
        .filter(|sub| sub.get_name() != "help");
    let pages: Vec<_> = std::iter::once(command.clone())
        .chain(pages.cloned())
        .collect();
    for page in pages {
        // Writing to memory does not fail.
        let _ = clap_mangen::Man::new(page).render(&mut text);
    }
    streams.write(&String::from_utf8_lossy(&text))?;
    Ok(Status::Clean)
}
