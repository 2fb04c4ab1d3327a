//! What rules over PTO tiles share: which instructions there are, and how tiles are named.

use crate::{Report, TileFacts};
use a2lint_ir::tile::{Compare, Operand, Select, Step, StepKind};
use a2lint_isa::masks::Verdict;
use a2lint_isa::masks::tile_select::{Domain, MaskTile};
use a2lint_source::text::Span;

/// Every `TSEL`.
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

/// Every `TCMP` and `TCMPS`.
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

/// Every instruction that takes a packed mask: destination, mask and sources.
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

/// Says where a finding holds, if that is not everywhere.
pub(crate) fn only_there<'r>(report: Report<'r>, verdict: &Verdict, place: Span) -> Report<'r> {
    match verdict.is_certain() {
        true => report,
        false => report.label(place, verdict.reading()).possible(),
    }
}

/// An extent of a tile; what no memory can hold is no extent.
pub(crate) fn extent(number: Option<i64>) -> Option<u64> {
    u64::from(u32::try_from(number?).ok()?).into()
}

/// The valid region of a destination.
pub(crate) fn domain(dst: &Operand) -> Option<Domain> {
    Some(Domain {
        rows: extent(dst.valid[0])?,
        columns: extent(dst.valid[1])?,
    })
}

/// A mask tile of known physical and valid columns.
pub(crate) fn mask_tile(mask: &Operand) -> Option<MaskTile> {
    let ty = mask.ty?;
    Some(MaskTile {
        columns: extent(ty.shape[1])?,
        valid_columns: extent(mask.valid[1])?,
        element_bytes: u64::try_from(ty.element?.bytes()).ok()?,
    })
}

/// `0x1000`.
pub(crate) fn hex(address: i64) -> String {
    match address {
        0.. => format!("{address:#x}"),
        _ => address.to_string(),
    }
}

/// `0x1000..0x1400`.
pub(crate) fn range((start, end): (i64, i64)) -> String {
    format!("{}..{}", hex(start), hex(end))
}

/// The first multiple of 32 that is not below.
pub(crate) fn block_end(address: i64) -> i64 {
    address.saturating_add(31).div_euclid(32) * 32
}
