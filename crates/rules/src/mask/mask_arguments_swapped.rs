use crate::declare_rule;
use crate::wording::call;
use crate::{Facts, Report, Sink};
use a2lint_analysis::mask_lanes;
use a2lint_ir::finding::Edit;
use a2lint_ir::{Instr, OriginId, Stmt, StmtKind};
use a2lint_source::text::Span;

declare_rule! {
    /// ## What it does
    /// Reports `set_mask(mask, 0)` where every instruction up to the next change of the mask works
    /// on elements of four bytes or more.
    ///
    /// ## Why is this bad?
    /// The first argument is the high word: lanes 64 to 127. A repeat of 4-byte elements has 64
    /// lanes, which the low word alone controls. With the low word 0 no lane is active, and the
    /// instructions do nothing.
    ///
    /// ## Example
    /// ```python
    /// set_mask(0xFFFF, 0)
    /// adds(y, x, 1.0)              # float: no lane is active
    /// reset_mask()
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// set_mask(0, 0xFFFF)
    /// ```
    ///
    /// ## Fix safety
    /// The two arguments change places. The instructions did nothing before.
    ///
    /// ## Source
    /// Vector mask constraints, section 2: `set_mask(mask_high, mask_low)`.
    "MSK005" "mask-arguments-swapped" Warning, basis = Shape, property = None, fix = Safe
}

/// Number of lanes that the low word controls.
const LOW_LANES: i64 = 64;

fn check(facts: &Facts, sink: &mut Sink) {
    block(facts, sink, &facts.program.body, true);
}

/// Examines a block and the blocks in it. The mask is known to be unused after the end of the outermost block
/// only.
fn block(facts: &Facts, sink: &mut Sink, stmts: &[Stmt], outermost: bool) {
    let mut flat = Vec::new();
    flatten(stmts, &mut flat);
    for (at, stmt) in flat.iter().enumerate() {
        match &stmt.kind {
            StmtKind::Instr(instr) if low_word_is_zero(facts, instr) => {
                let victims = idle(&flat[at + 1..], outermost);
                if let Some(first) = victims.and_then(|victims| victims.first().copied()) {
                    report(facts, sink, stmt, instr, first);
                }
            }
            kind => {
                for nested in kind.blocks() {
                    block(facts, sink, nested, false);
                }
            }
        }
    }
}

/// Collects statements in order of execution; bodies of `with` blocks count as part of the block around them.
fn flatten<'a>(stmts: &'a [Stmt], flat: &mut Vec<&'a Stmt>) {
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::AutoSync { body, .. }
            | StmtKind::Scope { body, .. }
            | StmtKind::Atomic { body, .. } => flatten(body, flat),
            _ => flat.push(stmt),
        }
    }
}

/// Returns whether an instruction is `set_mask(x, 0)` with an `x` that is not 0.
fn low_word_is_zero(facts: &Facts, instr: &Instr) -> bool {
    let word = |name: &str| facts.program.scalars.as_int(instr.scalar_named(name)?);
    instr.row().sets_mask() && word("mask_low") == Some(0) && word("mask_high") != Some(0)
}

/// Returns the instructions that run under the mask, if all of them use its low word only and the end of the
/// mask's scope is known.
fn idle<'a>(rest: &[&'a Stmt], outermost: bool) -> Option<Vec<&'a Stmt>> {
    let mut victims = Vec::new();
    for &stmt in rest {
        if let StmtKind::Instr(instr) = &stmt.kind
            && changes_mask(instr)
        {
            return Some(victims);
        }
        let mut known = true;
        stmt.walk(&mut |inner| match &inner.kind {
            StmtKind::Instr(instr) if changes_mask(instr) => known = false,
            StmtKind::Instr(instr) if instr.row().mask.consumes() => {
                known &= mask_lanes(instr) <= Some(LOW_LANES);
                known &= mask_lanes(instr).is_some();
                victims.push(inner);
            }
            StmtKind::Opaque | StmtKind::Break | StmtKind::Continue => known = false,
            _ => {}
        });
        if !known {
            return None;
        }
    }
    outermost.then_some(victims)
}

fn changes_mask(instr: &Instr) -> bool {
    instr.is_counted() || instr.row().changes_mask()
}

fn report(facts: &Facts, sink: &mut Sink, stmt: &Stmt, instr: &Instr, first: &Stmt) {
    let name = facts.program.call_name(instr);
    let message = format!(
        "{} switches off lanes 0 to 63, and no instruction under it has others: its first \
         argument is the high word",
        call(facts, instr)
    );
    let [high, low] = words(instr).map(|span| span.map(|span| facts.source.slice(span)));
    let (high, low) = (high.unwrap_or("mask"), low.unwrap_or("0"));
    let report = sink
        .report_from(stmt.origin, stmt.span, message)
        .help(format!("swap the arguments: `{name}({low}, {high})`"))
        .label(first.span, "has no active lane");
    if stmt.origin == OriginId(0) {
        offer_swap(facts, report, instr);
    }
}

/// Returns where the high and the low word are written.
fn words(instr: &Instr) -> [Option<Span>; 2] {
    ["mask_high", "mask_low"].map(|name| instr.named(name)?.span())
}

fn offer_swap(facts: &Facts, report: Report, instr: &Instr) {
    let [Some(high), Some(low)] = words(instr) else {
        return;
    };
    let edit = |span, text| Edit {
        span,
        text: facts.source.slice(text).to_owned(),
    };
    report.fix(
        "swap the arguments",
        true,
        vec![edit(high, low), edit(low, high)],
    );
}
