use crate::declare_rule;
use crate::wording::{call, view_text};
use crate::{Facts, Sink};
use a2lint_analysis::{HastyProduct, Interval, SAFE_FRACTALS, Waits, fractals, hasty_products};
use a2lint_ir::finding::Severity;
use a2lint_ir::{Instr, LocalView, Stmt};
use a2lint_isa::{DST, Opcode, SRC};

declare_rule! {
    /// ## What it does
    /// Reports a product that adds to an accumulator right after another product into it, if the tile has fewer
    /// than ten fractals of 16x16, and neither `bar_m()` nor an event that M sets and the next product awaits stands
    /// between the two.
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

/// Number of rows from which on split products of two-byte types were right on a device without a barrier.
const SETTLED_ROWS: i64 = 64;

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
    let fractals = fractals(facts.analysis, facts.program, stmt, instr, dst);
    let fractals = fractals.filter(|it| it.min == it.max).map(|it| it.max);
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

/// Reports products that follow each other without a barrier.
fn pairs(facts: &Facts, sink: &mut Sink) {
    let program = facts.program;
    let barrier = program.name_of(Opcode::BarM);
    for HastyProduct {
        stmt,
        instr,
        dst,
        before,
    } in hasty_products(program, Waits::Settle).unwrap_or_default()
    {
        let count = fractals(facts.analysis, program, stmt, instr, dst);
        let Some(count) = count.filter(|count| count.max < SAFE_FRACTALS) else {
            continue;
        };
        let most = match count.min == count.max {
            true => "",
            false => "at most ",
        };
        let tile = view_text(facts, dst);
        let message = format!(
            "this product adds to `{tile}` before the one before it may be complete: {most}{} fractals of 16x16 \
             (fewer than {SAFE_FRACTALS}), and neither {barrier} nor an event of M stands between them",
            count.max
        );
        let report = sink
            .report_from(stmt.origin, stmt.span, message)
            .advice(format!(
                "put `{barrier}()` before the product that accumulates"
            ));
        let Some(before) = program.statement(before).map(|it| it.span) else {
            continue;
        };
        match before == stmt.span {
            true => drop(report.label(before, "its own last iteration is the one before it")),
            false => drop(report.label(before, "the product before it")),
        }
    }
}
