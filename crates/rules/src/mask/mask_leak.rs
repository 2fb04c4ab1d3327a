use rustc_hash::FxHashSet;

use crate::declare_rule;
use crate::mask::masks::{Setters, partial_for};
use crate::wording::call;
use crate::{Facts, Sink};
use a2lint_analysis::{MaskOrigin, mask_lanes};
use a2lint_ir::{Instr, Stmt, StmtId};
use a2lint_isa::Opcode;

declare_rule! {
    /// ## What it does
    /// Reports a `set_mask` that is still in force where it was not meant to be: at the end of the kernel,
    /// in the next iteration of its loop, or after a branch that uses it and leaves it set.
    ///
    /// A branch that only chooses the mask for what follows is fine, and so is a loop that sets the mask
    /// again before any instruction uses it.
    ///
    /// ## Why is this bad?
    /// The mask stays set until something changes it. Arithmetic that was written for all lanes
    /// then leaves some of them as they were, in some iterations or on some paths only.
    ///
    /// ## Example
    /// ```python
    /// for tile in range(tiles):
    ///     exp(y, x)                        # from the second tile on: 8 lanes
    ///     set_mask(0, 0xFF)
    ///     adds(y, y, 1.0)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    ///     adds(y, y, 1.0)
    ///     reset_mask()
    /// ```
    ///
    /// ## Source
    /// Vector mask constraints, section 2: the mask keeps its state until it is set or reset. Measured on a board:
    /// results that depend on the kernel before (PTOAS, issue 117). It is a warning, since a kernel that leaves its
    /// mask to the next one has the right results itself.
    "MSK006" "mask-leak" Warning, basis = Shape, evidence = Measured, property = None
}

fn check(facts: &Facts, sink: &mut Sink) {
    let setters = Setters::of(facts);
    let mut reported = FxHashSet::default();
    for (stmt, instr) in facts.instructions() {
        let Some(set) = leaked_into(facts, &setters, stmt, instr) else {
            continue;
        };
        if reported.insert(set) {
            let (way, label) = match set > stmt.id {
                true => (
                    "the next iteration",
                    "runs under it from the second iteration on",
                ),
                false => (
                    "the code after its branch",
                    "runs under it on one path, and on another under all lanes",
                ),
            };
            let message =
                |by: &Instr| format!("the mask that {} sets reaches {way}", call(facts, by));
            report(
                facts,
                sink,
                &setters,
                set,
                message,
                Some((stmt, instr, label)),
            );
        }
    }
    if facts.program.toolchain.launches.resets_mask {
        return;
    }
    for origin in facts.analysis.mask_reach.at_end() {
        if let MaskOrigin::Set(set) = *origin
            && obeyed(facts).is_some_and(|lanes| partial_for(facts, &setters, set, lanes))
            && reported.insert(set)
        {
            let message = |by: &Instr| {
                format!(
                    "the mask that {} sets is still in force at the end of the kernel",
                    call(facts, by)
                )
            };
            report(facts, sink, &setters, set, message, None);
        }
    }
}

/// Returns the largest lane count of an instruction that obeys the mask.
fn obeyed(facts: &Facts) -> Option<i64> {
    let obeying = facts
        .instructions()
        .filter(|(_, instr)| instr.row().mask.consumes());
    obeying.filter_map(|(_, instr)| mask_lanes(instr)).max()
}

/// Returns a `set_mask` that reaches an instruction on one path while another path has another mask.
fn leaked_into(facts: &Facts, setters: &Setters, stmt: &Stmt, instr: &Instr) -> Option<StmtId> {
    if !instr.row().mask.consumes() || instr.is_counted() {
        return None;
    }
    let origins = facts.analysis.mask_reach.before(stmt.id);
    if origins.len() < 2 || origins.contains(&MaskOrigin::Unknown) {
        return None;
    }
    let lanes = mask_lanes(instr)?;
    let full = origins
        .iter()
        .any(|origin| matches!(origin, MaskOrigin::Full | MaskOrigin::Cleared { .. }));
    origins.iter().find_map(|origin| {
        let MaskOrigin::Set(set) = *origin else {
            return None;
        };
        let back = set > stmt.id;
        let leaks = match back {
            true => true,
            false => full && used_before_join(facts, set, stmt.id),
        };
        (leaks && partial_for(facts, setters, set, lanes)).then_some(set)
    })
}

/// Returns whether an instruction between a `set_mask` and a later statement runs under that mask alone, so that the
/// mask was meant for it.
fn used_before_join(facts: &Facts, set: StmtId, until: StmtId) -> bool {
    facts.instructions().any(|(stmt, instr)| {
        let between = set < stmt.id && stmt.id < until;
        between
            && instr.row().mask.consumes()
            && facts.analysis.mask_reach.before(stmt.id) == [MaskOrigin::Set(set)]
    })
}

/// Maximum number of instructions under a mask that advice names.
const NAMED: usize = 4;

/// Names the first instructions that run under a mask: `exp() (line 15)`.
fn users(facts: &Facts, set: StmtId) -> Vec<String> {
    let under = facts.instructions().filter(|(stmt, instr)| {
        let origins = facts.analysis.mask_reach.before(stmt.id);
        let is_set = origins.contains(&MaskOrigin::Set(set));
        is_set && stmt.id > set && instr.row().mask.consumes() && !instr.is_counted()
    });
    let named = under.map(|(stmt, instr)| {
        let line = facts.source.line_column(stmt.span.start).line;
        format!("{} (line {line})", call(facts, instr))
    });
    let mut users: Vec<String> = named.take(NAMED + 1).collect();
    if users.len() > NAMED {
        users[NAMED] = "…".to_owned();
    }
    users
}

fn report(
    facts: &Facts,
    sink: &mut Sink,
    setters: &Setters,
    set: StmtId,
    message: impl Fn(&Instr) -> String,
    victim: Option<(&Stmt, &Instr, &str)>,
) {
    let Some((setting, by)) = setters.get(set) else {
        return;
    };
    let reset = facts.program.name_of(Opcode::ResetMask);
    let users = users(facts, set);
    let advice = match users.as_slice() {
        [] => format!("put `{reset}()` where the mask is no longer meant"),
        [user] => format!("put `{reset}()` after {user}, which it is meant for"),
        users => format!(
            "put `{reset}()` after the last of these that the mask is meant for: {}",
            users.join(", ")
        ),
    };
    let report = sink
        .report_from(setting.origin, setting.span, message(by))
        .advice(advice);
    if let Some((stmt, instr, label)) = victim {
        report.label(stmt.span, format!("{} {label}", call(facts, instr)));
    }
}
