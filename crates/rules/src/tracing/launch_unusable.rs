use crate::declare_rule;
use crate::{FileFacts, Sink};
use a2lint_analysis::Domains;
use a2lint_ir::{ContractFault, LaunchFault, Module, Notation, NoteKind};
use a2lint_source::spelling::nearest;

declare_rule! {
    /// ## What it does
    /// Reports launch comments, and launches of the configuration, that cannot be used: an argument that
    /// the kernel does not have, a value that is missing or cannot be read, a bracket that is not closed, a
    /// comment that no kernel follows; and calls of a kernel without a number that it takes, or with more
    /// arguments than it has parameters. Likewise contracts: `assume(…)` with a name that is neither a
    /// parameter nor an extent, a product of two names, conditions that contradict each other.
    ///
    /// ## Why is this bad?
    /// The kernel is not simulated with the intended sizes. Faults that only these sizes show are missed,
    /// and no other message would say so. A contract of which something cannot be read is not used at all,
    /// and the kernel is then run with the launches that the project gives and no others.
    ///
    /// ## Example
    /// ```python
    /// # a2lint: launch(rows=1280, x=double[rows, 64])
    /// @kernel()
    /// def scale(x: GMTensor, y: GMTensor, M: Var):
    /// ```
    ///
    /// ```cpp
    /// // a2lint: launch(n=4096)                     // no kernel follows, or it takes no `n`
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// # a2lint: launch(M=1280, x=half[M, 64])
    /// @kernel()
    /// def scale(x: GMTensor, y: GMTensor, M: Var):
    /// ```
    ///
    /// ```cpp
    /// // a2lint: launch(block_dim=8, n=4096, x=half[4096], y=half[4096])
    /// extern "C" __global__ __aicore__ void scale(GM_ADDR x, GM_ADDR y, uint32_t n)
    /// ```
    ///
    /// ## Source
    /// The page about launches: every scalar parameter gets a number; tensors may be left out.
    "TRC014" "launch-unusable" Warning, basis = Constants, scope = File
}

/// Formats an example of a launch comment.
fn launch_example(notation: Notation) -> String {
    format!(
        "`{} a2lint: launch(M=64, x=half[M, 64])`",
        notation.comment()
    )
}

/// Formats examples of contract comments.
fn contract_examples(notation: Notation) -> String {
    let mark = notation.comment();
    format!(
        "`{mark} a2lint: assume(M >= 1, N % 64 == 0)` or `{mark} a2lint: shapes(x=half[M, 64])`"
    )
}

/// Formats where the comment of a kernel belongs.
fn place(notation: Notation) -> String {
    let what = match notation {
        Notation::Python => "the decorator of the kernel",
        Notation::Cpp => "the kernel, its `__global__` function",
    };
    format!("put it right above {what}")
}

fn check(FileFacts { module, .. }: &FileFacts, sink: &mut Sink) {
    contracts(module, sink);
    for note in &module.notes {
        let NoteKind::UnusableLaunch {
            kernel,
            is_configured,
            fault,
        } = &note.kind
        else {
            continue;
        };
        if fault.is_about_kernel() && !parses(module) {
            continue;
        }
        let (what, help) = explain(
            fault,
            kernel.as_deref().unwrap_or("the kernel"),
            module.notation(),
        );
        let message = match (is_configured, kernel) {
            (true, Some(kernel)) => format!("launches.{kernel} of the configuration: {what}"),
            _ => what,
        };
        match kernel {
            Some(kernel) => drop(
                sink.in_function(kernel)
                    .report(note.span, message)
                    .help(help),
            ),
            None => drop(sink.report(note.span, message).help(help)),
        }
    }
}

/// Returns whether all of the text was parsed as Python. If not, kernels and parameters may exist without being seen.
fn parses(module: &Module) -> bool {
    let mut notes = module.notes.iter();
    !notes.any(|note| matches!(note.kind, NoteKind::SyntaxError { .. }))
}

/// Reports contracts that cannot be used.
fn contracts(module: &Module, sink: &mut Sink) {
    for note in &module.notes {
        let NoteKind::UnusableContract { kernel, fault } = &note.kind else {
            continue;
        };
        if fault.is_about_kernel() && !parses(module) {
            continue;
        }
        let (what, help) = explain_contract(
            fault,
            kernel.as_deref().unwrap_or("the kernel"),
            module.notation(),
        );
        match kernel {
            Some(kernel) => drop(sink.in_function(kernel).report(note.span, what).help(help)),
            None => drop(sink.report(note.span, what).help(help)),
        }
    }
    for program in &module.programs {
        let contract = &program.contract;
        if Domains::of(contract).is_some() {
            continue;
        }
        if let Some(last) = contract.conditions.last() {
            sink.in_function(&program.name)
                .report_once(last.span, "no launch satisfies these conditions together")
                .help("take one of them back, or write the range of each parameter");
        }
    }
}

/// Formats what is wrong with a contract, and what to write.
fn explain_contract(fault: &ContractFault, kernel: &str, notation: Notation) -> (String, String) {
    let example = || format!("write {}", contract_examples(notation));
    match fault {
        ContractFault::NoKernel => (
            "no kernel follows this contract".to_owned(),
            place(notation),
        ),
        ContractFault::Unclosed => (
            "this contract has no conditions in brackets".to_owned(),
            example(),
        ),
        ContractFault::Unreadable(reason) => (reason.clone(), example()),
        ContractFault::Twice(name) => (
            format!("`{name}` is given twice"),
            "keep one of them".to_owned(),
        ),
        ContractFault::Unknown { name, known } => (
            format!("the kernel `{kernel}` has no parameter or extent `{name}`"),
            known_names(name, known),
        ),
        ContractFault::NoTensor(name) => (
            format!("`{name}` is no tensor, and gets a shape"),
            format!("write `assume({name} >= 1)`"),
        ),
        ContractFault::NoNumber(name) => (
            format!("`{name}` is no integer parameter"),
            "conditions are about integer parameters and the names of extents".to_owned(),
        ),
        ContractFault::TooLong(most) => (
            format!("the contract of `{kernel}` has more than {most} parts"),
            "keep those that findings depend on".to_owned(),
        ),
    }
}

/// Formats the name that was probably meant, or all known names.
fn known_names(name: &str, known: &[String]) -> String {
    match nearest(name, known.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "it has no parameters".to_owned(),
        None => format!("known are {}", known.join(", ")),
    }
}

/// Formats what is wrong with a launch, and what to write.
fn explain(fault: &LaunchFault, kernel: &str, notation: Notation) -> (String, String) {
    match fault {
        LaunchFault::NoKernel => ("no kernel follows this launch".to_owned(), place(notation)),
        LaunchFault::Unclosed => (
            "this launch has no arguments in brackets, or its bracket is not closed".to_owned(),
            format!("write {}", launch_example(notation)),
        ),
        LaunchFault::Unreadable(reason) => (
            reason.clone(),
            format!(
                "write a number for a scalar, `type[extents]` for a tensor: {}",
                launch_example(notation)
            ),
        ),
        LaunchFault::Twice(name) => (
            format!("`{name}` is given twice"),
            "keep one of them; each launch has a comment of its own".to_owned(),
        ),
        LaunchFault::Unknown { name, known } => {
            let what = format!("the kernel `{kernel}` has no parameter `{name}`");
            (what, known_names(name, known))
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
        LaunchFault::Surplus { given, taken } => (
            format!("{given} arguments are passed, and the kernel `{kernel}` takes {taken}"),
            "pass one argument for each parameter".to_owned(),
        ),
    }
}
