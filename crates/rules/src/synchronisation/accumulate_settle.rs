use rustc_hash::{FxHashMap, FxHashSet};

use crate::declare_rule;
use crate::wording::{call, view_text};
use crate::{Facts, Sink};
use a2lint_analysis::{Followed, Follower, Interval, PathState, SlotKey, follow_with, slot_key};
use a2lint_ir::finding::Severity;
use a2lint_ir::{
    ArgValue, BufferId, Instr, LocalView, Program, ScalarId, Stmt, StmtId, StmtKind, VariableId,
};
use a2lint_isa::device::FRACTAL;
use a2lint_isa::{Act, Class, DST, Layout, Opcode, Pipe, SRC};
use a2lint_source::text::Span;

declare_rule! {
    /// ## What it does
    /// Reports a product that adds to an accumulator right after another product into it, without
    /// `bar_m()` between the two, if the tile has fewer than ten fractals of 16x16.
    ///
    /// `matmul(..., splitk=)` is such a chain by itself: its steps add to one accumulator with no
    /// barrier between them. It is reported unless k is known to be a single step.
    ///
    /// ## Why is this bad?
    /// Short products are not interlocked: the second one reads the accumulator before the first
    /// has written it. Larger tiles take long enough to be safe.
    ///
    /// ## Example
    /// ```python
    /// mmad(l0c, a0, b0, M=16, N=64, is_init=True)
    /// mmad(l0c, a1, b1, M=16, N=64, is_init=False)   # 1 x 4 fractals
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// mmad(l0c, a0, b0, M=16, N=64, is_init=True)
    /// bar_m()
    /// mmad(l0c, a1, b1, M=16, N=64, is_init=False)
    /// ```
    ///
    /// Compilers of Ascriptor put the barriers there by themselves; for `splitk` of two-byte types with fewer
    /// than 64 rows only since 2026-09-18, of which a note reminds.
    ///
    /// In place of `splitk`, load k in parts and call `matmul` for each, with `bar_m()` before it.
    ///
    /// ## Source
    /// Measured on a 910B3, `splitk` of two-byte types: m = 16 wrong in 500 of 500 runs, m = 32 a fault (507015) in
    /// 200 of 200, m = 64 right in 199 of 200; with barriers right in 2,000 of 2,000. These are errors below 64 rows.
    /// Stated by the AscendC manual: consecutive accumulating products need a barrier of M when
    /// (m/16)·(n/16) < 10. Float chains without one did not fail in 2,000 runs: a warning.
    "SYN016" "accumulate-settle" Warning, basis = Assumption, evidence = Measured
}

/// Number of fractals from which on a tile needs no barrier between products.
const SAFE_FRACTALS: i64 = 10;

/// Number of rows from which on split products of two-byte types were right on a device without a barrier.
const SETTLED_ROWS: i64 = 64;

/// Products that no barrier has settled on some path, by accumulator.
#[derive(Clone, Debug, Default, PartialEq)]
struct Unsettled(FxHashMap<(BufferId, SlotKey, i64), Span>);

impl PathState for Unsettled {
    fn join(&mut self, other: &Self) {
        for (&tile, &product) in &other.0 {
            self.0.entry(tile).or_insert(product);
        }
    }
}

fn check(facts: &Facts, sink: &mut Sink) {
    if facts.program.toolchain.lowering.settles_accumulators {
        for (stmt, instr) in facts.instructions() {
            unsettled_once(facts, stmt, instr, sink);
        }
        return;
    }
    for (stmt, instr) in facts.instructions() {
        split(facts, stmt, instr, sink);
    }
    pairs(facts, sink);
}

/// Reports a product whose own steps accumulate without a barrier between them.
fn split(facts: &Facts, stmt: &Stmt, instr: &Instr, sink: &mut Sink) {
    let Some((dst, step, depth)) = steps(facts, stmt, instr) else {
        return;
    };
    let fractals = fractals(facts.program, instr, dst);
    if fractals.is_some_and(|count| count >= SAFE_FRACTALS) {
        few_rows(facts, stmt, instr, dst, sink);
    }
    let Some(fractals) = fractals.filter(|&count| count < SAFE_FRACTALS) else {
        return;
    };
    let products = match depth.min == depth.max {
        true => format!("{} products", (depth.max + step - 1) / step),
        false => "products".to_owned(),
    };
    let message = format!(
        "{} with splitk={step} adds up {products} in `{}` without bar_m between them: {fractals} fractals \
         of 16x16 take less time than an accumulator needs to settle",
        call(facts, instr),
        view_text(facts, dst)
    );
    let severity = match was_measured(facts, instr, dst) {
        true => Severity::Error,
        false => Severity::Warning,
    };
    sink.report_from(stmt.origin, stmt.span, message)
        .severity(severity)
        .help("loop over parts of k, with `bar_m()` before the product of each; or give the tile ten fractals or more");
}

