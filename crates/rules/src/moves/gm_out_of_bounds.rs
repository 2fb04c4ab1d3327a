use crate::declare_rule;
use crate::loaded;
use crate::observations::{Scene, nearby};
use crate::wording::{call, coordinates};
use crate::{Facts, Sink};
use a2lint_analysis::Linear;
use a2lint_ir::finding::{Cause, Severity};
use a2lint_ir::transfer::gives_global_extents;
use a2lint_ir::{GlobalView, Instr, ParamKind, Stmt, View};
use a2lint_isa::DType;
use a2lint_machine::FindingKind;
use a2lint_replay::Observation;

declare_rule! {
    /// ## What it does
    /// Reports a transfer that leaves its global tensor in a run of a launch of the file, of the
    /// configuration or of `--bind`, and one that leaves extents which the signature or the contract gives, or which
    /// follow from sizes near those of such a launch (a warning that names the size: the host may exclude it).
    ///
    /// ## Why is this bad?
    /// After a tensor there is other data, or unmapped memory: the transfer reads or overwrites it, or
    /// stops the device. Along an inner axis it takes the next row instead.
    ///
    /// ## Example
    /// ```python
    /// row0 = Var(tile * TILE_M)
    /// x_in[0:TILE_M, 0:N] <<= x[row0:row0 + TILE_M, 0:N]      # the last tile has fewer rows
    /// ```
    ///
    /// ```cpp
    /// DataCopy(a, gx[t * TILE], TILE);              // the last tile has fewer elements
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// row0 = Var(tile * TILE_M)
    /// rows = Min(TILE_M, M - row0)
    /// x_in[0:rows, 0:N] <<= x[row0:row0 + rows, 0:N]
    /// ```
    ///
    /// ```cpp
    /// uint32_t n = min(TILE, total - t * TILE);
    /// DataCopyPad(a, gx[t * TILE], {1, n * sizeof(float), 0, 0, 0}, {false, 0, 0, 0});
    /// ```
    ///
    /// ## Source
    /// A2 transfers check no bounds of global tensors.
    "MOV001" "gm-out-of-bounds" Error, basis = Constants, property = Bounds,
    causes = ["MOV", "DEV014"]
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        for (operand, described, view) in instr.operands() {
            if let Some(global) = view.global() {
                let write = described.access.writes();
                constant(facts, (stmt, instr, operand), global, write, sink);
            }
        }
    }
    let seen = |observation: &Observation| {
        leaves_bounds(observation) && !is_of_invented_sizes(facts, observation)
    };
    let loaded = loaded::variables(facts.program);
    for scene in Scene::all(facts, seen) {
        let is_loaded = loaded::places(facts.program, &loaded, scene.instr);
        if is_loaded
            && !facts.replay.execution(scene.observation).has_indices
            && !leaves_always(facts, &scene)
        {
            continue;
        }
        let Some(FindingKind::GlobalBounds {
            global,
            axis,
            write,
        }) = scene.observation.kind()
        else {
            continue;
        };
        let (near, name) = (nearby(facts, scene.observation), call(facts, scene.instr));
        let verb = if write { "writes" } else { "reads" };
        let shape = &facts.replay.execution(scene.observation).bound.globals[global.index()].shape;
        let tensor = &facts.program.global(global).name;
        let place = scene.observation.element.filter(|element| *element >= 0);
        let place = place.map(|element| coordinates(element, shape));
        let outside = format!("{near}{name} {verb} outside of `{tensor}` {shape:?}");
        let message = match (axis.and_then(|axis| Some((axis, shape.get(axis)?))), place) {
            (Some((axis, extent)), Some(start)) => format!(
                "{outside}: axis {axis} has {extent} elements, and the transfer starts at {start:?}"
            ),
            (Some((axis, extent)), None) => {
                format!("{outside}: axis {axis} has {extent} elements")
            }
            (None, Some(first)) => format!("{outside}: {first:?} is the first element outside"),
            (None, None) => outside,
        };
        // No length helps a transfer that begins at the end of the tensor or after it.
        let begins = scene.observation.element;
        let end = shape.iter().product::<i64>();
        let is_past = axis.is_some() && begins.is_some_and(|element| element >= end);
        let report = scene.report(facts, sink, message);
        let mut report = match is_past {
            true => report.advice(
                "all of it lies past the end: leave the transfer out (`if (start < extent)`), or start as many \
                 lanes as have work",
            ),
            false => report
                .help("cut the transfer to what is left: `Min(tile, extent - start)`, on both sides")
                .in_cpp(
                    "cut the last transfer to what is left, with `DataCopyPad`: `blockLen` is in bytes",
                ),
        };
        if let Some((axis, &extent)) = axis.and_then(|axis| Some((axis, shape.get(axis)?))) {
            report = report.cause(Cause::Beyond { axis, extent });
        }
        if has_no_sizes(facts) {
            report.severity(Severity::Error);
        }
    }
}

