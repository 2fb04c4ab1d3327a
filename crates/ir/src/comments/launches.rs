//! Launches that comments and configurations give.

use std::collections::BTreeSet;

use crate::{
    Argument, Extent, GivenLaunch, Launch, LaunchFault, Module, Note, NoteKind, OriginId, Param,
    ParamKind, Program,
};
use a2lint_source::text::{Slice, SourceText, Span};

/// Reads the comments `# a2lint: launch(M=1280, N=64)` above kernels.
pub fn from_comments(source: &SourceText, comments: &[Span], module: &mut Module) {
    for &comment in comments {
        let Some(text) = body_of(source, comment, "launch") else {
            continue;
        };
        let program = kernel_below(source, comment, &module.programs);
        match launch_of(source, comment, text, program, &module.launches) {
            Ok(launch) => module.launches.push(launch),
            Err((span, fault)) => {
                let kernel = program.map(|program| program.name.to_string());
                module.notes.push(unusable(span, kernel, false, fault));
            }
        }
    }
}

/// Parses the text of a launch comment. The error says what is wrong with it, and where.
fn launch_of(
    source: &SourceText,
    comment: Span,
    text: Span,
    program: Option<&Program>,
    launches: &[Launch],
) -> Result<Launch, (Span, LaunchFault)> {
    let arguments = parse(source, text)?;
    let program = program.ok_or((text, LaunchFault::NoKernel))?;
    let given = GivenLaunch {
        kernel: program.name.clone(),
        arguments: arguments.iter().map(|it| it.named.clone()).collect(),
    };
    match fault(&given, program, launches) {
        None => Ok(given.of(program, Some(comment))),
        Some((at, fault)) => {
            let place = at.map_or(text, |at| arguments[at].span);
            Err((place, fault))
        }
    }
}

/// Launches of the configuration that are of the kernels of a file.
pub fn from_configuration(given: &[GivenLaunch], module: &mut Module) {
    for given in given {
        let mut programs = module.programs.iter();
        let Some(program) = programs.find(|program| program.name == given.kernel) else {
            continue;
        };
        match fault(given, program, &module.launches) {
            None => module.launches.push(given.of(program, None)),
            Some((_, fault)) => {
                let kernel = Some(program.name.to_string());
                let note = unusable(program.name_span, kernel, true, fault);
                module.notes.push(note);
            }
        }
    }
}

fn unusable(span: Span, kernel: Option<String>, is_configured: bool, fault: LaunchFault) -> Note {
    Note {
        span,
        origin: OriginId(0),
        kind: NoteKind::UnusableLaunch {
            kernel,
            is_configured,
            fault,
        },
    }
}

/// Returns what is wrong with a launch of a kernel, and the position of the argument at fault; `None` if nothing is.
fn fault(
    given: &GivenLaunch,
    program: &Program,
    launches: &[Launch],
) -> Option<(Option<usize>, LaunchFault)> {
    let value = |name: &str| given.arguments.iter().find(|(known, _)| known == name);
    let strangers: Vec<&str> = given.strangers(program).collect();
    let bindable = program.bindable(launches);
    for (at, (name, argument)) in given.arguments.iter().enumerate() {
        let at = Some(at);
        if given.arguments[..at?]
            .iter()
            .any(|(other, _)| other == name)
        {
            return Some((at, LaunchFault::Twice(name.clone())));
        }
        if strangers.contains(&name.as_str()) && !bindable.contains(name.as_str()) {
            let params = program.params.iter().map(|param| param.name.as_str());
            let known: BTreeSet<&str> = params.chain(bindable).collect();
            return Some((
                at,
                LaunchFault::Unknown {
                    name: name.clone(),
                    known: known.into_iter().map(str::to_owned).collect(),
                },
            ));
        }
        let kind = program.params.iter().find(|param| param.name == *name);
        match (kind.map(|param| param.kind), argument) {
            (Some(ParamKind::Global(_)), Argument::Number(_)) => {
                return Some((at, LaunchFault::NumberForTensor(name.clone())));
            }
            (Some(ParamKind::Variable(_)), Argument::Tensor { .. }) => {
                return Some((at, LaunchFault::TensorForNumber(name.clone())));
            }
            (_, Argument::Tensor { extents, .. }) => {
                let is_open =
                    |name: &&String| !matches!(value(name), Some((_, Argument::Number(_))));
                let names = extents.iter().filter_map(|extent| match extent {
                    Extent::Name(name) => Some(name),
                    Extent::Number(_) => None,
                });
                if let Some(open) = names.into_iter().find(is_open) {
                    return Some((at, LaunchFault::Missing(open.clone())));
                }
            }
            _ => {}
        }
    }
    let is_scalar = |param: &&Param| matches!(param.kind, ParamKind::Variable(_));
    let mut scalars = program.params.iter().filter(is_scalar);
    let missing = scalars.find(|param| value(&param.name).is_none())?;
    Some((None, LaunchFault::Missing(missing.name.to_string())))
}

