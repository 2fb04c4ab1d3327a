use crate::declare_rule;
use crate::{Facts, Sink};
use a2lint_ir::finding::Edit;
use a2lint_ir::{Notation, Note, NoteKind};
use a2lint_source::text::Span;

declare_rule! {
    /// ## What it does
    /// Reports names that nothing binds, in code that a kernel executes: neither the file, nor Python, nor
    /// the facade defines them. The same holds for attributes of `DT`, `RoundMode` and the like. Nothing is
    /// reported where a star import of another module, `exec` or `globals` may bring names in.
    ///
    /// In C++, a method that a class of the API does not have is an error. Another name that nothing declares
    /// is a warning, if every header was read but those of the API, and a function of the API or a local
    /// variable is one edit away.
    ///
    /// ## Why is this bad?
    /// Python raises a `NameError` while the kernel is traced, and a C++ compiler stops. What depends on the
    /// statement is not known, so nothing else is reported of it.
    ///
    /// ## Example
    /// ```python
    /// vmaxx(dst, a, b)
    /// cast(dst, src, round_mode=RoundMode.RINTT)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// vmax(dst, a, b)
    /// cast(dst, src, round_mode=RoundMode.RINT)
    /// ```
    ///
    /// ## Fix safety
    /// Unsafe: the name that is one edit away need not be the one that was meant. No fix is offered where the two
    /// differ in a letter or number that tells names apart (`ub_x` and `ub_r`), or where both are used more than once:
    /// then a line that makes the name is missing.
    ///
    /// ## Source
    /// Python's rules for names.
    "TRC013" "unknown-name" Error, basis = Constants, fix = Unsafe
}

fn check(facts: &Facts, sink: &mut Sink) {
    let mut known: Vec<(&String, &Option<String>)> = Vec::new();
    for note in &facts.program.notes {
        let NoteKind::UnknownName { name, of, nearest } = &note.kind else {
            continue;
        };
        if !is_certain(facts, note) || known.contains(&(name, of)) {
            continue;
        }
        known.push((name, of));
        let places = places(facts, name, of);
        let message = match of {
            Some(object) => format!("{object} has no `{name}`"),
            None => format!("the name `{name}` is not defined"),
        };
        let mut report = sink.report_from(note.origin, note.span, message);
        // In Python all names are known; in C++, headers that are not read declare some.
        if of.is_none() && facts.program.toolchain.notation == Notation::Cpp {
            report = report.possible();
        }
        for &place in places.iter().filter(|&&place| place != note.span) {
            report = report.label(place, "here too");
        }
        let Some(nearest) = nearest else { continue };
        if of.is_none() && places.len() > 1 && is_used(facts, nearest) {
            report.advice(format!(
                "make `{name}` before its first use; or did you mean `{nearest}`, which is used as well?"
            ));
            continue;
        }
        let edits = places.iter().map(|&span| Edit {
            span,
            text: nearest.clone(),
        });
        let title = format!("replace `{name}` with `{nearest}`");
        report
            .advice(format!("did you mean `{nearest}`?"))
            .fix(title, false, edits.collect());
    }
}

/// Returns whether a name is one of the kernel's own that occurs more than once in it: where it is made and where it is
/// used. What is written twice as another name is then hardly a misspelling of it.
fn is_used(facts: &Facts, name: &str) -> bool {
    let program = facts.program;
    let mut buffers = program.buffers.iter().map(|it| it.name.as_str());
    let mut variables = program.variables.iter().map(|it| it.name.as_str());
    let mut params = program.params.iter().map(|it| it.name.as_str());
    let is_own = buffers.any(|it| it == name)
        || variables.any(|it| it == name)
        || params.any(|it| it == name);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let words = facts.source.slice(program.span).split(|c| !is_word(c));
    is_own && words.filter(|word| *word == name).count() > 1
}

/// Returns whether the code with a name is left out of the program. In C++ the first of several candidates that fits is
/// taken, and a name of one that is not taken does no harm.
fn is_certain(facts: &Facts, note: &Note) -> bool {
    let mut unknown = facts.program.unknown.iter();
    facts.program.toolchain.notation == Notation::Python
        || unknown.any(|code| code.span.to(note.span) == code.span)
}

/// Returns every place in the kernel where the same name is used.
fn places(facts: &Facts, name: &String, of: &Option<String>) -> Vec<Span> {
    let notes = facts.program.notes.iter();
    let same = notes.filter(|other| match &other.kind {
        NoteKind::UnknownName { name: n, of: o, .. } => (n, o) == (name, of),
        _ => false,
    });
    let mut places: Vec<Span> = same.map(|other| other.span).collect();
    places.sort();
    places.dedup();
    places
}
