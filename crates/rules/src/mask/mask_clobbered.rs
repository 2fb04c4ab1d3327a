use crate::declare_rule;
use crate::mask::masks::{Setters, partial_for};
use crate::wording::call;
use crate::{Facts, Sink};
use a2lint_analysis::{MaskOrigin, mask_lanes};
use a2lint_ir::{Instr, Stmt, StmtId};
use a2lint_isa::Opcode;

declare_rule! {
    /// ## What it does
    /// Reports an instruction that is meant to run under a mask, after an instruction that has reset the
    /// mask: one with `count=` or `count_per_rep=`, which leave every lane active, or `brcb`, `gather` and
    /// a lane-by-lane `select`, which are said to do the same on hardware.
    ///
    /// ## Why is this bad?
    /// These instructions use the mask registers for themselves. Later instructions run on all lanes, and
    /// overwrite the lanes that the mask should have protected. A mask that has been used before, and that
    /// no `reset_mask()` follows, is taken to be reset on purpose.
    ///
    /// ## Example
    /// ```python
    /// set_mask(0, 0xFF)
    /// muls(scale, scale, 0.5, count=32)    # leaves all lanes active
    /// adds(y, y, 1.0)                      # 64 lanes, not 8
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// muls(scale, scale, 0.5, count=32)
    /// set_mask(0, 0xFF)
    /// adds(y, y, 1.0)
    /// ```
    ///
    /// ## Source
    /// AscendC reference on counter and normal mode: the mask after counted instructions. The
    /// machine leaves the mask alone for `brcb`, `gather` and `select`; there the finding is a doubt.
    "MSK008" "mask-clobbered" Warning, basis = Shape, evidence = Read, property = None
}

fn check(facts: &Facts, sink: &mut Sink) {
    let setters = Setters::of(facts);
    for (stmt, instr) in facts.instructions() {
        if instr.row().mask.consumes()
            && !instr.is_counted()
            && let Some((set, by, certain)) = clobbered(facts, &setters, stmt, instr)
            && !is_meant(facts, set, by)
        {
            report(facts, sink, &setters, (stmt, instr), [set, by], certain);
        }
    }
}

/// Returns the `set_mask`, the instruction that resets it on every path, and whether the reset is certain.
fn clobbered(
    facts: &Facts,
    setters: &Setters,
    stmt: &Stmt,
    instr: &Instr,
) -> Option<(StmtId, StmtId, bool)> {
    let [origin] = facts.analysis.mask_reach.before(stmt.id) else {
        return None;
    };
    let (set, by, certain) = match *origin {
        MaskOrigin::Cleared { set, by } => (set, by, true),
        MaskOrigin::Doubtful { set, by } => (set, by, false),
        _ => return None,
    };
    partial_for(facts, setters, set, mask_lanes(instr)?).then_some((set, by, certain))
}

/// Returns whether the reset is intended: the mask was used before it, and no later instruction resets a mask as if one
/// were still active.
fn is_meant(facts: &Facts, set: StmtId, by: StmtId) -> bool {
    let (mut used, mut is_set, mut is_reset) = (false, false, false);
    for (stmt, instr) in facts.instructions() {
        let row = instr.row();
        match stmt.id {
            id if id == set => is_set = true,
            id if id == by => is_reset = true,
            _ if is_reset && instr.row().resets_mask() => return false,
            _ => used |= is_set && !is_reset && row.mask.consumes() && !instr.is_counted(),
        }
    }
    used && is_reset
}

fn report(
    facts: &Facts,
    sink: &mut Sink,
    setters: &Setters,
    (stmt, instr): (&Stmt, &Instr),
    [set, by]: [StmtId; 2],
    certain: bool,
) {
    let (Some((setting, _)), Some((resetting, resets))) = (setters.get(set), setters.get(by))
    else {
        return;
    };
    let name = call(facts, resets);
    let message = match certain {
        true => format!(
            "{} runs on all lanes: {name} has reset the mask",
            call(facts, instr)
        ),
        false => format!(
            "{} may run on all lanes: hardware resets the mask in {name}",
            call(facts, instr)
        ),
    };
    let report = sink
        .report_from(stmt.origin, stmt.span, message)
        .help(format!(
            "set the mask after {name}; if all lanes are meant, say so with `{}()`",
            facts.program.name_of(Opcode::ResetMask)
        ))
        .label(resetting.span, "the mask is reset here")
        .label(setting.span, "the mask was set here");
    if !certain {
        report.possible();
    }
}
