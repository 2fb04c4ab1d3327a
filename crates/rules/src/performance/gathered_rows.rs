use crate::declare_rule;
use crate::performance::gains::{local_views, saves};
use crate::wording::call;
use crate::{Facts, Sink};
use a2lint_analysis::Dependence;
use a2lint_costs::change;
use a2lint_ir::{BufferId, Instr, Program, View};
use a2lint_isa::{Opcode, param};

declare_rule! {
    /// ## What it does
    /// Reports a gather that takes evenly spaced rows of whole blocks, by offsets that the kernel
    /// makes itself, where `ub_to_ub` does the same, and makes the kernel at least 2 % faster by
    /// the [cost model](../cost.md), under the launch of the file that takes longest.
    ///
    /// ## Why is this bad?
    /// A gather takes one element after the other: twelve cycles for 64 floats, where a copy
    /// takes one.
    ///
    /// ## Example
    /// ```python
    /// gather(picked, tile, offsets)          # offsets 0, 4, … 28, 256, 260, … 284, 512, …
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// ub_to_ub(picked, tile[0:64, 0:8])
    /// ```
    ///
    /// ## Source
    /// Published measurements of gathers and copies.
    "PRF009" "gathered-rows" Info, basis = CostModel, pedantic = true
}

/// Upper bound on the gathers that are tried.
const MOST: usize = 8;

fn check(facts: &Facts, sink: &mut Sink) {
    let gathers = facts.instructions();
    let gathers = gathers.filter(|(_, instr)| instr.row().gathers());
    for (stmt, instr) in gathers.take(MOST) {
        let Some(base) = facts.costs.base() else {
            return;
        };
        let Some(rows) = base.gathered.get(&stmt.id) else {
            continue;
        };
        if !makes_offsets(facts.program, instr) {
            continue;
        }
        let changed = change::copied(facts.program, stmt.id, rows);
        let Some(gain) = changed.and_then(|changed| facts.costs.gain(&changed, &base.launch))
        else {
            continue;
        };
        let taken = match rows.count {
            1 => format!("{} bytes that follow each other", rows.length),
            count => format!(
                "{count} rows of {} bytes, {} apart",
                rows.length, rows.pitch
            ),
        };
        let message = format!(
            "{} takes {taken}: one {}() {}",
            call(facts, instr),
            facts.program.name_of(Opcode::UbToUb),
            saves(facts, base, &gain, true)
        );
        sink.report_from(stmt.origin, stmt.span, message)
            .help("copy the rows, without the offsets");
    }
}

/// Returns whether the kernel alone determines the offsets of a gather: they depend neither on data nor on arguments of
/// the launch.
fn makes_offsets(program: &Program, gather: &Instr) -> bool {
    let Some(offsets) = gather.local(param!(class Gather.offset)) else {
        return false;
    };
    let given = Dependence::on_launch(program);
    let mut buffers: Vec<BufferId> = vec![offsets.buffer];
    let mut next = 0;
    while let Some(&buffer) = buffers.get(next) {
        next += 1;
        let instructions = program.instructions().into_iter().map(|(_, instr)| instr);
        for instr in instructions.filter(|instr| instr.writes(buffer)) {
            let is_global = |(_, _, view): (usize, _, &View)| view.global().is_some();
            let is_given = instr.args.iter().any(|arg| given.of_argument(&arg.value));
            if is_given || instr.operands().any(is_global) {
                return false;
            }
            for read in local_views(instr).map(|view| view.buffer) {
                if !buffers.contains(&read) {
                    buffers.push(read);
                }
            }
        }
    }
    true
}
