use crate::declare_rule;
use crate::suppress::{Entry, Keyword};
use crate::{Check, Comments, Sink};
use a2lint_ir::Uncalled;

declare_rule! {
    /// ## What it does
    /// Reports suppression comments that silence nothing, end nothing or cannot be understood.
    ///
    /// Rules that are switched off, files of which something could not be analysed, and functions that only
    /// kernels of other files may call are left out, since it is unknown what the comment would silence
    /// there.
    ///
    /// ## Why is this bad?
    /// The comment claims a problem that is gone. The next real problem of this kind in the same place
    /// would be hidden.
    ///
    /// ## Example
    /// ```python
    /// dup(row, 0.0, count=512)  # a2lint: ignore[dup-coverage] filled below
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// dup(row, 0.0, count=512)
    /// ```
    ///
    /// ## Fix safety
    /// The rule is taken out of the comment, and the comment goes with the last one.
    ///
    /// ## Source
    /// The comment contract of a2lint.
    "TRC011" "unused-suppression" Warning, basis = Constants, fix = Safe, scope = Comments
}

fn check(comments: &Comments, sink: &mut Sink) {
    for problem in &comments.suppressions.problems {
        sink.report(problem.span, problem.message.as_str());
    }
    for directive in &comments.suppressions.directives {
        let idle: Vec<usize> = (0..directive.entries.len())
            .filter(|&at| is_idle(comments, &directive.entries[at]))
            .collect();
        let Some(&first) = idle.first() else { continue };
        let names: Vec<String> = idle
            .iter()
            .map(|&at| format!("`{}`", directive.entries[at].name))
            .collect();
        let message = message(directive.keyword, &names.join(", "));
        let edits = comments
            .suppressions
            .removal(comments.source, directive, &idle);
        sink.report(directive.entries[first].place, message).fix(
            "remove what has no effect",
            true,
            edits,
        );
    }
}

/// Returns whether an entry silenced nothing although its rule examined the file.
fn is_idle(comments: &Comments, entry: &Entry) -> bool {
    let ran = comments.ran.iter().any(|rule| {
        let about_findings = !matches!(rule.check, Check::Comments(_));
        let named = rule.name == entry.name || rule.code.eq_ignore_ascii_case(&entry.name);
        about_findings && named
    });
    ran && !entry.used && !may_serve_others(comments, entry)
}

/// Returns whether the code that an entry covers may be called by kernels of other files.
fn may_serve_others(comments: &Comments, entry: &Entry) -> bool {
    let covers = |function: &Uncalled| function.span.to(entry.scope) == function.span;
    let is_library = !comments.has_kernels && !comments.uncalled.is_empty();
    is_library || comments.uncalled.iter().any(covers)
}

fn message(keyword: Keyword, names: &str) -> String {
    match keyword {
        Keyword::Ignore => format!("nothing to ignore: no finding of {names} on this statement"),
        Keyword::Disable => format!("nothing to disable: no finding of {names} in this region"),
        Keyword::Enable => format!("nothing to enable: {names} is not disabled here"),
        Keyword::FileIgnore => format!("nothing to ignore: no finding of {names} in this file"),
    }
}
