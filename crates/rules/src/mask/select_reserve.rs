use crate::declare_rule;
use crate::wording::call;
use crate::{Facts, Sink};
use a2lint_ir::{ArgValue, Instr};
use a2lint_isa::{Class, Position};

declare_rule! {
    /// ## What it does
    /// Reports the first `select` of a kernel that leaves less than 8 KB of UB unused, where no
    /// select names a work area of its own.
    ///
    /// ## Why is this bad?
    /// AscendC reserves 8 KB of UB for its `Select` on A2. Where the toolchain does so, a kernel that
    /// fills UB to the brim does not fit any more.
    ///
    /// ## Example
    /// ```python
    /// tile = QBuff(DT.float, [64, 188], Position.UB)     # 192512 of 196608 bytes
    /// select(tile[0], keep, tile[0], 0.0)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// tile = QBuff(DT.float, [64, 176], Position.UB)     # leaves 16 KB
    /// ```
    ///
    /// ## Source
    /// AscendC reference on `Select`: reserved space. The A2 device constraints do not mention it,
    /// hence pedantic.
    "MSK012" "select-reserve" Warning, basis = Assumption, property = Capacity, pedantic = true
}

/// UB bytes that AscendC's select reserves for itself.
const RESERVED: i64 = 8 * 1024;

fn check(facts: &Facts, sink: &mut Sink) {
    let Some(used) = facts.memory.used(Position::Ub) else {
        return;
    };
    let free = facts.program.device.capacity(Position::Ub) - used;
    let mut selects = facts
        .instructions()
        .filter(|(_, instr)| instr.row().class == Class::Select);
    let brings_its_own = |instr: &Instr| {
        let area = instr.named("tmp_addr_buf").map(|arg| &arg.value);
        matches!(area, Some(ArgValue::View(_)))
    };
    if !(0..RESERVED).contains(&free) || selects.clone().any(|(_, instr)| brings_its_own(instr)) {
        return;
    }
    if let Some((stmt, instr)) = selects.next() {
        let message = format!(
            "{} may want {RESERVED} bytes of UB for itself, and the kernel leaves {free}",
            call(facts, instr)
        );
        sink.report_from(stmt.origin, stmt.span, message)
            .help(format!(
                "free {} bytes of UB, or pass a work area (`tmp_addr_buf=`)",
                RESERVED - free
            ));
    }
}
