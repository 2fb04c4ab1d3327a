//! Launches: scalars get parameter names, comments become launches.

use crate::ir::{Launch, LaunchTensor, ParamKind, Program, TensorInit};
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
            let scalars = parse(&comment.text)?;
            let program = kernel_below(source, comment.span, programs)?;
            let tensors = program
                .params
                .iter()
                .filter(|param| matches!(param.kind, ParamKind::Global(_)))
                .map(|_| LaunchTensor {
                    dtype: None,
                    shape: None,
                    spelled: Vec::new(),
                    init: TensorInit::Normal,
                })
                .collect();
            Some(Launch {
                kernel: program.name.clone(),
                tensors,
                scalars,
                span: comment.span,
            })
        })
        .collect()
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

/// The bindings of a launch comment; `None` where the comment is something else.
fn parse(comment: &str) -> Option<Vec<(String, f64)>> {
    let text = comment.trim_start_matches('#').trim();
    let inner = text
        .strip_prefix("a2lint:")?
        .trim()
        .strip_prefix("launch(")?
        .trim_end()
        .strip_suffix(')')?;
    inner
        .split(',')
        .map(str::trim)
        .filter(|binding| !binding.is_empty())
        .map(|binding| {
            let (name, value) = binding.split_once('=')?;
            let value = value.trim().replace('_', "");
            Some((name.trim().to_owned(), value.parse().ok()?))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_bind_numbers() {
        let bindings = parse("# a2lint: launch(M=1_280, scale=0.5)").unwrap();
        assert_eq!(bindings, [("M".into(), 1280.0), ("scale".into(), 0.5)]);
        assert_eq!(parse("# a2lint: ignore[dup-coverage]"), None);
        assert_eq!(parse("# a2lint: launch(M=many)"), None);
    }
}
