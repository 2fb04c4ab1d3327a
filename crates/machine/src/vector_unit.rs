//! The vector unit of a lane: checks around [`super::vector`].

use super::VectorCall;
use super::access::Rows;
use super::operation::Tile;
use super::sanitizer::FindingKind;
use super::unit_context::UnitContext;
use super::vector::sort::RECORD;
use super::vector::{self, Plan, Taken, VectorEvent, VectorFault, VectorMask, VectorOptions};
use a2lint_isa::{Class, Position};

impl UnitContext<'_, '_> {
    /// Executes a vector instruction on the lane's UB.
    pub(super) fn vector(
        &mut self,
        call: &VectorCall,
        tiles: &[Option<Tile>],
        mask: &mut VectorMask,
    ) -> Option<Taken> {
        let result = match call.opcode.row().class {
            Class::Mask => vector::execute_mask(call, mask).map(|()| None),
            _ => self.execute_vector(call, tiles, mask),
        };
        match result {
            Ok(taken) => taken,
            Err(fault) => {
                self.fault(call, tiles, &fault);
                // The instruction would have reset the mask as well.
                if call.is_counted() {
                    mask.reset_mask();
                }
                None
            }
        }
    }

    fn execute_vector(
        &mut self,
        call: &VectorCall,
        tiles: &[Option<Tile>],
        mask: &mut VectorMask,
    ) -> Result<Option<Taken>, VectorFault> {
        let options = VectorOptions {
            saturate: self.setup.options.saturate,
            limits: self.setup.launch.device.limits,
        };
        let lane = self.site.lane;
        let plan = Plan::new(call, Some(mask), options)?;
        plan.check_bounds(self.core().memory(Position::Ub, lane).capacity())?;
        // The destination may be one of the operands: they are examined before it is overwritten.
        self.watch_operands(&plan, call, tiles);
        // What leaves its tensor meets others by that alone.
        let overlapping = plan.overlapping().filter(|_| !self.overruns);
        if let Some(found) = overlapping {
            let kind = FindingKind::SharedOperands {
                overlap: found.overlap,
                bytes: found.bytes,
            };
            self.report(kind, parameter(call, found.operand).0, None);
        }
        if self.monitor.wants.only_looks {
            return Ok(None);
        }
        self.check_offsets(&plan, call);
        let mut events = Vec::new();
        let ub = self.chip.core(lane.core).memory_mut(Position::Ub, lane);
        let tracer = self.monitor.trace(&self.site);
        let taken = plan.execute(ub, mask, tracer, &mut |event| events.push(event))?;
        for event in events {
            self.note(call, tiles, event);
        }
        if let Some(taken) = taken {
            self.check_merged(call, tiles, taken);
        }
        Ok(taken)
    }

    /// Reports a merge whose records reach past the end of their tensor: how many there are, only the merge tells.
    fn check_merged(&mut self, call: &VectorCall, tiles: &[Option<Tile>], taken: Taken) {
        let Some(Some(tile)) = tiles.first() else {
            return;
        };
        let records: i64 = taken.into_iter().map(i64::from).sum();
        let start = tile.row_major_address();
        let end = start + records * RECORD as i64;
        if end > tile.base + tile.bytes {
            self.report_overrun(tile, parameter(call, 0).0, true, (start, end));
        }
    }

    /// Reports an indexed access whose offsets are no multiples of what it moves.
    fn check_offsets(&mut self, plan: &Plan, call: &VectorCall) {
        if call.opcode.row().class != Class::Gather {
            return;
        }
        let lane = self.site.lane;
        let odd = plan.odd_offset(self.core().memory(Position::Ub, lane));
        if let Some(odd) = odd {
            let kind = FindingKind::OddOffset {
                offset: i64::from(odd.offset),
                size: odd.size as i64,
            };
            let index = parameter(call, vector::OFFSETS).0;
            self.report(kind, index, Some(odd.element as i64));
        }
    }

