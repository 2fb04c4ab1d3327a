use crate::declare_rule;
use crate::pto::tiles::{block_end, selects};
use crate::{Sink, TileFacts};
use a2lint_ir::finding::Edit;
use a2lint_ir::tile::{Address, Memory, Step, StepKind};
use a2lint_source::text::Span;

declare_rule! {
    /// ## What it does
    /// Reports a `TSEL` in C++ with four tiles: the scratch tile `tmp` is missing.
    ///
    /// ## Why is this bad?
    /// The published header declares `TSEL(dst, selMask, src0, src1, tmp, events...)`. The manual's own
    /// examples and older headers have four tiles, and those calls find no matching function today. On A2
    /// and A3 the instruction writes the address of every mask row into `tmp` first.
    ///
    /// ## Example
    /// ```cpp
    /// TSEL(dst, mask, src0, src1);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    /// TASSIGN(tmp, 0x5000);                       // manual mode only
    /// TSEL(dst, mask, src0, src1, tmp);
    /// ```
    ///
    /// ## Fix safety
    /// The fix declares a scratch tile of one row of 32 bytes before the call, and in a function that
    /// places its tiles itself puts it after the last of them. Whether that place stays free, and whether
    /// the name is, is for the author to see.
    ///
    /// ## Source
    /// TSEL, C++ interface; `include/pto/common/pto_instr.hpp`.
    "PTO003" "tsel-missing-tmp" Warning, basis = Assumption, fix = Unsafe, scope = Tiles
}

fn check(facts: &TileFacts, sink: &mut Sink) {
    // The simulator needs no scratch tile, and an older library has calls without it.
    let is_device = facts.unit.targets.judge(|_| true).is_some();
    if facts.function.assembly || !is_device {
        return;
    }
    let may_be_left_out = |step: &Step| facts.unit.without_scratch.contains(&step.name.as_str());
    for step in facts
        .function
        .steps
        .iter()
        .filter(|step| !may_be_left_out(step))
    {
        if let StepKind::SelectScalar { tmp: None, .. } = step.kind {
            sink.report(
                step.span,
                "TSELS has no scratch tile: with a mask it is TSELS(dst, mask, src, tmp, scalar)",
            )
            .help("pass a tile of at least 32 bytes: `Tile<TileType::Vec, uint8_t, 1, 32> tmp`");
        }
    }
    for (step, select) in selects(facts) {
        if select.tmp.is_some() || may_be_left_out(step) {
            continue;
        }
        let report = sink
            .report(
                step.span,
                "TSEL has no scratch tile: the header takes TSEL(dst, mask, src0, src1, tmp), and four \
                 tiles were an older interface",
            )
            .help("pass a tile of at least 32 bytes: `Tile<TileType::Vec, uint8_t, 1, 32> tmp`");
        let edits = edits(facts, step, select.src1.span);
        if let Some(edits) = edits {
            report.fix("pass a scratch tile", false, edits);
        }
    }
}

/// Returns the edits that declare a scratch tile on the line of the call and pass it. `None` if tiles are placed
/// by hand and no free address is known.
fn edits(facts: &TileFacts, step: &Step, last: Span) -> Option<Vec<Edit>> {
    let name = "selTmp";
    if facts.source.as_str().contains(name) {
        return None;
    }
    let line = facts.source.line_index(step.span.start);
    let start = facts.source.line_span(line)?.start;
    let before = facts.source.slice(Span {
        start,
        end: step.span.start,
    });
    if !before.trim().is_empty() {
        return None;
    }
    let mut declaration = format!("Tile<TileType::Vec, uint8_t, 1, 32> {name};\n{before}");
    if facts.function.manual {
        let address = first_free(facts)?;
        declaration.push_str(&format!("TASSIGN({name}, {address:#x});\n{before}"));
    }
    let at = |offset: u32| Span {
        start: offset,
        end: offset,
    };
    Some(vec![
        Edit {
            span: at(step.span.start),
            text: declaration,
        },
        Edit {
            span: at(last.end),
            text: format!(", {name}"),
        },
    ])
}

/// Returns the first block after every tile that the function places; `None` if a placement is unknown.
fn first_free(facts: &TileFacts) -> Option<i64> {
    let mut end = 0;
    let steps = facts.function.steps.iter();
    for operand in steps.flat_map(|step| step.operands()) {
        let ty = operand.ty?;
        if ty.memory != Some(Memory::Vec) {
            continue;
        }
        match (operand.address, operand.range()) {
            (Address::At(..), Some((_, last))) => end = end.max(last),
            _ => return None,
        }
    }
    Some(block_end(end))
}
