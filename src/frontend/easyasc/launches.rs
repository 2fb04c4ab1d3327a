//! Launches: scalars get parameter names, comments become launches.

use crate::ir::{Argument, GivenLaunch, Launch, ParamKind, Program};
use crate::syntax::python::ast;
use crate::text::{SourceText, Span};

/// Gives scalar arguments, which arrive by position, the names of their parameters.
pub(super) fn bind(programs: &[Program], mut launches: Vec<Launch>) -> Vec<Launch> {
    for launch in &mut launches {
        let Some(program) = programs
            .iter()
            .find(|program| program.name == launch.kernel)
        else {
            continue;
        };
        let scalars = program
            .params
            .iter()
            .filter(|param| !matches!(param.kind, ParamKind::Global(_)));
        for (argument, param) in launch.scalars.iter_mut().zip(scalars) {
            argument.0.clone_from(&param.name);
        }
    }
    launches.retain(|launch| programs.iter().any(|program| program.name == launch.kernel));
    launches
}

/// `# a2lint: launch(M=1280, N=64)` above a kernel.
pub(super) fn from_comments(
    source: &SourceText,
    file: &ast::File,
    programs: &[Program],
) -> Vec<Launch> {
    file.comments
        .iter()
        .filter_map(|comment| {
            let arguments = parse(&comment.text)?;
            let program = kernel_below(source, comment.span, programs)?;
            let kernel = program.name.clone();
            let given = GivenLaunch { kernel, arguments };
            Some(given.of(program, Some(comment.span)))
        })
        .collect()
}

/// Launches of the configuration that are of these kernels.
pub(super) fn from_configuration(given: &[GivenLaunch], programs: &[Program]) -> Vec<Launch> {
    let of_kernel = |given: &GivenLaunch| {
        let mut programs = programs.iter();
        let program = programs.find(|program| program.name == given.kernel)?;
        Some(given.of(program, None))
    };
    given.iter().filter_map(of_kernel).collect()
}

/// The kernel whose definition follows a comment, with comments and blank lines between at most.
fn kernel_below<'p>(
    source: &SourceText,
    comment: Span,
    programs: &'p [Program],
) -> Option<&'p Program> {
    let program = programs
        .iter()
        .find(|program| program.span.start >= comment.end)?;
    let between = source.slice(Span {
        start: comment.end,
        end: program.span.start,
    });
    let only_comments = between
        .lines()
        .map(str::trim)
        .all(|line| line.is_empty() || line.starts_with('#'));
    only_comments.then_some(program)
}

/// The arguments of a launch comment; `None` where the comment is something else.
fn parse(comment: &str) -> Option<Vec<(String, Argument)>> {
    let text = comment.trim_start_matches('#').trim();
    let inner = text
        .strip_prefix("a2lint:")?
        .trim()
        .strip_prefix("launch(")?
        .trim_end()
        .strip_suffix(')')?;
    let arguments = outside_brackets(inner).into_iter().map(str::trim);
    arguments
        .filter(|argument| !argument.is_empty())
        .map(|argument| {
            let (name, value) = argument.split_once('=')?;
            Some((name.trim().to_owned(), value.parse().ok()?))
        })
        .collect()
}

/// The parts of a text between commas that no bracket encloses.
fn outside_brackets(text: &str) -> Vec<&str> {
    let mut depth = 0usize;
    let parts = text.split(|c| {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_bind_numbers_and_tensors() {
        let arguments = parse("# a2lint: launch(M=1_280, x=half[M, 64], scale=0.5)").unwrap();
        let names: Vec<&str> = arguments.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["M", "x", "scale"]);
        assert_eq!(arguments[0].1, Argument::Number(1280.0));
        assert_eq!(arguments[1].1, "half[M, 64]".parse().unwrap());
        assert_eq!(parse("# a2lint: ignore[dup-coverage]"), None);
        assert_eq!(parse("# a2lint: launch(M=many)"), None);
    }
}
