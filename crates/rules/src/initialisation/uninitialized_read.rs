use rustc_hash::FxHashSet;

use crate::declare_rule;
use crate::device::wrong_side;
use crate::initialisation::last_writer::LastWriter;
use crate::initialisation::setvalue_fill;
use crate::initialisation::zero_by_multiply::clears;
use crate::mask::masks::{Setters, partial_for};
use crate::observations::{Cause, Scene, labelled, undefined_scenes, use_of, witnessed, writers};
use crate::source_forms::zero_literal;
use crate::wording::{allocated_at, allocation, call, counted, tensor};
use crate::{Facts, Report, Sink};
use a2lint_analysis::{MaskOrigin, SlotKey, Touch, UndefinedRead, mask_lanes, slot_key};
use a2lint_ir::{BufferId, Instr, Note, NoteKind, PythonNote, ScalarId, Stmt, VariableKind};
use a2lint_isa::{BLOCK_BYTES, DST, Opcode, Place, Position};
use a2lint_replay::{Event, Source};

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
    /// ```cpp
    /// DataCopy(a, gx, 20);                          // half: whole blocks of 16 elements
    /// Adds(b, a, one, 20);
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// dup(acc, 0.0)
    /// for k in range(steps):
    ///     add(acc, acc, part)
    /// ```
    ///
    /// ```cpp
    /// DataCopyPad(a, gx, {1, 20 * sizeof(half), 0, 0, 0}, {false, 0, 0, 0});
    /// Adds(b, a, one, 20);
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
    unset(facts, sink);
    let setters = Setters::of(facts);
    for (scene, others) in undefined_scenes(facts, Cause::Unwritten) {
        let masked = masked(facts, &setters, &scene);
        let clause = masked.as_ref().map(|masked| masked.clause(facts));
        let message = use_of(facts, &scene) + &clause.unwrap_or_default();
        let report = scene.report(facts, sink, message);
        let report = match masked {
            Some(masked) => masked.explain(facts, report),
            None => short_write(facts, report, &scene),
        };
        labelled(report, facts, &scene, &others);
    }
}

/// Reports scalars that a launch reads and nothing has set, and objects that it uses unprepared.
fn unset(facts: &Facts, sink: &mut Sink) {
    // The DSL's own tracer raises an exception at the first such read, which `trace-error` reports.
    let is_raised =
        |note: &Note| matches!(note.kind, NoteKind::Python(PythonNote::TraceError { .. }));
    if facts.program.notes.iter().any(is_raised) {
        return;
    }
    // Code that is not read may have set it.
    if !facts.program.unknown.is_empty() {
        return;
    }
    for observation in &facts.replay.observations {
        let Event::Unset(variable) = observation.event else {
            continue;
        };
        let reading = observation.stmt.and_then(|id| facts.program.statement(id));
        let variable = facts.program.variable(variable);
        let message = variable.without_value(true);
        let report = match reading {
            Some(stmt) => sink.report_seen(stmt.origin, stmt.span, message),
            None => sink.report(facts.program.name_span, message),
        };
        let report = witnessed(report, facts, observation);
        match variable.kind {
            VariableKind::Prepared(_) => report.label(variable.span, "on another path").advice(
                "prepare it on every path that uses it, or use it only where it is prepared",
            ),
            _ => report.advice("set it on every path that reads it"),
        };
    }
}

/// An instruction that has written a part of a tensor under a mask.
struct Masked<'a> {
    stmt: &'a Stmt,
    instr: &'a Instr,
    setting: &'a Stmt,
    by: &'a Instr,
}

impl Masked<'_> {
    /// Formats the mask in force: `: exp() writes only the lanes of the mask of set_mask() in line 13`.
    fn clause(&self, facts: &Facts) -> String {
        let (name, by) = (call(facts, self.instr), call(facts, self.by));
        let line = facts.source.line_column(self.setting.span.start).line;
        format!(": {name} writes only the lanes of the mask of {by} in line {line}")
    }

    /// Says what to do about the lanes that the mask leaves out.
    fn explain<'s>(&self, facts: &Facts, report: Report<'s>) -> Report<'s> {
        let name = call(facts, self.instr);
        let reset = facts.program.name_of(Opcode::ResetMask);
        let line = facts.source.line_column(self.stmt.span.start).line;
        report
            .advice(format!(
                "put `{reset}()` before {name} in line {line} if it is meant to write all lanes; else compute the \
                 others as well, or store only what it writes"
            ))
            .label(
                self.stmt.span,
                format!("{name} writes only the lanes of the mask here"),
            )
            .label(self.setting.span, "the mask in force")
    }
}

