//! Launches that comments and configurations give.

use std::cell::LazyCell;
use std::collections::BTreeSet;

use crate::{
    Argument, Extent, GivenLaunch, Launch, LaunchFault, Mentions, Module, Note, NoteKind, OriginId,
    Param, ParamKind, Program, TILING_KEY, Unsolved, solve,
};
use a2lint_source::text::{Slice, SourceText, Span};

/// Reads the comments `# a2lint: launch(M=1280, N=64)` above kernels.
pub fn from_comments(source: &SourceText, comments: &[Span], module: &mut Module) {
    for &comment in comments {
        let Some(text) = body_of(source, comment, "launch") else {
            continue;
        };
        let below = kernels_below(source, comment, &module.programs);
        let read = launches_of(source, comment, text, &below, &module.launches);
        let (given, faults) = read.unwrap_or_else(|fault| (Vec::new(), vec![(None, fault)]));
        let faults = faults.into_iter().map(|(kernel, (span, fault))| {
            let first = below.first().map(|program| program.name.to_string());
            unusable(span, kernel.or(first), false, fault)
        });
        let faults: Vec<Note> = faults.collect();
        module.launches.extend(given);
        module.notes.extend(faults);
    }
}

/// A fault of a comment and its place.
type Fault = (Span, LaunchFault);

/// Faults of a comment, each with the name of the kernel that it concerns; `None` if it concerns all kernels.
type Faults = Vec<(Option<String>, Fault)>;

/// The names and values by which a comment selects instances of a kernel (see [`Program::built_for`]): `TILING_KEY=2`.
type Chosen = Vec<(String, String)>;

/// Returns the launches that a comment gives, one for each selected kernel below it, and the faults that concern a
/// single kernel.
///
/// # Errors
/// The comment as a whole is faulty.
fn launches_of(
    source: &SourceText,
    comment: Span,
    text: Span,
    below: &[&Program],
    launches: &[Launch],
) -> Result<(Vec<Launch>, Faults), Fault> {
    let mut choices = BTreeSet::new();
    for program in below {
        choices.extend(program.built_for.iter().map(|(name, _)| name.as_str()));
    }
    let (mut arguments, chosen) = parse(source, text, &choices)?;
    compute(&mut arguments)?;
    if below.is_empty() {
        return Err((text, LaunchFault::NoKernel));
    }
    let is_meant = |program: &&&Program| {
        let is_chosen = |(name, value): &(String, String)| {
            let mut built = program.built_for.iter();
            built.all(|(known, of)| known != name || of == value)
        };
        chosen.iter().all(is_chosen) && (below.len() == 1 || has_types(program, &arguments))
    };
    let meant: Vec<&Program> = below.iter().filter(is_meant).copied().collect();
    if meant.is_empty() {
        return Err((
            text,
            LaunchFault::Unreadable(without_instance(below, &chosen)),
        ));
    }
    // Instances with different tiling keys differ in code, so the comment has to select one of them.
    let open = choices.iter().find(|name| {
        let values = meant.iter().flat_map(|program| &program.built_for);
        let values: BTreeSet<&str> = values
            .filter(|(known, _)| known == **name)
            .map(|(_, value)| value.as_str())
            .collect();
        values.len() > 1 && **name == TILING_KEY
    });
    if open.is_some() {
        return Err((text, LaunchFault::Missing(TILING_KEY.to_owned())));
    }
    let mut given_launches = Vec::new();
    let mut faults = Vec::new();
    for program in meant {
        let given = GivenLaunch {
            kernel: program.name.clone(),
            arguments: arguments.iter().map(|it| it.named.clone()).collect(),
        };
        match fault(&given, program, launches) {
            None => given_launches.push(given.of(program, Some(comment))),
            Some((at, fault)) => {
                let place = at.map_or(text, |at| arguments[at].span);
                faults.push((Some(program.name.to_string()), (place, fault)));
            }
        }
    }
    Ok((given_launches, faults))
}

/// Formats why no instance of a kernel is selected: `no instance of the kernel has DTYPE_X = int8_t, only half`.
fn without_instance(below: &[&Program], chosen: &Chosen) -> String {
    let strange = chosen
        .iter()
        .find(|(name, value)| !values_of(below, name).contains(value.as_str()));
    match strange {
        Some((name, value)) => {
            let known: Vec<&str> = values_of(below, name).into_iter().collect();
            let known = known.join(", ");
            format!("no instance of the kernel has {name} = {value}, only {known}")
        }
        None => "no instance of the kernel has these types".to_owned(),
    }
}

/// Returns the values that the instances of a kernel have for a name.
fn values_of<'p>(below: &[&'p Program], name: &str) -> BTreeSet<&'p str> {
    let built = below.iter().flat_map(|program| &program.built_for);
    let own = built.filter(|(known, _)| known == name);
    own.map(|(_, value)| value.as_str()).collect()
}

/// Computes the formulas among the arguments of a comment.
fn compute(arguments: &mut [Written]) -> Result<(), Fault> {
    let mut named: Vec<(String, Argument)> = arguments.iter().map(|it| it.named.clone()).collect();
    solve(&mut named).map_err(|(at, unsolved)| (arguments[at].span, unsolved_fault(unsolved)))?;
    for (argument, named) in arguments.iter_mut().zip(named) {
        argument.named = named;
    }
    Ok(())
}

