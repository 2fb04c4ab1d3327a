use rustc_hash::FxHashSet;

use crate::declare_rule;
use crate::device::wrong_side;
use crate::initialisation::setvalue_fill;
use crate::initialisation::zero_by_multiply::clears;
use crate::observations::{Cause, Scene, labelled, undefined_scenes, use_of};
use crate::source_forms::zero_literal;
use crate::wording::{allocated_at, allocation, call, tensor};
use crate::{Facts, Sink};
use a2lint_analysis::{SlotKey, Touch, UndefinedRead, slot_key};
use a2lint_ir::BufferId;
use a2lint_isa::{Opcode, Position};
use a2lint_replay::Source;

declare_rule! {
    /// ## What it does
    /// Reports an instruction with an operand of which no byte has been written, on whichever path
    /// the kernel takes, and undefined elements that a replay saw reach an output, a reduction,
    /// a scalar or an index. Workspaces carry undefined elements on without a finding: a tail tile
    /// may be stored whole. Where they matter in the end, the finding names the stores on the way.
    /// The first such use of a tensor is reported.
    ///
    /// A reduction of undefined elements counts only if something that came from the same memory
    /// reaches an output, a scalar or an index: the sums of rows that are never stored do no harm.
    ///
    /// ## Why is this bad?
    /// On-chip memory holds arbitrary bits when a kernel starts: what an earlier kernel left there.
    /// A result that depends on them is right by chance.
    ///
    /// ## Example
    /// ```python
    /// acc = Tensor(DT.float, [64, 64], Position.UB)
    /// for k in range(steps):
    ///     add(acc, acc, part)          # the first step adds to nothing
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// dup(acc, 0.0)
    /// for k in range(steps):
    ///     add(acc, acc, part)
    /// ```
    ///
    /// ## Source
    /// A2 device constraints, section 6: there is no zero-initialisation.
    "INI001" "uninitialized-read" Error, basis = AnyLaunch
}

/// Upper bound on the later reads of the same tensor that a finding labels.
const LABELLED_READS: usize = 2;

fn check(facts: &Facts, sink: &mut Sink) {
    // Instructions on the wrong side are not executed and write nothing; `wrong-side` explains the reads.
    if wrong_side::has_any(facts) {
        return;
    }
    let explained = explained_elsewhere(facts);
    let reads: Vec<&UndefinedRead> = facts
        .analysis
        .undefined_reads
        .iter()
        .filter(|read| read.entirely && !explained.contains(&read.touch) && !clears(facts, read))
        .collect();
    let mut slots = FxHashSet::default();
    for read in &reads {
        let touch = &facts.analysis.touches[read.touch];
        if slots.insert(slot_of(facts, touch)) {
            report(facts, sink, touch, &reads);
        }
    }
    for (scene, others) in undefined_scenes(facts, Cause::Unwritten) {
        let report = scene
            .report(facts, sink, use_of(facts, &scene))
            .help(replayed_help(facts, &scene))
            .in_cpp("load or compute all of what is read, on every path");
        labelled(report, facts, &scene, &others);
    }
}

/// Formats what to do about undefined data in a replay.
fn replayed_help(facts: &Facts, scene: &Scene) -> String {
    let origin = scene.observation.origin.as_ref();
    match origin.map(|origin| origin.source) {
        Some(Source::Buffer(id)) if facts.program.buffer(id).position == Position::Ub => {
            let buffer = facts.program.buffer(id);
            format!(
                "write what is used of `{0}` on every path, or fill it before: `{1}({0}, {2})`",
                buffer.label(),
                facts.program.name_of(Opcode::Dup),
                zero_literal(buffer.dtype)
            )
        }
        Some(Source::Buffer(id)) => {
            let label = facts.program.buffer(id).label();
            format!("load all of `{label}` that is used, or give the extents that were loaded")
        }
        _ => "write it before it is read".to_owned(),
    }
}

/// Returns the reads whose cause another rule reports.
fn explained_elsewhere(facts: &Facts) -> FxHashSet<usize> {
    let gaps = facts.analysis.gaps.iter();
    let mut explained: FxHashSet<usize> = gaps.flat_map(|gap| gap.readers.clone()).collect();
    explained.extend(setvalue_fill::explained_reads(facts));
    explained
}

fn slot_of(facts: &Facts, touch: &Touch) -> (BufferId, SlotKey) {
    (touch.view.buffer, slot_key(facts.program, touch.view))
}

fn report(facts: &Facts, sink: &mut Sink, touch: &Touch, reads: &[&UndefinedRead]) {
    let buffer = facts.program.buffer(touch.view.buffer);
    let parameter = touch
        .instr
        .row()
        .param(touch.operand)
        .map_or("", |param| param.name);
    let message = format!(
        "{} reads {} (its `{parameter}`), and nothing has written it: {} is undefined when a kernel starts",
        call(facts, touch.instr),
        tensor(facts, touch.view),
        buffer.position
    );
    let report = sink
        .report_from(touch.stmt.origin, touch.view.site, message)
        .help(help(facts, touch))
        .in_cpp("load it, or fill it first with `Duplicate`")
        .label(
            allocated_at(facts, touch.view),
            format!("{} is allocated here", allocation(facts, buffer)),
        );
    let later = reads
        .iter()
        .map(|read| &facts.analysis.touches[read.touch])
        .filter(|later| {
            later.stmt.id > touch.stmt.id
                && later.view.site != touch.view.site
                && slot_of(facts, later) == slot_of(facts, touch)
        });
    later.take(LABELLED_READS).fold(report, |report, later| {
        report.label(later.view.site, "read here too")
    });
}

fn help(facts: &Facts, touch: &Touch) -> String {
    let buffer = facts.program.buffer(touch.view.buffer);
    match buffer.position {
        Position::Ub => format!(
            "load it, or fill it first: `{}({}, {})`",
            facts.program.name_of(Opcode::Dup),
            buffer.label(),
            zero_literal(buffer.dtype)
        ),
        _ => "load it before it is read".to_owned(),
    }
}
