use crate::declare_rule;
use crate::memory::capacity::{overflows, report_launched};
use crate::observations::Scene;
use crate::source_forms::append_argument;
use crate::wording::call;
use crate::{Facts, Report, Sink};
use a2lint_ir::finding::Edit;
use a2lint_ir::{Instr, Staged, Stmt, round_up};
use a2lint_isa::device::FRACTAL;
use a2lint_isa::{Position, sizes_text};
use a2lint_machine::Illegality;
use a2lint_replay::{Event, Observation};
use a2lint_source::text::Span;

declare_rule! {
    /// ## What it does
    /// Reports `matmul` operands above 32 KB, and L0A or L0B tensors above 64 KB in sum.
    ///
    /// The left operand of one step takes `m * k` elements, the right one `n * k`, with `k` cut by
    /// `splitk`, `n` cut by `splitn`, and both rounded up to fractals.
    ///
    /// ## Why is this bad?
    /// L0A and L0B hold 64 KB each, and `matmul` loads one half while the cube reads the other. An
    /// operand above 32 KB runs over the half that is being read.
    ///
    /// ## Example
    /// ```python
    /// matmul(acc, l1_a, l1_b, m=128, n=128, k=512)             # half: 128 * 512 * 2 bytes
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// matmul(acc, l1_a, l1_b, m=128, n=128, k=512, splitk=128)
    /// ```
    ///
    /// ## Fix safety
    /// Unsafe: the split changes the order in which the cube works, and with it the timing. The
    /// product is the same.
    ///
    /// ## Source
    /// Capacities of the Ascend 910B family; the DSL's `matmul` uses two 32 KB halves.
    "CAP004" "l0ab-overflow" Error, basis = Constants, causes = ["CAP"], fix = Unsafe
}

fn check(facts: &Facts, sink: &mut Sink) {
    for position in [Position::L0A, Position::L0B] {
        for overflow in overflows(facts, position) {
            let report = sink.report(overflow.span(), overflow.message(facts));
            overflow
                .label(report)
                .help(format!("largest first: {}", overflow.list()));
        }
        report_launched(facts, position, sink);
    }
    for (stmt, instr) in facts.instructions() {
        if instr.row().stages_operands() {
            matmul(facts, stmt, instr, sink);
        }
    }
    let is_staging =
        |seen: &Observation| matches!(seen.event, Event::Illegal(Illegality::Staging { .. }));
    for scene in Scene::all(facts, is_staging) {
        launched(facts, &scene, sink);
    }
}

/// Reports a step whose operand exceeds its half of L0 with the sizes of a launch.
fn launched(facts: &Facts, scene: &Scene, sink: &mut Sink) -> Option<()> {
    let Event::Illegal(Illegality::Staging {
        operand,
        position,
        bytes,
        room,
    }) = scene.observation.event
    else {
        return None;
    };
    let name = facts
        .program
        .buffer(scene.instr.local(operand)?.buffer)
        .label();
    let [needed, limit] = sizes_text([bytes, room]);
    let message = format!(
        "{} loads {needed} of `{name}` to {position} at once; it has {limit} of {position} per buffer",
        call(facts, scene.instr)
    );
    scene
        .report(facts, sink, message)
        .help("step through k in parts: `splitk=128`, or limit the size");
    Some(())
}

/// An operand that `matmul` loads into half of L0A or L0B, with the places to show.
struct Half {
    staged: Staged,
    span: Span,
    declared: Span,
}

fn matmul(facts: &Facts, stmt: &Stmt, instr: &Instr, sink: &mut Sink) {
    let (left, right) = (half(facts, instr, 1), half(facts, instr, 2));
    for (one, other) in [(&left, &right), (&right, &left)] {
        let Some(one) = one.as_ref().filter(|one| !one.staged.fits()) else {
            continue;
        };
        let report = sink
            .report_from(stmt.origin, one.span, message(&one.staged))
            .label(one.declared, "loaded from here");
        let other = other.as_ref().map(|other| &other.staged);
        suggest(facts, stmt, instr, &one.staged, other, report);
    }
}

fn message(half: &Staged) -> String {
    let (rows, depth) = (half.rows, half.depth);
    let [needed, limit] = sizes_text([half.bytes(), half.room]);
    format!(
        "{}={rows} by k={depth} of {} needs {needed}; matmul() has {limit} of {} per buffer",
        half.extent, half.dtype, half.position,
    )
}

fn half(facts: &Facts, instr: &Instr, operand: usize) -> Option<Half> {
    let view = instr.local(operand)?;
    Some(Half {
        staged: Staged::of(facts.program, instr, operand)?,
        span: view.site,
        declared: facts.program.buffer(view.buffer).span,
    })
}

/// Adds the split that makes the operand fit to the help, and a fix if the call can be edited.
fn suggest(
    facts: &Facts,
    stmt: &Stmt,
    instr: &Instr,
    one: &Staged,
    other: Option<&Staged>,
    report: Report,
) {
    // If k cannot be split far enough but the other operand fits as it is, a split of n reduces this one.
    let whole_n = one.position == Position::L0B && other.is_some_and(Staged::fits);
    let splits_n = instr.scalar_named("splitn").is_some();
    let deepest = one.deepest().min(other.map_or(i64::MAX, Staged::deepest));
    if splits_n || (deepest <= 0 && whole_n) {
        let elements = one.room * 8 / one.dtype.bits();
        let widest = elements / round_up(one.depth, one.dtype.c0()) / FRACTAL * FRACTAL;
        if one.position == Position::L0B && widest > 0 {
            let split = divisor(one.rows, widest, FRACTAL);
            report.help(format!("step through n in parts: `splitn={split}`"));
        }
        return;
    }
    if deepest <= 0 {
        return;
    }
    let split = divisor(one.depth, deepest, one.dtype.c0().max(FRACTAL));
    let argument = format!("splitk={split}");
    let report = report.help(format!("step through k in parts: `{argument}`"));
    if let Some(edit) = split_edit(facts, stmt, instr, split, &argument) {
        report.fix(format!("set {argument}"), false, vec![edit]);
    }
}

fn split_edit(
    facts: &Facts,
    stmt: &Stmt,
    instr: &Instr,
    split: i64,
    argument: &str,
) -> Option<Edit> {
    match instr.named("splitk")?.span() {
        Some(span) => Some(Edit {
            span,
            text: split.to_string(),
        }),
        None => append_argument(facts, stmt, argument),
    }
}

/// Returns the largest multiple of the granule that divides `whole` and is at least half of `limit`, or `limit`
/// if there is none.
fn divisor(whole: i64, limit: i64, granule: i64) -> i64 {
    let mut candidate = limit / granule * granule;
    while candidate * 2 >= limit && candidate > 0 {
        if whole % candidate == 0 {
            return candidate;
        }
        candidate -= granule;
    }
    limit
}
