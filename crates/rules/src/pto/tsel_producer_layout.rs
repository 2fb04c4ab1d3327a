use crate::declare_rule;
use crate::pto::tiles::{domain, mask_tile, masked};
use crate::{Sink, TileFacts};
use a2lint_ir::tile::{Compare, Step, StepKind};
use a2lint_isa::masks::Target;
use a2lint_isa::masks::tile_select::{Reader, Writer, first_mismatch};

declare_rule! {
    /// ## What it does
    /// Reports a mask that a compare writes in another layout than the select reads.
    ///
    /// ## Why is this bad?
    /// On A2 and A3 compare and select agree. On A5 a compare writes one dense bit string, while the select
    /// starts every row at the row pitch of the mask. On the CPU simulator `TCMPS` places rows by the
    /// columns of its *source*, in a way that differs between releases; what holds for all of them is
    /// reported. From the second row on, the select then reads bits of other elements.
    ///
    /// ## Example
    /// ```cpp
    /// // a2lint: device a5
    /// TCMP(mask, a, b, CmpMode::LT);                     // a is 16x64, mask has rows of 32 bytes
    /// TSEL(dst, mask, a, b, tmp);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// // a2lint: device a5
    /// TCMP(mask, a, b, CmpMode::LT);                     // a is 16x256: 32 bytes of bits in a row
    /// TSEL(dst, mask, a, b, tmp);
    /// ```
    ///
    /// ## Source
    /// TCMP, TCMPS and TSEL; the implementations of A5 and the simulator.
    "PTO010" "tsel-producer-layout" Warning, basis = Assumption, scope = Tiles
}

fn check(facts: &TileFacts, sink: &mut Sink) {
    for (select, dst, mask, _) in masked(facts) {
        let (Some(domain), Some(tile)) = (domain(dst), mask_tile(mask)) else {
            continue;
        };
        let Some((step, compare)) = producer(facts, select, mask.tile) else {
            continue;
        };
        for target in [Target::A5, Target::Cpu] {
            let meant = target == Target::Cpu || facts.unit.targets.are_named();
            if !meant || !facts.unit.targets.iter().any(|one| one == target) {
                continue;
            }
            let Some((writers, reader)) = layouts(target, compare) else {
                continue;
            };
            let places = writers.iter();
            let places = places.map(|&writer| first_mismatch(writer, reader, domain, tile));
            // All releases of the target have to disagree with the reader.
            let places: Option<Vec<_>> = places.collect();
            let Some((row, column)) = places.and_then(|places| places.into_iter().max()) else {
                continue;
            };
            let message = format!(
                "on {} {} writes the bits of `{}` in another layout than {} reads: from element \
                 ({row}, {column}) on they belong to others",
                target.name(),
                step.name,
                mask.text,
                select.name,
            );
            let columns = 8 * tile.pitch();
            sink.report(mask.span, message)
                .label(step.span, "the mask is written here")
                .help(format!(
                    "use tiles of {columns} columns, whose bits fill a row of the mask, or one row at a time"
                ))
                .possible();
        }
    }
}

/// Returns the compare that last wrote a mask before a select, if control flow from it leads to the select.
fn producer<'a>(
    facts: &TileFacts<'a>,
    select: &Step,
    mask: Option<usize>,
) -> Option<(&'a Step, &'a Compare)> {
    let before = facts
        .function
        .steps
        .iter()
        .take_while(|step| step.span != select.span);
    let writer = before
        .filter(|step| mask.is_some() && step.operands().first().map(|dst| dst.tile) == Some(mask))
        .filter(|step| !matches!(step.kind, StepKind::Assign(_) | StepKind::Store(_)))
        .last()?;
    match &writer.kind {
        StepKind::Compare(compare) if facts.function.related(writer.region, select.region) => {
            Some((writer, compare))
        }
        _ => None,
    }
}

fn layouts(target: Target, compare: &Compare) -> Option<(Vec<Writer>, Reader)> {
    Some(match (target, &compare.src1) {
        (Target::A5, _) => (vec![Writer::A5], Reader::A5),
        (_, Some(_)) => (vec![Writer::A2A3], Reader::Cpu),
        (_, None) => {
            let columns = u64::try_from(compare.src0.ty?.shape[1]?).ok()?;
            let releases = vec![
                Writer::CpuSourcePitch { columns },
                Writer::CpuSourceBits { columns },
            ];
            (releases, Reader::Cpu)
        }
    })
}