fn unsolved_fault(unsolved: Unsolved) -> LaunchFault {
    match unsolved {
        Unsolved::Missing(name) => LaunchFault::Missing(name),
        Unsolved::Because(because) => LaunchFault::Unreadable(because),
    }
}

/// Returns whether the element types of the arguments match those of the kernel's tensors.
fn has_types(program: &Program, arguments: &[Written]) -> bool {
    arguments.iter().all(|it| {
        let (
            name,
            Argument::Tensor {
                dtype: Some(dtype), ..
            },
        ) = &it.named
        else {
            return true;
        };
        let param = program.params.iter().find(|param| param.name == *name);
        match param.map(|param| param.kind) {
            Some(ParamKind::Global(global)) => program
                .global(global)
                .dtype
                .is_none_or(|known| known == *dtype),
            _ => true,
        }
    })
}

/// Launches of the configuration that are of the kernels of a file.
pub fn from_configuration(given: &[GivenLaunch], module: &mut Module) {
    for given in given {
        let mut programs = module.programs.iter();
        let Some(program) = programs.find(|program| program.name == given.kernel) else {
            continue;
        };
        let mut given = given.clone();
        let unsolved = solve(&mut given.arguments).err();
        let unsolved = unsolved.map(|(at, unsolved)| (Some(at), unsolved_fault(unsolved)));
        match unsolved.or_else(|| fault(&given, program, &module.launches)) {
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
        let is_unread = program.tiling_fields.contains(name);
        if strangers.contains(&name.as_str()) && !bindable.contains(name.as_str()) && !is_unread {
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
            (Some(ParamKind::Global(_)), Argument::Number(_) | Argument::Formula(_)) => {
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
                    Extent::Number(_) | Extent::Formula(_) => None,
                });
                if let Some(open) = names.into_iter().find(is_open) {
                    return Some((at, LaunchFault::Missing(open.clone())));
                }
            }
            _ => {}
        }
    }
    let is_scalar = |param: &&Param| matches!(param.kind, ParamKind::Variable(_));
    let scalars = program.params.iter().filter(is_scalar);
    let mut missing = scalars.filter(|param| value(&param.name).is_none());
    let read = LazyCell::new(|| Mentions::of(program, &program.body));
    let is_needed = |param: &&Param| match param.kind {
        ParamKind::Variable(id) => !read.lacks_field(&param.name, id),
        _ => true,
    };
    let missing = missing.find(is_needed)?;
    Some((None, LaunchFault::Missing(missing.name.to_string())))
}

/// Returns the kernels whose definition follows a comment, with only comments and blank lines in between. There are
/// several if one definition is compiled to several instances.
fn kernels_below<'p>(
    source: &SourceText,
    comment: Span,
    programs: &'p [Program],
) -> Vec<&'p Program> {
    let mut after = programs.iter().filter(|it| it.span.start >= comment.end);
    let first = after.next();
    let first = first.filter(|program| is_followed_by(source, comment, program));
    let of_first = |first: &'p Program| {
        let same = programs.iter().filter(|it| it.span == first.span);
        // In Python, all kernels of a factory have one span: the comment is for those with the name of the first one.
        same.filter(|it| it.name == first.name || !it.built_for.is_empty())
            .collect()
    };
    first.map_or_else(Vec::new, of_first)
}

/// Returns whether the definition of a kernel follows a comment, with only comments and blank lines in between.
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

/// Returns the arguments of `launch(…)`, and the values that it gives for the names in `choices`. Text after the
/// closing bracket is a remark and ignored.
fn parse(
    source: &SourceText,
    text: Span,
    choices: &BTreeSet<&str>,
) -> Result<(Vec<Written>, Chosen), Fault> {
    let inner = source.slice(text).part("launch".len()..).trim_start();
    let inner = inner.strip_prefix('(');
    let inner = inner.and_then(|inner| Some(inner.part(..closing(inner)?)));
    let inner = inner.ok_or((text, LaunchFault::Unclosed))?;
    let start = inner.as_ptr() as usize - source.as_str().as_ptr() as usize;
    let mut arguments = Vec::new();
    let mut chosen = Vec::new();
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
        if choices.contains(name) {
            chosen.push((name.to_owned(), value.to_owned()));
            continue;
        }
        let value = value.parse().map_err(unreadable)?;
        arguments.push(Written {
            named: (name.to_owned(), value),
            span,
        });
    }
    Ok((arguments, chosen))
}

/// Returns the position of the bracket that closes one before the text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 1_usize;
    text.find(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

/// Splits a text at the commas that are in no brackets.
fn outside_brackets(text: &str) -> Vec<&str> {
    let mut depth = 0usize;
    let parts = text.split(|c| {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth = depth.saturating_sub(1),
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
        let arguments = parse(&source, body, &BTreeSet::new());
        let arguments = arguments.map(|(all, _)| all.into_iter().map(|it| it.named).collect());
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
