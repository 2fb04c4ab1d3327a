use crate::declare_rule;
use crate::mask::lane_notes::noted;
use crate::mask::masks::{Setters, partial_for};
use crate::wording::call;
use crate::{Facts, Sink};
use a2lint_analysis::{MaskOrigin, mask_lanes};
use a2lint_ir::{Instr, LaneFault, Stmt, StmtId};
use a2lint_isa::{Class, MaskUse};

declare_rule! {
    /// ## What it does
    /// Reports an instruction that ignores the vector mask, while a `set_mask` that switches lanes off is
    /// in force.
    ///
    /// ## Why is this bad?
    /// Arithmetic, `dup`, `cast` and the reductions obey the mask. `compare`, `select`, `brcb`, `gather`,
    /// the sorts and moves inside of UB work on all their lanes, whatever the mask is, so lanes that were
    /// meant to keep their value are overwritten.
    ///
    /// ## Example
    /// ```python
    /// set_mask(0, 0xFF)                    # the first 8 lanes
    /// select(y, keep, x, fill)             # all 64 lanes of every repeat
    /// reset_mask()
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// compare_scalar(keep, columns, 8, CompareMode.LT)
    /// select(y, keep, x, fill)             # the choice itself says which lanes
    /// ```
    ///
    /// ## Source
    /// Vector mask constraints, section 4: instructions that do not consume the mask.
    "MSK004" "mask-ignored" Warning, basis = Shape, property = None
}

fn check(facts: &Facts, sink: &mut Sink) {
    let setters = Setters::of(facts);
    for (stmt, instr) in facts.instructions() {
        let deaf = instr.row().mask == MaskUse::Ignored && instr.row().class != Class::Mask;
        let Some(set) = deaf
            .then(|| partial_setter(facts, &setters, stmt.id, instr))
            .flatten()
        else {
            continue;
        };
        let Some((setting, by)) = setters.get(set) else {
            continue;
        };
        if is_for_itself(facts, setting) {
            continue;
        }
        let message = format!(
            "{} works on all lanes: it does not look at the mask that {} has set",
            call(facts, instr),
            call(facts, by)
        );
        sink.report_from(stmt.origin, stmt.span, message)
            .help(help(instr))
            .label(setting.span, "the mask is set here");
    }
    for (note, name, fault) in noted(facts) {
        if let LaneFault::Ignored { asked, lanes } = *fault {
            let message = format!(
                "{name} works on all {lanes} lanes of a repeat: its mask of {asked} is ignored"
            );
            sink.report_from(note.origin, note.span, message)
                .help("let the packed result say which lanes count");
        }
    }
}

/// Returns whether a mask is set by a call that computes under it, as those of AscendC with a mask argument. What
/// follows is not meant to obey that mask.
fn is_for_itself(facts: &Facts, setting: &Stmt) -> bool {
    facts.instructions().any(|(stmt, instr)| {
        stmt.span == setting.span
            && stmt.origin == setting.origin
            && instr.row().class != Class::Mask
    })
}

/// Returns the last `set_mask` before an instruction, if a mask that switches lanes off is active on every path.
fn partial_setter(facts: &Facts, setters: &Setters, stmt: StmtId, instr: &Instr) -> Option<StmtId> {
    let lanes = mask_lanes(instr)?;
    let mut last = None;
    for origin in facts.analysis.mask_reach.before(stmt) {
        let (MaskOrigin::Set(set) | MaskOrigin::Doubtful { set, .. }) = *origin else {
            return None;
        };
        last = Some(set).filter(|&set| partial_for(facts, setters, set, lanes));
        last?;
    }
    last
}

fn help(instr: &Instr) -> &'static str {
    match instr.row().class {
        Class::Compare | Class::Select => {
            "let the packed control say which lanes count, and reset the mask before"
        }
        _ => "reset the mask before it, and choose lanes with a select afterwards",
    }
}
