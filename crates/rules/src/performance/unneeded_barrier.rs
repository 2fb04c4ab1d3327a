use crate::declare_rule;
use crate::performance::gains::saves;
use crate::wording::call;
use crate::{Facts, Sink};
use a2lint_analysis::KernelFacts;
use a2lint_costs::{Base, change};
use a2lint_ir::verdict::Property;
use a2lint_ir::{Instr, Stmt, StmtId};
use a2lint_isa::Class;
use a2lint_prove::{Proof, Proofs};

declare_rule! {
    /// ## What it does
    /// Reports a barrier without which the order of all accesses is still proved and the kernel gets at
    /// least 2 % faster by the [cost model](../cost.md), under the launch of the file that takes longest.
    /// Of several, each is left out together with those reported before.
    ///
    /// ## Why is this bad?
    /// A barrier lets its pipe run dry: nothing begins before the last result is there.
    ///
    /// ## Example
    /// ```python
    /// exp(a, a)
    /// bar_v()
    /// exp(b, b)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// exp(a, a)
    /// exp(b, b)
    /// ```
    ///
    /// ## Source
    /// The proof of order, and published latencies of instructions.
    "PRF002" "unneeded-barrier" Info, basis = CostModel, evidence = Inferred, pedantic = true
}

/// Upper bound on the barriers that are tried.
const MOST: usize = 8;

fn check(facts: &Facts, sink: &mut Sink) {
    // Such a compiler would insert its own barrier in place of this one.
    if facts.program.toolchain.auto_sync.bars_everywhere() {
        return;
    }
    let Some(base) = facts.costs.base() else {
        return;
    };
    let order = |kernel: &KernelFacts| {
        let proofs = Proofs::of(kernel, facts.replay.in_sight());
        let proof = proofs.get(Property::Order).clone();
        matches!(proof, Proof::Holds { .. }).then_some(proof)
    };
    let mut known: Option<Proof> = None;
    let (mut left_out, mut before): (Vec<StmtId>, f64) = (Vec::new(), base.time());
    for (stmt, instr) in barriers(facts, base).into_iter().take(MOST) {
        // One line of a helper or of an unrolled loop is several statements.
        let same = facts
            .instructions()
            .filter(|(other, _)| other.span == stmt.span);
        let all = left_out
            .iter()
            .copied()
            .chain(same.map(|(other, _)| other.id));
        let all: Vec<StmtId> = all.collect();
        let changed = change::without(facts.program, &all);
        let Some(mut gain) = facts.costs.gain(&changed, &base.launch) else {
            continue;
        };
        gain.before = before;
        if !gain.counts() {
            continue;
        }
        if known.is_none() {
            known = order(facts.kernel);
        }
        if known.is_none() {
            return;
        }
        // The proof has to hold under the same preconditions and assumptions as with the barrier.
        if order(&KernelFacts::of(&changed)) == known {
            (left_out, before) = (all, gain.after);
            let saves = saves(facts, base, &gain, true);
            let message = format!(
                "order is proved without {}: to leave it out {saves}",
                call(facts, instr)
            );
            sink.report_from(stmt.origin, stmt.span, message)
                .help("leave it out");
        }
    }
}

/// Returns the barriers at which pipes wait long enough to matter, the longest waits first, each line once.
fn barriers<'a>(facts: &Facts<'a>, base: &Base) -> Vec<(&'a Stmt, &'a Instr)> {
    let mut lines: Vec<(&Stmt, &Instr, i64)> = Vec::new();
    let all = facts.instructions();
    for (stmt, instr) in all.filter(|(_, instr)| instr.row().class == Class::Barrier) {
        let costs = base.estimate.statements.iter();
        let own = costs.filter(|cost| cost.stmt == stmt.id);
        let waits: i64 = own.map(|cost| cost.waiting).sum();
        match lines.iter_mut().find(|(known, ..)| known.span == stmt.span) {
            Some((.., total)) => *total += waits,
            None => lines.push((stmt, instr, waits)),
        }
    }
    lines.retain(|(.., waits)| base.may_matter(*waits as f64));
    lines.sort_by_key(|(.., waits)| std::cmp::Reverse(*waits));
    lines
        .into_iter()
        .map(|(stmt, instr, _)| (stmt, instr))
        .collect()
}
