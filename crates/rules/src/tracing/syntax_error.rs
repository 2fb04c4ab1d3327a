use crate::declare_rule;
use crate::{FileFacts, Sink};
use a2lint_ir::NoteKind;
use a2lint_ir::finding::Edit;

declare_rule! {
    /// ## What it does
    /// Reports text that does not parse in a kernel, in a function that a kernel calls, or at the
    /// outermost level of a file with kernels: a bracket that is never closed, a missing colon, an
    /// indentation that fits nothing. One mistake is reported for each definition. In C++ these are
    /// brackets that do not match and calls without a semicolon, the first of a file; nothing is said
    /// where `#if` may leave text out.
    ///
    /// ## Why is this bad?
    /// Neither Python nor a compiler reads the file. Statements that do not parse may do anything with what they
    /// name, so nothing else is reported of it.
    ///
    /// ## Example
    /// ```python
    /// add(dst, a, b
    /// for i in range(4)
    ///     exp(dst, src)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// add(dst, a, b)
    /// for i in range(4):
    ///     exp(dst, src)
    /// ```
    ///
    /// ## Fix safety
    /// Unsafe: inserting a colon makes a block of what follows, which may not be what was meant.
    ///
    /// ## Source
    /// The grammars of Python and C++.
    "TRC012" "syntax-error" Error, basis = Constants, fix = Unsafe, scope = File
}

fn check(FileFacts { module, .. }: &FileFacts, sink: &mut Sink) {
    for note in &module.notes {
        let NoteKind::SyntaxError { message, missing } = &note.kind else {
            continue;
        };
        let report = sink.report(note.span, message);
        if let Some((span, text)) = missing {
            let edit = Edit {
                span: *span,
                text: (*text).to_owned(),
            };
            report.fix(format!("insert `{text}`"), false, vec![edit]);
        }
    }
}