/// Returns the kernel whose definition follows a comment, with nothing but comments and blank lines between.
fn kernel_below<'p>(
    source: &SourceText,
    comment: Span,
    programs: &'p [Program],
) -> Option<&'p Program> {
    let program = programs
        .iter()
        .find(|program| program.span.start >= comment.end)?;
    is_followed_by(source, comment, program).then_some(program)
}

/// Whether the definition of a kernel follows a comment, with comments and blank lines between at most.
pub(super) fn is_followed_by(source: &SourceText, comment: Span, program: &Program) -> bool {
    if program.span.start < comment.end {
        return false;
    }
    let between = source.slice(Span {
        start: comment.end,
        end: program.span.start,
    });
    let mut lines = between.lines().map(str::trim);
    lines.all(|line| line.is_empty() || line.starts_with('#') || line.starts_with("//"))
}

/// Returns the span of an `a2lint:` comment from its keyword to its end; `None` if the comment has another keyword.
pub fn body_of(source: &SourceText, comment: Span, keyword: &str) -> Option<Span> {
    let text = source.slice(comment);
    let inner = text.trim_start_matches(['#', '/']).trim_start();
    let inner = inner.strip_prefix("a2lint:")?.trim_start();
    let rest = inner.strip_prefix(keyword)?;
    let is_word = rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '-');
    let start = comment.start as usize + (text.len() - inner.len());
    (!is_word).then(|| Span::new(start, start + inner.trim_end().len()))
}

/// An argument of a launch comment, with its position.
#[derive(Debug)]
struct Written {
    named: (String, Argument),
    span: Span,
}

/// Parses the arguments of `launch(…)`. Text after the closing bracket is a remark and is ignored.
fn parse(source: &SourceText, text: Span) -> Result<Vec<Written>, (Span, LaunchFault)> {
    let inner = source.slice(text).part("launch".len()..).trim_start();
    let inner = inner.strip_prefix('(');
    let inner = inner.and_then(|inner| Some(inner.part(..inner.find(')')?)));
    let inner = inner.ok_or((text, LaunchFault::Unclosed))?;
    let start = inner.as_ptr() as usize - source.as_str().as_ptr() as usize;
    let mut arguments = Vec::new();
    let mut at = start;
    for part in outside_brackets(inner) {
        let first = at + (part.len() - part.trim_start().len());
        at += part.len() + 1;
        let part = part.trim();
        if part.is_empty() {
            continue;
        }
        let span = Span::new(first, first + part.len());
        let unreadable = |reason: String| (span, LaunchFault::Unreadable(reason));
        let (name, value) = part
            .split_once('=')
            .ok_or_else(|| unreadable(format!("`{part}` is not `NAME=VALUE`")))?;
        let (name, value) = (name.trim(), value.trim());
        if value.is_empty() {
            return Err((span, LaunchFault::Missing(name.to_owned())));
        }
        let value = value.parse().map_err(unreadable)?;
        arguments.push(Written {
            named: (name.to_owned(), value),
            span,
        });
    }
    Ok(arguments)
}

/// Splits a text at the commas that are in no brackets.
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

    type Parsed = Result<Vec<(String, Argument)>, (String, LaunchFault)>;

    /// Names and values of a comment, or the text that is wrong and how.
    fn parsed(text: &str) -> Option<Parsed> {
        let source = SourceText::new(text);
        let body = body_of(&source, Span::new(0, text.len()), "launch")?;
        let arguments = parse(&source, body);
        let arguments = arguments.map(|all| all.into_iter().map(|it| it.named).collect());
        Some(arguments.map_err(|(span, fault)| (source.slice(span).to_owned(), fault)))
    }

    #[test]
    fn comments_bind_numbers_and_tensors() {
        let text = "# a2lint: launch(M=1_280, x=half[M, 64], scale=0.5)  the common case";
        let arguments = parsed(text).unwrap().unwrap();
        let names: Vec<&str> = arguments.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["M", "x", "scale"]);
        assert_eq!(arguments[0].1, Argument::Number(1280.0));
        assert_eq!(arguments[1].1, "half[M, 64]".parse().unwrap());
        assert_eq!(parsed("# a2lint: ignore[dup-coverage]"), None);
        assert_eq!(parsed("# a2lint: launched(M=1)"), None);
        assert_eq!(parsed("# a2lint: launch()"), Some(Ok(Vec::new())));
    }

    #[test]
    fn what_cannot_be_read_is_named_at_its_place() {
        let fault = |text: &str| parsed(text).unwrap().unwrap_err();
        for text in [
            "# a2lint: launch(M=1",
            "# a2lint: launch M=1",
            "#a2lint:launch",
        ] {
            assert_eq!(fault(text).1, LaunchFault::Unclosed, "{text}");
        }
        let (place, missing) = fault("# a2lint: launch(行=1, M= , N=2)");
        assert_eq!(
            (place.as_str(), missing),
            ("M=", LaunchFault::Missing("M".to_owned()))
        );
        for wrong in ["M=many", "x=quarter[4]", "64", "x=half[4"] {
            let (place, fault) = fault(&format!("# a2lint: launch(N=2, {wrong})"));
            assert_eq!(place, wrong);
            assert!(matches!(fault, LaunchFault::Unreadable(_)), "{fault:?}");
        }
    }
}
