use crate::declare_rule;
use crate::wording::{call, operand_text};
use crate::{Facts, Sink};
use a2lint_analysis::OperandFault;
use a2lint_ir::{GlobalView, Instr, StmtId};
use a2lint_isa::{BLOCK_BYTES, DST, Place, SRC};

declare_rule! {
    /// ## What it does
    /// Reports loads of a column of GM that is narrower than a block of 32 bytes.
    ///
    /// ## Why is this bad?
    /// Each row becomes a burst of a few bytes that fills a block of UB: the values do not arrive
    /// side by side, and the padding between them is undefined.
    ///
    /// ## Example
    /// ```python
    /// column <<= x[0:64, 2:3]
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// row <<= xt[2, 0:64]                 # the host hands the tensor over transposed
    /// ```
    ///
    /// ## Source
    /// Measured on a board: TileLang-Ascend, issue 1680 (fault 507015, or wrong numbers); padding of AscendC
    /// `DataCopyPad`. It is a warning, since that was code of another compiler.
    "MOV003" "sub-block-column" Warning, basis = Shape, evidence = Measured, property = None
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        let Some(view) = (instr.row().moves(Place::Gm, Place::UB))
            .then(|| instr.view(SRC)?.global())
            .flatten()
        else {
            continue;
        };
        if let Some(bytes) = narrow_column(facts, instr, view)
            && !has_narrow_rows(facts, stmt.id)
            && !is_row_pack(facts, instr)
        {
            let message = format!(
                "{} of {bytes} bytes from each row of `{}`: every row fills a block of {BLOCK_BYTES} bytes in UB",
                call(facts, instr),
                facts.program.global(view.global).name
            );
            let text = instr.view(SRC).map(|view| operand_text(facts, view));
            sink.report_from(stmt.origin, stmt.span, message)
                .help(format!(
                    "hand the tensor over transposed, so that `{}` is a row",
                    text.unwrap_or_default()
                ));
        }
    }
}

/// Returns the bytes per row of a load of several rows, if they are part of longer rows and narrower than a
/// block.
fn narrow_column(facts: &Facts, instr: &Instr, view: &GlobalView) -> Option<i64> {
    let program = facts.program;
    let number = |name: &str| program.size(instr.scalar_named(name)?);
    let width = number("burst_len_element")?;
    let bytes = instr.local(DST)?.dtype.bytes_of(width);
    if width <= 0 || bytes >= BLOCK_BYTES || number("n_burst").is_some_and(|rows| rows <= 1) {
        return None;
    }
    let last = view.axes.last().filter(|axis| axis.is_slice)?;
    let several_slices = view.sliced_axes().count() == 2;
    let part = match program.size(last.extent) {
        Some(extent) => extent > width,
        None => program.size(last.start) != Some(0),
    };
    (several_slices && part).then_some(bytes)
}

/// Returns whether the toolchain packs rows on purpose: the rows of the destination are whole blocks.
fn is_row_pack(facts: &Facts, instr: &Instr) -> bool {
    let rows_are_blocks = instr.local(DST).is_some_and(|view| {
        let buffer = facts.program.buffer(view.buffer);
        let width = buffer
            .shape
            .last()
            .and_then(|&width| facts.program.size(width));
        width.is_some_and(|width| view.dtype.bytes_of(width) % BLOCK_BYTES == 0)
    });
    facts.program.toolchain.lowering.packs_rows && rows_are_blocks
}

/// Returns whether a tensor has narrow rows, which is worse and reported by `ub-to-ub-scalar`.
fn has_narrow_rows(facts: &Facts, stmt: StmtId) -> bool {
    facts.analysis.faulty_operands.iter().any(|faulty| {
        faulty.stmt.id == stmt && matches!(faulty.fault, OperandFault::NarrowRows { .. })
    })
}
