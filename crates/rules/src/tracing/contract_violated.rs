use rustc_hash::FxHashSet;

use crate::declare_rule;
use crate::{FileFacts, Sink};
use a2lint_ir::contract::{Breach, Given};
use a2lint_ir::{Launch, LaunchOrigin, Program};
use a2lint_source::text::Span;

declare_rule! {
    /// ## What it does
    /// Reports launches that break the contract of their kernel: a condition of `assume(…)` that does not
    /// hold for their numbers, a tensor with another shape or element type than `shapes(…)` says. It
    /// examines every known launch: of the file, of comments, of the configuration, of files that import
    /// the kernel, and with the values of `--bind`.
    ///
    /// ## Why is this bad?
    /// The kernel is written, checked and proved for launches that satisfy its contract. This one may read
    /// or write outside of its tensors, leave elements undefined, or wait for ever, and the device does not
    /// report it. It is not simulated.
    ///
    /// ## Example
    /// ```python
    /// # a2lint: assume(M >= 1, N % 64 == 0)
    /// @kernel()
    /// def scale(x: GMTensor, y: GMTensor, M: Var, N: Var):
    ///     ...
    ///
    /// OpExec(scale, "out")(x, y, 1280, 100)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// OpExec(scale, "out")(x, y, 1280, 128)
    /// ```
    ///
    /// ## Source
    /// The page about contracts: every known launch is checked against them.
    "TRC016" "contract-violated" Error, basis = Constants, scope = File
}

fn check(facts: &FileFacts, sink: &mut Sink) {
    let programs = facts.module.programs.iter();
    for program in programs.filter(|program| !program.contract.is_empty()) {
        let mut told = FxHashSet::default();
        let mut tell = |sink: &mut Sink, span: Span, lead: String, breach: &Breach| {
            if told.insert((span, lead.clone(), breach.wanted.clone())) {
                let message = format!(
                    "{lead} the contract of `{}`: {}",
                    program.name,
                    breach.clause()
                );
                sink.in_function(&program.name)
                    .report(span, message)
                    .label(breach.span, "the contract")
                    .help("launch it with other values, or change the contract");
            }
        };
        let launches = facts.module.launches.iter();
        for launch in launches.filter(|launch| launch.kernel == program.name) {
            for breach in program.contract.breaches(&launch.given(program, &[])) {
                let (span, lead) = place(program, launch);
                tell(sink, span, lead, &breach);
            }
        }
        for breach in bound(facts, program) {
            let lead = "with the values of `--bind`, a launch breaks".to_owned();
            tell(sink, program.name_span, lead, &breach);
        }
    }
}

/// Returns where a launch is reported, and how the message starts.
fn place(program: &Program, launch: &Launch) -> (Span, String) {
    let lead = match (launch.origin, &launch.place) {
        (_, Some(place)) => format!("{place}: this launch breaks"),
        (LaunchOrigin::Configuration, None) => {
            let kernel = &program.name;
            format!("launches.{kernel} of the configuration: this launch breaks")
        }
        _ => "this launch breaks".to_owned(),
    };
    (launch.span.unwrap_or(program.name_span), lead)
}

/// Returns what launches violate with the values that the user binds, but not without them.
fn bound(facts: &FileFacts, program: &Program) -> Vec<Breach> {
    let contract = &program.contract;
    let names = program.bindable(&facts.module.launches);
    if !facts
        .bindings
        .iter()
        .any(|(name, _)| names.contains(name.as_str()))
    {
        return Vec::new();
    }
    let launches = facts.module.launches.iter();
    let own: Vec<&Launch> = launches.filter(|it| it.kernel == program.name).collect();
    if own.is_empty() {
        return contract.breaches(&Given {
            numbers: facts.bindings.to_vec(),
            tensors: Vec::new(),
        });
    }
    let breaches = own.into_iter().flat_map(|launch| {
        let without = contract.breaches(&launch.given(program, &[]));
        let mut with = contract.breaches(&launch.given(program, facts.bindings));
        with.retain(|breach| without.iter().all(|known| known.wanted != breach.wanted));
        with
    });
    breaches.collect()
}
