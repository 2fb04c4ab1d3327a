use crate::declare_rule;
use crate::pto::tiles::{hex, range};
use crate::{Sink, TileFacts};
use a2lint_ir::tile::{Address, Memory, StepKind};
use a2lint_isa::masks::Verdict;

declare_rule! {
    /// ## What it does
    /// Reports a vector tile that `TASSIGN` places past the end of UB, or, as a warning, into the bytes that
    /// the tile library keeps for itself.
    ///
    /// ## Why is this bad?
    /// `TASSIGN(tile, address)` checks nothing on the device; only the form with the address as a template
    /// argument does. UB has 192 KB on A2 and A3, 256 KB on A5 and 128 KB on Kirin 9030. On A2 and A3 the
    /// library uses the last 8 KB, from 0x2E000 on, as scratch.
    ///
    /// ## Example
    /// ```cpp
    /// Tile<TileType::Vec, float, 32, 64> t;              // 8 KB
    /// TASSIGN(t, 0x2F800);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// Tile<TileType::Vec, float, 32, 64> t;
    /// TASSIGN(t, 0x2C000);
    /// ```
    ///
    /// ## Source
    /// TASSIGN; the capacity tables of the tile library.
    "PTO014" "tassign-out-of-bounds" Error, basis = Constants, scope = Tiles
}

/// Size of the largest UB of all targets, in bytes.
const LARGEST: i64 = 256 << 10;

fn check(facts: &TileFacts, sink: &mut Sink) {
    for step in &facts.function.steps {
        let StepKind::Assign(tile) = &step.kind else {
            continue;
        };
        let (Address::At(address, span), Some(ty)) = (tile.address, tile.ty) else {
            continue;
        };
        if ty.memory != Some(Memory::Vec) {
            continue;
        }
        let Some(bytes) = ty.bytes() else {
            continue;
        };
        // A region that is valid at run time may be smaller than the tile. For a tile that exceeds every UB, it
        // has to be.
        let is_whole = tile.valid.iter().all(Option::is_some);
        if !is_whole && bytes > LARGEST {
            continue;
        }
        let end = address.saturating_add(bytes);
        let beyond = |limit: i64| address < 0 || end > limit;
        let targets = &facts.unit.targets;
        // UB is larger on A5, which a file without a target may be meant for.
        let scratch = targets.judge(|target| beyond(target.free_ub_bytes()));
        let overrun = targets.judge(|target| beyond(target.ub_bytes()));
        if let Some(verdict) = overrun.filter(Verdict::is_certain) {
            let (target, limit) = (verdict.example(), verdict.example().ub_bytes());
            let message = format!(
                "`{}` takes {bytes} bytes at {}, and UB of {} ends at {}",
                tile.text,
                hex(address),
                target.name(),
                hex(limit),
            );
            let report = sink.report(span, message).help(format!(
                "the last address where it fits is {}",
                hex((limit - bytes).max(0) / 32 * 32)
            ));
            if !is_whole && address < limit {
                report.possible();
            }
        } else if let Some(verdict) = scratch.filter(|_| targets.are_named()) {
            let reserved = verdict.example().free_ub_bytes();
            let message = format!(
                "`{}` takes {}, and the tile library uses UB from {} on as scratch",
                tile.text,
                range((address, end)),
                hex(reserved),
            );
            sink.report(span, message)
                .help(format!(
                    "the last address below is {}",
                    hex((reserved - bytes).max(0) / 32 * 32)
                ))
                .possible();
        }
    }
}