/// Returns the last write of the undefined buffer before the read, if all of them are under masks: otherwise another
/// write may be the one that is too short.
fn masked<'a>(facts: &Facts<'a>, setters: &Setters<'a>, scene: &Scene) -> Option<Masked<'a>> {
    let origin = scene.observation.origin.as_ref()?;
    let mut last = None;
    for stmt in writers(facts, origin.source) {
        if stmt.id < origin.stmt {
            last = Some(under_mask(facts, setters, stmt)?);
        }
    }
    last
}

/// Returns an instruction with the mask that leaves out some of its lanes; `None` if no known mask does.
fn under_mask<'a>(facts: &Facts<'a>, setters: &Setters<'a>, stmt: &'a Stmt) -> Option<Masked<'a>> {
    let instr = stmt.kind.instr()?;
    if !instr.row().mask.consumes() || instr.is_counted() {
        return None;
    }
    let lanes = mask_lanes(instr)?;
    let origins = facts.analysis.mask_reach.before(stmt.id);
    origins.iter().find_map(|mask| {
        let MaskOrigin::Set(set) = *mask else {
            return None;
        };
        let (setting, by) = setters.get(set)?;
        partial_for(facts, setters, set, lanes).then_some(Masked {
            stmt,
            instr,
            setting,
            by,
        })
    })
}

/// Adds the help for data that nothing has written, with the instruction that has written the rest.
fn short_write<'s>(facts: &Facts, report: Report<'s>, scene: &Scene) -> Report<'s> {
    let report = report
        .help(replayed_help(facts, scene))
        .in_cpp(cpp_help(facts, scene));
    if let Some((load, instr, elements)) = ending_load(facts, scene) {
        let name = call(facts, instr);
        return report
            .in_cpp(format!(
                "{name} fills {elements} and no more: `DataCopy` moves whole blocks of 32 bytes, `DataCopyPad` any \
                 number of bytes"
            ))
            .label(load.span, format!("{name} fills {elements} here"));
    }
    match LastWriter::of(facts, scene) {
        Some(writer) => writer.explain(report),
        None => report,
    }
}

/// Formats what to do about undefined data in a replay of a kernel in C++.
fn cpp_help(facts: &Facts, scene: &Scene) -> String {
    let origin = scene.observation.origin.as_ref();
    let read = origin.and_then(|origin| {
        let Source::Buffer(id) = origin.source else {
            return None;
        };
        let reader = facts.program.instruction(origin.stmt)?;
        let label = facts.program.buffer(id).label();
        Some(format!(
            "load or compute all of `{label}` that {} reads",
            call(facts, reader)
        ))
    });
    let read = read.unwrap_or_else(|| "load or compute all of what is read".to_owned());
    format!("{read}, on every path")
}

/// Returns the load of one row that ends in front of the undefined data, on a block, with the number of its elements.
fn ending_load<'a>(facts: &Facts<'a>, scene: &Scene) -> Option<(&'a Stmt, &'a Instr, String)> {
    let origin = scene.observation.origin.as_ref()?;
    let first = origin.part.first;
    writers(facts, origin.source).into_iter().find_map(|stmt| {
        let instr = stmt.kind.instr()?;
        if !instr.row().moves(Place::Gm, Place::UB) || first % BLOCK_BYTES != 0 {
            return None;
        }
        let number = |id: ScalarId| facts.program.size(id);
        let view = instr.local(DST)?;
        let rows = instr.scalar_named("n_burst").map_or(Some(1), number)?;
        let length = number(instr.scalar_named("burst_len_element")?)?;
        let start = number(view.offset[1]).filter(|_| number(view.offset[0]) == Some(0))?;
        let end = view.dtype.bytes_of(start.checked_add(length)?);
        (rows == 1 && end == first).then(|| (stmt, instr, counted(length, "element")))
    })
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
    let dialect = facts.program.dialect;
    let parameter = dialect.parameter(touch.instr.row(), touch.operand);
    let parameter = parameter.unwrap_or_default();
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