/// Reports split products of two-byte types that satisfy the size limit of the manual, but have few rows.
fn few_rows(facts: &Facts, stmt: &Stmt, instr: &Instr, dst: &LocalView, sink: &mut Sink) {
    if !was_measured(facts, instr, dst) {
        return;
    }
    let rows = instr.scalar_named("m").unwrap_or(dst.span[0]);
    let (Some(rows), Some(a)) = (facts.program.size(rows), instr.local(SRC)) else {
        return;
    };
    let message = format!(
        "{} has {rows} rows of {}: a board gave wrong sums below {SETTLED_ROWS}, and tiles of {SAFE_FRACTALS} \
         fractals or more were not measured",
        call(facts, instr),
        a.dtype
    );
    sink.report_from(stmt.origin, stmt.span, message)
        .severity(Severity::Info)
        .help("loop over parts of k, with `bar_m()` before the product of each");
}

/// Returns whether split products of this type and number of rows gave wrong sums or faults on a board.
fn was_measured(facts: &Facts, instr: &Instr, dst: &LocalView) -> bool {
    let rows = instr.scalar_named("m").unwrap_or(dst.span[0]);
    let is_short = facts
        .program
        .size(rows)
        .is_some_and(|rows| rows < SETTLED_ROWS);
    is_short && instr.local(SRC).is_some_and(|a| a.dtype.bits() == 16)
}

/// Reports a product of two-byte types with few rows, which compilers of Ascriptor did not settle until 2026-09.
fn unsettled_once(facts: &Facts, stmt: &Stmt, instr: &Instr, sink: &mut Sink) {
    let (Some((dst, step, _)), Some(a)) = (steps(facts, stmt, instr), instr.local(SRC)) else {
        return;
    };
    let rows = instr.scalar_named("m").unwrap_or(dst.span[0]);
    let Some(rows) = facts.program.size(rows).filter(|&rows| rows < SETTLED_ROWS) else {
        return;
    };
    if a.dtype.bits() != 16 {
        return;
    }
    let message = format!(
        "{} with splitk={step} has {rows} rows of {}: compilers before 2026-09-18 put no barrier between its steps",
        call(facts, instr),
        a.dtype
    );
    sink.report_from(stmt.origin, stmt.span, message)
        .severity(Severity::Info)
        .help(format!(
            "with such a compiler give it {SETTLED_ROWS} rows or more, or loop over k with `barrier(Pipe.M)`"
        ));
}

/// Returns the accumulator, the step and the range of the depth of a product that may take several steps.
fn steps<'a>(
    facts: &Facts,
    stmt: &Stmt,
    instr: &'a Instr,
) -> Option<(&'a LocalView, i64, Interval)> {
    let step = facts.program.size(instr.scalar_named("splitk")?)?;
    let at = instr.row().index_named("k")?;
    let depth = facts.analysis.argument(facts.program, stmt.id, instr, at)?;
    (step > 0 && depth.max > step).then_some((instr.local(DST)?, step, depth))
}

/// The products that follow another one into their accumulator without a barrier.
struct Pairs<'p> {
    program: &'p Program,
    /// Each such product, with its accumulator, the number of its fractals and the span of the product before it.
    found: Vec<(&'p Stmt, &'p LocalView, i64, Span)>,
    seen: FxHashSet<StmtId>,
}

impl<'p> Follower<'p, Unsettled> for Pairs<'p> {
    fn step(&mut self, stmt: &'p Stmt, state: &mut Unsettled) {
        match &stmt.kind {
            StmtKind::Instr(instr) if instr.row().class == Class::Matmul => {
                self.product(stmt, instr, state);
            }
            StmtKind::Instr(instr) if settles(instr) => state.0.clear(),
            StmtKind::Assign { variable, .. } => {
                state.keep_slots(|id| self.is_steady(id, *variable))
            }
            // It may contain a barrier.
            StmtKind::Opaque | StmtKind::Havoc(_) => state.0.clear(),
            _ => {}
        }
    }

    fn again(&mut self, stmt: &'p Stmt, state: &mut Unsettled) {
        match &stmt.kind {
            StmtKind::Loop { variable, .. } => state.keep_slots(|id| self.is_steady(id, *variable)),
            _ => state.keep_slots(|id| !self.program.scalars.has_unknown(id)),
        }
    }
}