/// Returns whether an access at a loaded offset is out of bounds for every loaded value.
fn leaves_always(facts: &Facts, scene: &Scene) -> bool {
    let bound = &facts.replay.execution(scene.observation).bound;
    let view = scene.view().and_then(View::global);
    view.is_some_and(|view| loaded::leaves_always(facts.program, bound, view))
}

/// Returns whether launches choose no sizes: extents are constants, and the other parameters are floats. An access
/// outside of a tensor then happens in every launch.
fn has_no_sizes(facts: &Facts) -> bool {
    let program = facts.program;
    let mut params = program.params.iter();
    params.all(|param| match param.kind {
        ParamKind::Global(id) => {
            let shape = &program.global(id).shape;
            shape.iter().all(|&extent| program.size(extent).is_some())
        }
        ParamKind::Variable(id) => program.variable(id).dtype.is_some_and(DType::is_float),
        ParamKind::Constant => true,
        ParamKind::Unknown => false,
    })
}

/// Reports an access whose position and the extents of its tensor are constants.
fn constant(
    facts: &Facts,
    (stmt, instr, operand): (&Stmt, &Instr, usize),
    view: &GlobalView,
    write: bool,
    sink: &mut Sink,
) -> Option<()> {
    if gives_global_extents(instr, operand) {
        // The rows of such a move may continue over the end of an axis on purpose.
        return None;
    }
    let window = facts.analysis.global_window(stmt.id, operand)?;
    let number = |number: &Option<Linear>| number.as_ref()?.as_constant();
    let spans = window.axes.iter().map(|axis| number(&axis[1]));
    if !spans
        .into_iter()
        .all(|span| span.is_some_and(|span| span > 0))
    {
        return None;
    }
    let (axis, [start, end, extent]) = window.axes.iter().enumerate().find_map(|(at, axis)| {
        let [start, span, extent] = axis.each_ref().map(number);
        let (start, extent) = (start?, extent?);
        let end = start.checked_add(span?)?;
        (start < 0 || end > extent).then_some((at, [start, end, extent]))
    })?;
    let (name, verb) = (call(facts, instr), if write { "writes" } else { "reads" });
    let tensor = &facts.program.global(view.global).name;
    let what = match (axis, window.axes.len()) {
        (0, 2) => "rows".to_owned(),
        (1, 2) => "columns".to_owned(),
        _ => format!("elements on axis {axis}"),
    };
    let message = format!("`{tensor}` has {extent} {what}; {name} {verb} {start}..{end}");
    sink.report_from(stmt.origin, stmt.span, message)
        .advice("cut the transfer to what is there, or declare a larger tensor")
        .cause(Cause::Beyond { axis, extent });
    Some(())
}

/// Returns whether the access is out of bounds only with sizes that the checker invented, not with sizes of a launch,
/// contract or binding: the kernel may be written for one size.
fn is_of_invented_sizes(facts: &Facts, seen: &Observation) -> bool {
    let execution = &facts.replay.executions[seen.execution];
    execution.is_invented && !execution.has_extents && !has_no_sizes(facts)
}

fn leaves_bounds(seen: &Observation) -> bool {
    matches!(seen.kind(), Some(FindingKind::GlobalBounds { .. }))
}