    /// Reports operands that reach past their tensors, and all accesses if they are wanted.
    fn watch_operands(&mut self, plan: &Plan, call: &VectorCall, tiles: &[Option<Tile>]) {
        for (operand, tile) in tiles.iter().enumerate() {
            let Some(tile) = tile else { continue };
            // The exact bytes are costly to compute: they are needed only for an observer, or to report an
            // overrun.
            if !self.monitor.wants.accesses && stays_inside(plan, operand, tile) {
                continue;
            }
            let rows = match plan.footprint(operand) {
                Some(ranges) => Rows::of_ranges(&ranges),
                None => vec![rest_of(tile)],
            };
            let (index, access) = parameter(call, operand);
            if access.reads() {
                self.touch(tile, index, false, &rows);
            }
            if access.writes() {
                self.touch(tile, index, true, &rows);
            }
        }
    }

    fn note(&mut self, call: &VectorCall, tiles: &[Option<Tile>], event: VectorEvent) {
        match event {
            VectorEvent::Undefined { operand } => {
                if let Some(tile) = &tiles[operand] {
                    let dst = tiles.first().and_then(Option::as_ref);
                    self.report_undefined(tile, parameter(call, operand).0, dst);
                }
            }
            VectorEvent::MixedReduction { operand, element } => {
                let index = parameter(call, operand).0;
                self.report(FindingKind::UndefinedReduction, index, Some(element as i64));
                // If no result is defined, this finding is the reason.
                if let Some(Some(dst)) = tiles.first() {
                    let lane = self.site.lane;
                    self.core().excuse(dst.slot, lane);
                }
            }
            VectorEvent::UndefinedOffset { operand, element } => {
                let index = parameter(call, operand).0;
                self.report(FindingKind::UndefinedIndex, index, Some(element as i64));
            }
        }
    }

    /// Handles an instruction that was not executed: its destination holds zeros. It accesses nothing, but
    /// still takes part in the handshakes that order its operands.
    fn fault(&mut self, call: &VectorCall, tiles: &[Option<Tile>], fault: &VectorFault) {
        match fault {
            VectorFault::OutOfBounds { operand, .. } => match tiles[*operand] {
                Some(tile) => {
                    let index = parameter(call, *operand).0;
                    self.report(FindingKind::OutsideMemory(tile.buffer), index, None);
                    self.monitor.seen.faithful = false;
                }
                None => self.illegal(fault.to_string()),
            },
            fault => self.illegal(format!(
                "{}: {fault}",
                self.setup.program.name_of(call.opcode)
            )),
        }
        for (operand, tile) in tiles.iter().enumerate() {
            let Some(tile) = tile else { continue };
            let (index, access) = parameter(call, operand);
            let used = [(access.reads(), false), (access.writes(), true)];
            for (_, write) in used.into_iter().filter(|&(used, _)| used) {
                self.access_tile(self.pipe, tile, index, write, &[]);
            }
        }
        if let Some(Some(dst)) = tiles.first() {
            self.blank(dst);
        }
    }
}

/// Returns the index of the parameter of an operand, and how the operand is accessed.
fn parameter(call: &VectorCall, operand: usize) -> (usize, a2lint_isa::Access) {
    let found = call.opcode.row().operands().nth(operand);
    found.map_or((operand, a2lint_isa::Access::Read), |(index, operand)| {
        (index, operand.access)
    })
}

/// Returns whether every lane of an operand, masked or not, lies in its tensor.
fn stays_inside(plan: &Plan, operand: usize, tile: &Tile) -> bool {
    plan.reach(operand)
        .is_none_or(|range| range.start >= tile.base && range.end <= tile.last())
}

/// Returns the bytes that an operand may touch if its addresses depend on values: from its start to the end
/// of its tensor.
fn rest_of(tile: &Tile) -> Rows {
    let start = tile.row_major_address();
    Rows::run(start, tile.base + tile.bytes - start)
}