impl<'p> Pairs<'p> {
    fn product(&mut self, stmt: &'p Stmt, instr: &'p Instr, state: &mut Unsettled) {
        let Some(dst) = instr.local(DST) else { return };
        let Some(start) = start(self.program, dst) else {
            return;
        };
        let tile = (dst.buffer, slot_key(self.program, dst), start);
        if let (Some(&before), Some(fractals)) =
            (state.0.get(&tile), fractals(self.program, instr, dst))
            && fractals < SAFE_FRACTALS
            && accumulates(instr)
            && self.seen.insert(stmt.id)
        {
            self.found.push((stmt, dst, fractals, before));
        }
        state.0.insert(tile, stmt.span);
    }

    /// Returns whether a slot expression picks the same slot after a variable has changed. An unknown value may have
    /// changed with it.
    fn is_steady(&self, slot: ScalarId, changed: VariableId) -> bool {
        let scalars = &self.program.scalars;
        !scalars.mentions(slot, changed) && !scalars.has_unknown(slot)
    }
}

impl Unsettled {
    /// Keeps the accumulators in constant slots, and those in slots that an expression picks as before.
    fn keep_slots(&mut self, is_steady: impl Fn(ScalarId) -> bool) {
        self.0.retain(|(_, slot, _), _| match slot {
            SlotKey::Symbolic(id) => is_steady(*id),
            SlotKey::Constant(_) => true,
        });
    }
}

/// Reports products that follow each other without a barrier.
fn pairs(facts: &Facts, sink: &mut Sink) {
    let program = facts.program;
    let mut pairs = Pairs {
        program,
        found: Vec::new(),
        seen: FxHashSet::default(),
    };
    let end = follow_with(&program.body, Unsettled::default(), &mut pairs);
    let is_whole = matches!(end, Followed::End(_));
    let barrier = program.name_of(Opcode::BarM);
    for (stmt, dst, fractals, before) in pairs.found.into_iter().filter(|_| is_whole) {
        let tile = view_text(facts, dst);
        let message = format!(
            "this product adds to `{tile}` before the one ahead of it may have settled: \
             {fractals} fractals of 16x16 take less time than that, and no {barrier} stands between them"
        );
        let report = sink
            .report_from(stmt.origin, stmt.span, message)
            .help(format!(
                "put `{barrier}()` before the product that accumulates"
            ));
        match before == stmt.span {
            true => drop(report.label(before, "its own last iteration is the one before it")),
            false => drop(report.label(before, "the product ahead of it")),
        }
    }
}

/// Returns where in its slot an accumulator starts: everywhere the same, unless several lie in one slot by address.
/// `None` if that is not constant.
fn start(program: &Program, dst: &LocalView) -> Option<i64> {
    match program.buffer(dst.buffer).layout {
        Layout::Linear => program.size(dst.offset[1]),
        Layout::Nd | Layout::Nz => Some(0),
    }
}

/// Returns whether a product may accumulate.
fn accumulates(instr: &Instr) -> bool {
    !matches!(
        instr.named("is_init").map(|arg| &arg.value),
        Some(ArgValue::Bool(true))
    )
}

/// Returns whether the M pipe is known to be idle after an instruction.
fn settles(instr: &Instr) -> bool {
    match instr.row().class {
        Class::Barrier => matches!(instr.pipe(), Some(Pipe::M | Pipe::All)),
        // The event that M waits for may have been set after its own products.
        Class::Event => matches!(instr.row().signal(), Some((Act::Wait, _))),
        Class::CrossFlag | Class::Mutex => true,
        _ => false,
    }
}

/// Returns the number of fractals of the result, if its extents are constant.
fn fractals(program: &Program, instr: &Instr, dst: &LocalView) -> Option<i64> {
    let given = |names: [&str; 2], axis: usize| {
        let arg = names.into_iter().find_map(|name| instr.named(name))?;
        match &arg.value {
            ArgValue::Scalar(id) => program.size(*id),
            ArgValue::None => program.size(dst.span[axis]),
            _ => None,
        }
    };
    let [m, n] = [given(["m", "M"], 0)?, given(["n", "N"], 1)?];
    Some((m + FRACTAL - 1) / FRACTAL * ((n + FRACTAL - 1) / FRACTAL))
}
