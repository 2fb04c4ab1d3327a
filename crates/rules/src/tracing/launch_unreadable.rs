use crate::declare_rule;
use crate::{FileFacts, Sink};
use a2lint_ir::{Notation, NoteKind};

declare_rule! {
    /// ## What it does
    /// Names the argument of a call of a kernel whose value, or whose shape, is not known: it comes from
    /// a file, from a library that a2lint does not know, from what a user types in.
    ///
    /// ## Why is this bad?
    /// The file launches the kernel, and a2lint does not know with what. Where a number is missing, the
    /// launch is not used, and the kernel is tried with guessed sizes; where the shape of a tensor is
    /// missing, the tensor is as large as what the kernel touches of it, and nothing is said of its
    /// bounds.
    ///
    /// ## Example
    /// ```python
    /// rows = len(open("names.txt").readlines())
    /// OpExec(scale, "out")(x, y, rows)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// # a2lint: launch(M=1280, x=half[M, 64])
    /// @kernel()
    /// def scale(x: GMTensor, y: GMTensor, M: Var):
    /// ```
    ///
    /// ## Source
    /// The page about launches: what is read, and what a comment adds.
    "TRC015" "launch-unreadable" Info, basis = Constants, scope = File
}

fn check(FileFacts { module, .. }: &FileFacts, sink: &mut Sink) {
    for note in &module.notes {
        let NoteKind::UnreadableLaunch { kernel, is_usable } = &note.kind else {
            continue;
        };
        let message = match is_usable {
            true => format!("the shape of this argument of `{kernel}` cannot be read"),
            false => format!("this argument of `{kernel}` cannot be read: the launch is not used"),
        };
        let help = match module.notation() {
            Notation::Cpp => {
                "give the sizes in a comment above the kernel: `// a2lint: launch(block_dim=8, x=half[4096], n=4096)`"
            }
            Notation::Python => {
                "give the sizes in a comment above the kernel: `# a2lint: launch(M=64, x=half[M, 64])`"
            }
        };
        sink.in_function(kernel)
            .report(note.span, message)
            .help(help);
    }
}
