use super::Sink;
use crate::check::nearest;
use crate::declare_rule;
use crate::ir::{LaunchFault, Module, NoteKind};

declare_rule! {
    /// ## What it does
    /// Reports launch comments, and launches of the configuration, that cannot be used: an argument
    /// that the kernel does not have, a value that is missing or cannot be read, a bracket that is
    /// not closed, a comment that no kernel follows.
    ///
    /// ## Why is this bad?
    /// The kernel is not simulated with the sizes that somebody meant. What only they show is not
    /// found, and nothing else would say so.
    ///
    /// ## Example
    /// ```python
    /// # a2lint: launch(rows=1280, x=float16[rows, 64])
    /// @kernel()
    /// def scale(x: GMTensor, y: GMTensor, M: Var):
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
    /// The page about launches: every scalar parameter gets a number; tensors may be left out.
    "TRC014" "launch-unusable" Warning, basis = Constants, scope = File
}

/// What a launch comment looks like.
const EXAMPLE: &str = "`# a2lint: launch(M=64, x=half[M, 64])`";

fn check(module: &Module, sink: &mut Sink) {
    for note in &module.notes {
        let NoteKind::UnusableLaunch {
            kernel,
            is_configured,
            fault,
        } = &note.kind
        else {
            continue;
        };
        let (what, help) = explain(fault, kernel.as_deref().unwrap_or("the kernel"));
        let message = match (is_configured, kernel) {
            (true, Some(kernel)) => format!("launches.{kernel} of the configuration: {what}"),
            _ => what,
        };
        match kernel {
            Some(kernel) => drop(sink.in_function(kernel).report(note.span, message).help(help)),
            None => drop(sink.report(note.span, message).help(help)),
        }
    }
}

/// What is wrong, and what to write.
fn explain(fault: &LaunchFault, kernel: &str) -> (String, String) {
    match fault {
        LaunchFault::NoKernel => (
            "no kernel follows this launch".to_owned(),
            "put it right above the decorator of the kernel".to_owned(),
        ),
        LaunchFault::Unclosed => (
            "this launch has no arguments in brackets".to_owned(),
            format!("write {EXAMPLE}"),
        ),
        LaunchFault::Unreadable(reason) => (
            reason.clone(),
            format!("write a number for a scalar, `type[extents]` for a tensor: {EXAMPLE}"),
        ),
        LaunchFault::Twice(name) => (
            format!("`{name}` is given twice"),
            "keep one of them; each launch has a comment of its own".to_owned(),
        ),
        LaunchFault::Unknown { name, known } => {
            let help = match nearest(name, known.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None if known.is_empty() => "it has no parameters".to_owned(),
                None => format!("known are {}", known.join(", ")),
            };
            (format!("the kernel `{kernel}` has no parameter `{name}`"), help)
        }
        LaunchFault::NumberForTensor(name) => (
            format!("`{name}` is a tensor, and gets a number"),
            format!("write `{name}=half[M, 64]`, or leave it out"),
        ),
        LaunchFault::TensorForNumber(name) => (
            format!("`{name}` is a scalar, and gets a tensor"),
            format!("write `{name}=64`"),
        ),
        LaunchFault::Missing(name) => (
            format!("`{name}` has no value"),
            format!("add `{name}=` with a number"),
        ),
    }
}
