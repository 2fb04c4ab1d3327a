use rustc_hash::FxHashSet;

use crate::declare_rule;
use crate::operand_walks::{columns, is_broadcast, operand_name, rows};
use crate::wording::{allocated_at, call, elements, tensor};
use crate::{Facts, Sink};
use a2lint_analysis::{Arrangement, resolved, type_fault};
use a2lint_ir::{Instr, LocalView, Program, Stmt, StmtId};
use a2lint_isa::{Access, Class, DST, Opcode, ParamKind, SRC, Walk};

declare_rule! {
    /// ## What it does
    /// Reports results of `cmax`, `cmin` or `cadd` that are applied to the rows of a tile without
    /// having been expanded by `brcb`.
    ///
    /// ## Why is this bad?
    /// A reduction packs its results side by side: 64 row maxima are 64 neighbouring elements. Arithmetic
    /// on a tile takes either as many elements as the tile has, or one block per row. Without expansion,
    /// the scalars are applied to the wrong lanes, and the memory after them is read as well. In AscendC the
    /// same holds for a source with a block stride of 0: each row takes one block, in which the results of
    /// several rows lie side by side, or pairs of a value and its index.
    ///
    /// ## Example
    /// ```python
    /// cmax(row_max, tile)                  # [64,1]
    /// sub(tile, tile, row_max)             # tile is [64,64]
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// cmax(row_max, tile)
    /// brcb(max8, row_max, dst_blk_stride=1, dst_rep_stride=8, repeat=8)
    /// sub(tile, tile, max8)                # max8 is [64,8]
    /// ```
    ///
    /// ## Source
    /// Public DSL documentation on reductions and broadcasts.
    "COV008" "scalars-unbroadcast" Error, basis = Shape
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr, index) in unexpanded(facts) {
        if let Some(view) = instr.local(index) {
            report(facts, sink, (stmt, instr), index, view);
        }
    }
}

/// Returns the operand of which each repeat takes one block, although reductions of another operand have left the
/// results of several repeats in it.
fn block_of_results(facts: &Facts, stmt: &Stmt, instr: &Instr) -> Option<usize> {
    let program = facts.program;
    let is_meant = |index: usize| {
        let writers = facts.analysis.values(program).writers(stmt.id, index);
        let writers = writers.filter(|writers| !writers.is_empty());
        writers.is_some_and(|writers| {
            let mut touches = writers.iter().map(|&at| &facts.analysis.touches[at]);
            touches.all(|touch| {
                packs(program, touch.instr) && reduces_operand(touch.instr, instr, index)
            })
        })
    };
    let mut sources = instr
        .operands()
        .filter(|(_, operand, _)| operand.access == Access::Read && operand.walk == Walk::Lanes);
    sources
        .find(|&(index, ..)| {
            let stride = |kind| resolved(program, instr, kind);
            stride(ParamKind::BlockStride(index)) == Some(0)
                && stride(ParamKind::BlockStride(DST)).is_some_and(|stride| stride > 0)
                && is_meant(index)
        })
        .map(|(index, ..)| index)
}

/// Returns whether an instruction reduces several repeats and stores the results side by side.
fn packs(program: &Program, instr: &Instr) -> bool {
    let class = instr.row().class;
    let is_packed =
        class == Class::Reduce && resolved(program, instr, ParamKind::ResultStride) == Some(1);
    (is_packed || class == Class::ReduceIndex)
        && resolved(program, instr, ParamKind::Repeat) != Some(1)
}

/// Returns whether a reduction reads the tensor of an operand of an instruction, apart from the operand `results`.
fn reduces_operand(reduction: &Instr, instr: &Instr, results: usize) -> bool {
    let source = reduction.local(SRC).map(|view| view.buffer);
    let others = instr.operands().filter(|(index, ..)| *index != results);
    let mut others = others.filter_map(|(.., view)| view.local());
    others.any(|view| Some(view.buffer) == source)
}

/// Returns the statements that this rule explains.
pub(crate) fn explained(facts: &Facts) -> FxHashSet<StmtId> {
    unexpanded(facts).iter().map(|(stmt, ..)| stmt.id).collect()
}

