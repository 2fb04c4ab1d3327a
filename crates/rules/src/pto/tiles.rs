//! Iterators over tile instructions, and texts that the rules about PTO tiles share.

use crate::{Report, TileFacts};
use a2lint_ir::tile::{Compare, Operand, Select, Step, StepKind};
use a2lint_isa::masks::Verdict;
use a2lint_isa::masks::tile_select::{Domain, MaskTile};
use a2lint_source::text::Span;

/// Iterates over `TSEL` instructions.
pub(crate) fn selects<'a>(
    facts: &TileFacts<'a>,
) -> impl Iterator<Item = (&'a Step, &'a Select)> + use<'a> {
    facts
        .function
        .steps
        .iter()
        .filter_map(|step| match &step.kind {
            StepKind::Select(select) => Some((step, select)),
            _ => None,
        })
}

/// Iterates over `TCMP` and `TCMPS` instructions.
pub(crate) fn compares<'a>(
    facts: &TileFacts<'a>,
) -> impl Iterator<Item = (&'a Step, &'a Compare)> + use<'a> {
    facts
        .function
        .steps
        .iter()
        .filter_map(|step| match &step.kind {
            StepKind::Compare(compare) => Some((step, compare)),
            _ => None,
        })
}

/// Iterates over the instructions with a packed mask: destination, mask and sources.
pub(crate) fn masked<'a>(
    facts: &TileFacts<'a>,
) -> impl Iterator<Item = (&'a Step, &'a Operand, &'a Operand, Vec<&'a Operand>)> + use<'a> {
    facts
        .function
        .steps
        .iter()
        .filter_map(|step| match &step.kind {
            StepKind::Select(Select {
                dst,
                mask,
                src0,
                src1,
                ..
            }) => Some((step, dst, mask, vec![src0, src1])),
            StepKind::SelectScalar { dst, mask, src, .. } => Some((step, dst, mask, vec![src])),
            _ => None,
        })
}

/// Adds the targets on which a finding holds, if that is not certain for all of them.
pub(crate) fn only_there<'r>(report: Report<'r>, verdict: &Verdict, place: Span) -> Report<'r> {
    match verdict.is_certain() {
        true => report,
        false => report.label(place, verdict.reading()).possible(),
    }
}

/// Returns an extent of a tile; `None` if it is negative or too large for any memory.
pub(crate) fn extent(number: Option<i64>) -> Option<u64> {
    u64::from(u32::try_from(number?).ok()?).into()
}

/// Returns the valid region of a destination.
pub(crate) fn domain(dst: &Operand) -> Option<Domain> {
    Some(Domain {
        rows: extent(dst.valid[0])?,
        columns: extent(dst.valid[1])?,
    })
}

/// Returns a mask tile, if its physical and valid columns are known.
pub(crate) fn mask_tile(mask: &Operand) -> Option<MaskTile> {
    let ty = mask.ty?;
    Some(MaskTile {
        columns: extent(ty.shape[1])?,
        valid_columns: extent(mask.valid[1])?,
        element_bytes: u64::try_from(ty.element?.bytes()).ok()?,
    })
}

/// Formats an address: `0x1000`.
pub(crate) fn hex(address: i64) -> String {
    match address {
        0.. => format!("{address:#x}"),
        _ => address.to_string(),
    }
}

/// Formats a range of addresses: `0x1000..0x1400`.
pub(crate) fn range((start, end): (i64, i64)) -> String {
    format!("{}..{}", hex(start), hex(end))
}

/// Returns the smallest multiple of 32 that is not below the address.
pub(crate) fn block_end(address: i64) -> i64 {
    address.saturating_add(31).div_euclid(32) * 32
}
