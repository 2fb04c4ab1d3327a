use crate::declare_rule;
use crate::record::{ContractGap, number_list};
use crate::{RecordFacts, Sink};
use a2lint_ir::finding::Severity;
use a2lint_ir::verdict::Property;
use a2lint_prove::{Precondition, Proof};
use a2lint_source::text::Span;

declare_rule! {
    /// ## What it does
    /// Compares the preconditions of a kernel's proofs with its contract. It reports a precondition that
    /// some launch inside of the contract breaks, with the numbers of such a launch, and one that all of
    /// them break.
    ///
    /// A contract need not say that sizes are at least 1, or that they fit the device: limits of 2^24 and
    /// more are compared only where the contract gives a limit of its own.
    ///
    /// ## Why is this bad?
    /// The contract promises that the kernel works for launches for which nothing is proved: it may read or
    /// write outside of its tensors, or use what was never loaded.
    ///
    /// ## Example
    /// ```python
    /// # a2lint: assume(M >= 1)
    /// # a2lint: shapes(x=half[M, 128], y=half[M, 128])
    /// @kernel()
    /// def copy(x: GMTensor, y: GMTensor, M: Var):
    ///     ...
    ///     for r in range(GetVecIdx() * 64, M, GetVecNum() * 64):
    ///         t[s] <<= x[r:r + 64, 0:128]          # 64 rows, also where M is 1
    /// ```
    ///
    /// ```cpp
    /// // a2lint: assume(n >= 1)                     // the kernel needs multiples of 16
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// # a2lint: assume(M >= 1, M % 64 == 0)
    /// ```
    ///
    /// ```cpp
    /// // a2lint: assume(n >= 1, n % 16 == 0)
    /// ```
    ///
    /// ## Severity
    /// An error where no launch that the contract allows satisfies the precondition: the proof covers none
    /// of them. A warning otherwise: the analysis may ask for more than the kernel needs.
    ///
    /// ## Source
    /// The page about contracts: what is proved of a kernel holds for all launches that its contract allows.
    "TRC017" "contract-too-wide" Warning, basis = Assumption, scope = Record
}

fn check(facts: &RecordFacts, sink: &mut Sink) {
    let gaps = &facts.record.contract_gaps;
    let (broken, contradicted): (Vec<_>, Vec<_>) = gaps
        .iter()
        .filter(|gap| !needing(facts, gap).is_empty())
        .partition(|gap| gap.launch.is_some());
    // One contract is written at once: what it lacks is told together.
    let together = broken.first().map(|first| ContractGap {
        conditions: broken
            .iter()
            .flat_map(|gap| gap.conditions.clone())
            .collect(),
        launch: first.launch.clone(),
    });
    for gap in together.iter().chain(contradicted) {
        let properties = needing(facts, gap);
        let (severity, said) = match &gap.launch {
            None => (
                Severity::Error,
                "no launch that the contract allows satisfies that".to_owned(),
            ),
            Some(launch) => {
                let numbers = number_list(launch);
                (
                    Severity::Warning,
                    format!("the contract also allows {numbers}"),
                )
            }
        };
        let properties = listed(&properties);
        let message = format!("{properties} proved only if {}; {said}", gap.text());
        let mut report = sink
            .report(facts.program.name_span, message)
            .severity(severity);
        if let Some(span) = place(facts, gap) {
            report = report.label(span, "the contract");
        }
        // Contracts have conditions on integers.
        let text = gap.text();
        let is_contract = |c: char| c.is_ascii_alphanumeric() || "_. <>=%,".contains(c);
        let narrow = match gap.launch.is_some() && text.chars().all(is_contract) {
            true => format!("narrow the contract by `assume({text})`"),
            false => "narrow the contract".to_owned(),
        };
        report.advice(format!(
            "{narrow}, or write the kernel so that it handles the other launches"
        ));
    }
}

/// Returns the properties whose proofs need a precondition that some launch breaks, without those that a finding
/// refutes.
fn needing(facts: &RecordFacts, gap: &ContractGap) -> Vec<&'static str> {
    let is_refuted = |property: Property| {
        let mut findings = facts.findings.iter();
        findings.any(|finding| crate::property_of(finding) == Some(property))
    };
    // The proof of definedness tries a few divisors, and a kernel may be right for other sizes.
    let is_tried = |property: Property, condition: &Precondition| {
        let size = condition.size();
        property == Property::Initialised && size.is_some_and(|size| size.multiple > 1)
    };
    let needs = |property: &Property| match facts.record.proofs.get(*property) {
        Proof::Holds { under, .. } => under
            .iter()
            .any(|it| gap.conditions.contains(it) && !is_tried(*property, it)),
        Proof::Open { .. } => false,
    };
    // For scalars, the proved limits are sufficient but far from necessary: the launch that would be named may
    // not overflow. The verdict reports where the proof stops.
    let all = Property::ALL.into_iter().filter(needs);
    let all = all.filter(|&property| property != Property::Scalars);
    let open = all.filter(|&property| !is_refuted(property));
    open.map(Property::name).collect()
}

/// Formats names with a verb: `` `bounds` is ``, `` `bounds` and `initialised` are ``.
fn listed(properties: &[&str]) -> String {
    let names: Vec<String> = properties.iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [only] => format!("{only} is"),
        [first @ .., last] => format!("{} and {last} are", first.join(", ")),
        [] => String::new(),
    }
}

/// Returns where the contract mentions the names of a condition.
fn place(facts: &RecordFacts, gap: &ContractGap) -> Option<Span> {
    let contract = &facts.program.contract;
    let first = gap.conditions.first()?;
    if let Some(extents) = first.extents() {
        return contract.tensor(&extents.name).map(|tensor| tensor.span);
    }
    let name = &first.size()?.name;
    let mut conditions = contract.conditions.iter();
    let about = conditions.find(|condition| condition.form.names().any(|known| known == name));
    let first = contract.conditions.first();
    about.or(first).map(|condition| condition.span)
}