/// Returns the instructions with an operand of packed row scalars, and the index of the operand.
fn unexpanded<'a>(facts: &Facts<'a>) -> Vec<(&'a Stmt, &'a Instr, usize)> {
    let instructions = facts.instructions();
    let found = instructions
        .filter_map(|(stmt, instr)| Some((stmt, instr, packed_source(facts, stmt, instr)?)));
    found.collect()
}

/// Returns the operand that holds packed row scalars although the destination needs one value per row.
fn packed_source(facts: &Facts, stmt: &Stmt, instr: &Instr) -> Option<usize> {
    let arithmetic = matches!(instr.row().class, Class::Binary);
    if !arithmetic || type_fault(facts.program, instr).is_some() {
        return None;
    }
    if let Some(index) = block_of_results(facts, stmt, instr) {
        return Some(index);
    }
    if instr.is_counted() {
        return None;
    }
    let dst = instr.local(DST)?;
    let (height, width) = (rows(facts, dst)?, columns(facts, dst)?);
    if height < 2 || width <= dst.dtype.c0() {
        return None;
    }
    let mut sources = instr
        .operands()
        .filter(|(_, operand, _)| operand.access == Access::Read && operand.walk == Walk::Lanes);
    sources
        .find(|(index, _, view)| {
            let Some(view) = view.local() else {
                return false;
            };
            // As many results as columns may be meant for these, unless they are those of this very tile's rows.
            let is_of_rows =
                columns(facts, view) != Some(width) || is_reduced_from(facts, stmt, instr, *index);
            let one_each = elements(facts, view) == Some(height) && is_of_rows;
            (one_each || is_broadcast(facts, instr, *index)) && is_packed(facts, stmt.id, *index)
        })
        .map(|(index, ..)| index)
}

/// Returns whether an operand holds the results of reductions of another operand's tensor alone.
fn is_reduced_from(facts: &Facts, stmt: &Stmt, instr: &Instr, index: usize) -> bool {
    let writers = facts.analysis.values(facts.program).writers(stmt.id, index);
    let writers = writers.filter(|writers| !writers.is_empty());
    writers.is_some_and(|writers| {
        let mut touches = writers.iter().map(|&at| &facts.analysis.touches[at]);
        touches.all(|touch| {
            touch.instr.row().class == Class::Reduce && reduces_operand(touch.instr, instr, index)
        })
    })
}

fn is_packed(facts: &Facts, stmt: StmtId, operand: usize) -> bool {
    let found = facts.analysis.values(facts.program).found_by(stmt, operand);
    found.is_some_and(|value| value.arrangement == Arrangement::Packed)
}

fn report(
    facts: &Facts,
    sink: &mut Sink,
    (stmt, instr): (&Stmt, &Instr),
    index: usize,
    view: &LocalView,
) {
    let brcb = facts.program.name_of(Opcode::Brcb);
    let writers = facts.analysis.writers(view.buffer);
    let reductions: Vec<_> = writers
        .filter(|touch| matches!(touch.instr.row().class, Class::Reduce | Class::ReduceIndex))
        .collect();
    let indexed = reductions
        .iter()
        .find(|it| it.instr.row().class == Class::ReduceIndex);
    let (left, label) = match indexed {
        Some(_) => (
            "stored pairs of a value and its index",
            "a value and its index per row",
        ),
        None => ("packed them side by side", "one element per row"),
    };
    let message = format!(
        "{} takes `{}` {} as values of whole rows, and a reduction has {left}",
        call(facts, instr),
        operand_name(instr, index),
        tensor(facts, view)
    );
    let name = facts.program.buffer(view.buffer).label();
    let first = match indexed {
        Some(reduction) => format!(
            "let {} store values alone (`ReduceOrder::ORDER_ONLY_VALUE`), then ",
            call(facts, reduction.instr)
        ),
        None => String::new(),
    };
    let mut report = sink
        .report_from(stmt.origin, stmt.span, message)
        .help(format!(
            "expand them first: {brcb}() into a tensor of one block per row"
        ))
        .in_cpp(format!(
            "{first}expand them: `{brcb}(blocks, {name}, (rows + 7) / 8, {{1, 8}})` makes a block of each, which this \
             call takes with a block stride of 0 and a repeat stride of 1"
        ));
    if let Some(reduction) = reductions.first() {
        let text = format!("{} leaves {label} here", call(facts, reduction.instr));
        report = report.label(reduction.stmt.span, text);
    }
    report.label(allocated_at(facts, view), "the scalars are allocated here");
}
