//! Computes the addresses of buffers: the bump allocator of each on-chip memory.
//!
//! Buffers of one memory are laid out in declaration order, every slot rounded up to a multiple of
//! [`Granule::align`]. Buffers that different arms of a branch hand out share their addresses; a buffer after the
//! branch is placed after the longest arm. Only tensors are allocated: the halves of L0A and L0B that `matmul` uses in
//! turn are no tensors.

use super::{BinaryOp, Buffer, BufferId, Instr, Program, ScalarId, Scalars, Stmt, Toolchain};
use a2lint_isa::device::{Device, FRACTAL};
use a2lint_isa::{BLOCK_BYTES, Layout, Position, Unit};

/// The padding of the extents of a slot, and the size of a padded element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Granule {
    /// Rows are rounded up to a multiple of this.
    pub rows: i64,
    /// Columns are rounded up to a multiple of this.
    pub columns: i64,
    /// Bits per element.
    pub bits: i64,
    /// The size of a slot is rounded up to a multiple of this number of bytes.
    pub align: i64,
}

impl Granule {
    /// Returns the padding of a buffer under a toolchain: to fractals or none in L0C, to strips of columns in
    /// NZ tensors.
    pub fn of(toolchain: &Toolchain, buffer: &Buffer) -> Granule {
        let rules = &toolchain.memory;
        let plain = Granule {
            rows: 1,
            columns: 1,
            bits: buffer.dtype.bits(),
            align: match buffer.position {
                Position::L0A | Position::L0B => rules.operand_granule,
                Position::L0C => rules.accumulator_granule,
                _ => BLOCK_BYTES,
            },
        };
        match (buffer.position, buffer.layout) {
            (Position::L0C, _) if rules.pads_accumulators => Granule {
                rows: FRACTAL,
                columns: FRACTAL,
                bits: 32,
                ..plain
            },
            (Position::L1, Layout::Nz) => Granule {
                rows: FRACTAL,
                columns: rules.strip(buffer.dtype),
                ..plain
            },
            _ => plain,
        }
    }

    /// Returns the bytes of a slot with these extents; `None` where they are negative or overflow.
    pub fn bytes(self, [rows, columns]: [i64; 2]) -> Option<i64> {
        let elements = align_up(rows, self.rows)?.checked_mul(align_up(columns, self.columns)?)?;
        let bits = elements.checked_mul(self.bits)?;
        align_up(align_up(bits, 8)? / 8, self.align)
    }

    /// Returns the bytes of a slot as an expression.
    pub fn formula(self, scalars: &mut Scalars, [rows, columns]: [ScalarId; 2]) -> ScalarId {
        let rows = align_scalar(scalars, rows, self.rows);
        let columns = align_scalar(scalars, columns, self.columns);
        // The symbolic part, the number before it, and what the symbolic part is a multiple of.
        // Used to leave out an `AlignUp` that changes no value: the formula is shown to users.
        let (symbolic, factor, unit) = match (scalars.as_int(rows), scalars.as_int(columns)) {
            (Some(value), _) => (columns, value, self.columns),
            (_, Some(value)) => (rows, value, self.rows),
            _ => {
                let product = scalars.binary(BinaryOp::Mul, rows, columns);
                (product, 1, self.rows * self.columns)
            }
        };
        let bits = factor.saturating_mul(self.bits);
        let bytes = scale(scalars, symbolic, bits);
        if bits.saturating_mul(unit) % (8 * self.align) == 0 {
            return bytes;
        }
        align_scalar(scalars, bytes, self.align)
    }
}

/// Returns the bytes of `items` items of `bits` bits each, rounded up.
fn scale(scalars: &mut Scalars, items: ScalarId, bits: i64) -> ScalarId {
    let whole = bits % 8 == 0;
    let factor = scalars.int(if whole { bits / 8 } else { bits });
    let scaled = scalars.binary(BinaryOp::Mul, items, factor);
    if whole {
        return scaled;
    }
    let eight = scalars.int(8);
    scalars.binary(BinaryOp::CeilDiv, scaled, eight)
}

fn align_up(value: i64, granule: i64) -> Option<i64> {
    let padded = value.checked_add(granule - 1)?;
    (value >= 0).then_some(padded - padded % granule)
}

fn align_scalar(scalars: &mut Scalars, value: ScalarId, granule: i64) -> ScalarId {
    if granule == 1 {
        return value;
    }
    let granule = scalars.int(granule);
    scalars.binary(BinaryOp::AlignUp, value, granule)
}

impl Program {
    /// Returns the bytes of a memory that buffers and products may use under the program's toolchain.
    pub fn usable(&self, position: Position) -> i64 {
        self.toolchain.usable(self.device, position)
    }

    /// Returns whether the program has macros such as `matmul`, whose operands the toolchain loads to L0.
    fn has_macros(&self) -> bool {
        let is_macro = |(_, instr): &(&Stmt, &Instr)| instr.row().unit == Unit::CubeMacro;
        self.instructions().iter().any(is_macro)
    }
}

/// The address range of one buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The buffer.
    pub buffer: BufferId,
    /// The memory of the buffer.
    pub position: Position,
    /// The start address; `None` if a preceding buffer of the memory has an unknown size.
    pub address: Option<i64>,
    /// Bytes from one slot to the next; `None` where an extent is unknown.
    pub slot_bytes: Option<i64>,
    /// Number of slots.
    pub slots: u32,
}

impl Placement {
    /// Returns the bytes of all slots.
    pub fn total(&self) -> Option<i64> {
        self.slot_bytes?.checked_mul(self.slots.into())
    }

    /// Returns the address of a slot; slot numbers wrap around.
    pub fn slot_address(&self, slot: i64) -> Option<i64> {
        let slot = slot.checked_rem_euclid(self.slots.into())?;
        self.address?
            .checked_add(self.slot_bytes?.checked_mul(slot)?)
    }

    /// Returns the address past the last byte.
    pub fn end(&self) -> Option<i64> {
        self.address?.checked_add(self.total()?)
    }
}

/// The buffer at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupant {
    /// The buffer.
    pub buffer: BufferId,
    /// The slot of the buffer.
    pub slot: u32,
    /// The offset from the start of the slot, in bytes.
    pub offset: i64,
}

/// The addresses of a program's buffers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryMap {
    placements: Vec<Placement>,
    /// The end of the last buffer of each memory if buffers of unknown size are empty.
    known: Vec<i64>,
    /// The bytes that the toolchain reserves before any buffer, by memory.
    reserved: Vec<i64>,
}

impl MemoryMap {
    /// Returns the layout as far as constants determine it.
    pub fn of(program: &Program) -> MemoryMap {
        MemoryMap::with(program, |id| program.scalars.as_int(id))
    }

    /// Returns the layout where `value` gives scalars their values, such as those of a launch.
    pub fn with(program: &Program, value: impl Fn(ScalarId) -> Option<i64>) -> MemoryMap {
        MemoryMap::on(program.device, program, value)
    }

    /// Returns the layout on another device than that of the program.
    pub fn on(
        device: Device,
        program: &Program,
        value: impl Fn(ScalarId) -> Option<i64>,
    ) -> MemoryMap {
        let has_macros = program.toolchain.memory.reserves_operands && program.has_macros();
        let reserved = Position::ALL.iter().map(|&position| match has_macros {
            true => program.toolchain.reserved(device, position),
            false => 0,
        });
        let reserved: Vec<i64> = reserved.collect();
        let unplaced = |(index, buffer): (usize, &Buffer)| {
            let extents = value(buffer.shape[0]).zip(value(buffer.shape[1]));
            Placement {
                buffer: BufferId(index as u32),
                position: buffer.position,
                address: None,
                slot_bytes: extents.and_then(|(rows, columns)| {
                    Granule::of(program.toolchain, buffer).bytes([rows, columns])
                }),
                slots: buffer.slots,
            }
        };
        let mut map = MemoryMap {
            placements: program.buffers.iter().enumerate().map(unplaced).collect(),
            known: reserved.clone(),
            reserved,
        };
        let ends = map.ends(program, Placement::total);
        for (placement, (start, _)) in map.placements.iter_mut().zip(ends) {
            placement.address = start;
        }
        let known = map.ends(program, |placement| Some(placement.total().unwrap_or(0)));
        for (placement, (_, end)) in map.placements.iter().zip(known) {
            let used = &mut map.known[placement.position as usize];
            *used = end.unwrap_or(i64::MAX).max(*used);
        }
        map
    }

    /// Returns the start and the end of each buffer if it has `size` bytes. It starts after the buffers of its memory
    /// that were handed out before; a buffer in another arm of a branch was not.
    fn ends(
        &self,
        program: &Program,
        size: impl Fn(&Placement) -> Option<i64>,
    ) -> Vec<(Option<i64>, Option<i64>)> {
        let mut placed: Vec<(Option<i64>, Option<i64>)> = Vec::new();
        // The end of the last buffer of each memory is the start of the next, unless branches hand out memory.
        let mut last: Vec<Option<i64>> = self.reserved.iter().copied().map(Some).collect();
        let mut has_arms = [false; Position::ALL.len()];
        for (placement, buffer) in self.placements.iter().zip(&program.buffers) {
            let at = buffer.position as usize;
            let start = match has_arms[at] {
                false => last[at],
                true => {
                    let earlier = program.buffers.iter().zip(&placed).filter(|(other, _)| {
                        other.position == buffer.position
                            && !other.handed.excludes(&buffer.handed)
                            && !other.handed.is_lent
                    });
                    let reserved = Some(self.reserved[at]);
                    earlier.fold(reserved, |start, (_, (_, end))| Some(start?.max((*end)?)))
                }
            };
            let end = start
                .zip(size(placement))
                .and_then(|(start, size)| start.checked_add(size));
            placed.push((start, end));
            // What is only lent is the start of the next buffer, too.
            if !buffer.handed.is_lent {
                has_arms[at] |= !buffer.handed.blocks.is_empty();
                last[at] = end;
            }
        }
        placed
    }

    /// Returns the placement of a buffer.
    pub fn get(&self, buffer: BufferId) -> &Placement {
        &self.placements[buffer.index()]
    }

    /// Returns the buffers of a memory, in address order.
    pub fn in_position(&self, position: Position) -> impl Iterator<Item = &Placement> {
        self.placements
            .iter()
            .filter(move |placement| placement.position == position)
    }

    /// Returns the bytes that the toolchain reserves before any buffer for the operands of products.
    pub fn reserved(&self, position: Position) -> i64 {
        self.reserved.get(position as usize).copied().unwrap_or(0)
    }

    /// Returns the bytes used in a memory; `None` where a size is unknown.
    pub fn used(&self, position: Position) -> Option<i64> {
        self.in_position(position)
            .try_fold(self.reserved(position), |used, placement| {
                Some(used.max(placement.end()?))
            })
    }

    /// Returns the bytes of the buffers whose size is known: a lower bound of the bytes used, unless branches hand out
    /// memory.
    pub fn known_bytes(&self, position: Position) -> i64 {
        self.known.get(position as usize).copied().unwrap_or(0)
    }

    /// Returns the buffer at an address; `None` past the last buffer or where the layout is unknown.
    pub fn neighbour_at(&self, position: Position, address: i64) -> Option<Occupant> {
        self.occupants(position, address).next()
    }

    /// Returns all buffers at an address: those of different arms of a branch share addresses.
    pub fn occupants(&self, position: Position, address: i64) -> impl Iterator<Item = Occupant> {
        self.in_position(position).filter_map(move |placement| {
            let offset = address.checked_sub(placement.address?)?;
            let slot_bytes = placement.slot_bytes?;
            (0..placement.total()?).contains(&offset).then(|| Occupant {
                buffer: placement.buffer,
                slot: (offset / slot_bytes) as u32,
                offset: offset % slot_bytes,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DeviceBlock, HandOut, Scalar, ScalarNames, Variable, VariableId, VariableKind};
    use a2lint_isa::DType;
    use a2lint_source::text::Span;

    fn buffer(program: &mut Program, name: &str, dtype: DType, shape: [ScalarId; 2]) -> BufferId {
        program.buffers.push(Buffer {
            name: name.to_owned().into(),
            dtype,
            shape,
            static_shape: [true; 2],
            position: Position::Ub,
            slots: 1,
            layout: Layout::Nz,
            span: Span::default(),
            nested: false,
            handed: HandOut::default(),
        });
        BufferId(program.buffers.len() as u32 - 1)
    }

    fn extents(program: &mut Program, rows: i64, columns: i64) -> [ScalarId; 2] {
        [program.scalars.int(rows), program.scalars.int(columns)]
    }

    fn symbol(program: &mut Program, name: &str) -> ScalarId {
        program.variables.push(Variable {
            name: name.to_owned().into(),
            dtype: None,
            kind: VariableKind::Param,
            span: Span::default(),
            copy_of: None,
            assignments: 0,
            folded: None,
        });
        let id = VariableId(program.variables.len() as u32 - 1);
        program.scalars.intern(Scalar::Variable(id))
    }

    #[test]
    fn every_memory_bumps_on_its_own_and_slots_are_rounded_to_blocks() {
        let mut p = Program::default();
        let odd = extents(&mut p, 3, 5);
        let tile = extents(&mut p, 60, 100);
        let a = buffer(&mut p, "a", DType::Half, odd);
        let c = buffer(&mut p, "c", DType::Float, tile);
        let b = buffer(&mut p, "b", DType::Half, odd);
        let l1 = buffer(&mut p, "l1", DType::Half, tile);
        p.buffers[a.index()].slots = 2;
        p.buffers[c.index()].position = Position::L0C;
        p.buffers[l1.index()].position = Position::L1;
        let map = MemoryMap::of(&p);
        assert_eq!(map.get(a).slot_bytes, Some(32));
        assert_eq!(map.get(a).slot_address(3), Some(32));
        assert_eq!(map.get(b).address, Some(64));
        assert_eq!(map.get(c).address, Some(0));
        assert_eq!(map.get(c).total(), Some(64 * 112 * 4));
        assert_eq!(map.get(l1).total(), Some(64 * 112 * 2));
        assert_eq!(map.used(Position::Ub), Some(96));
        let hit = map.neighbour_at(Position::Ub, 40).unwrap();
        assert_eq!((hit.buffer, hit.slot, hit.offset), (a, 1, 8));
        assert_eq!(map.neighbour_at(Position::Ub, 64).unwrap().buffer, b);
        assert_eq!(map.neighbour_at(Position::Ub, 96), None);
        assert_eq!(map.neighbour_at(Position::Ub, -1), None);
    }

    #[test]
    fn buffers_after_a_symbolic_size_have_no_address() {
        let mut p = Program::default();
        let m = symbol(&mut p, "M");
        let columns = p.scalars.int(128);
        let known = extents(&mut p, 1, 8);
        let a = buffer(&mut p, "a", DType::Half, [m, columns]);
        let b = buffer(&mut p, "b", DType::Float, known);
        let map = MemoryMap::of(&p);
        assert_eq!((map.get(a).address, map.get(a).total()), (Some(0), None));
        assert_eq!((map.get(b).address, map.get(b).total()), (None, Some(32)));
        assert_eq!(map.used(Position::Ub), None);
        assert_eq!(map.known_bytes(Position::Ub), 32);
        assert_eq!(map.neighbour_at(Position::Ub, 0), None);
        let launched = MemoryMap::with(&p, |id| {
            if id == m {
                Some(2)
            } else {
                p.scalars.as_int(id)
            }
        });
        assert_eq!(launched.get(b).address, Some(512));
    }

    #[test]
    fn buffers_of_different_arms_share_addresses() {
        let mut p = Program::default();
        let long = extents(&mut p, 1, 1000);
        let short = extents(&mut p, 1, 8);
        let ids = [short, long, short, short, short]
            .map(|shape| buffer(&mut p, "x", DType::Float, shape));
        let [before, then, otherwise, second, after] = ids;
        let arm = |number: u32, first_arm: u32| DeviceBlock {
            number,
            first_arm,
            is_loop: false,
        };
        for (id, block) in [
            (then, arm(1, 1)),
            (otherwise, arm(2, 1)),
            (second, arm(2, 1)),
        ] {
            p.buffers[id.index()].handed.blocks = [block].into();
        }
        let map = MemoryMap::of(&p);
        let addresses = ids.map(|id| map.get(id).address.unwrap());
        assert_eq!(addresses, [0, 32, 32, 64, 4032]);
        assert_eq!(map.used(Position::Ub), Some(4064));
        assert_eq!(map.known_bytes(Position::Ub), 4064);
        assert_eq!(map.occupants(Position::Ub, 40).count(), 2);
        let handed = |id: BufferId| &p.buffer(id).handed;
        assert!(handed(then).excludes(handed(second)));
        assert!(!handed(then).excludes(handed(after)));
        assert!(handed(before).is_before(handed(then)));
        assert!(!handed(then).is_before(handed(after)));
        // A loop may run both arms, one after the other.
        let body = DeviceBlock {
            is_loop: true,
            ..arm(9, 9)
        };
        let [one, other] = [arm(10, 10), arm(11, 10)].map(|arm| HandOut {
            blocks: [body, arm].into(),
            epoch: 0,
            is_lent: false,
        });
        assert!(!one.excludes(&other));
    }

    #[test]
    fn formulas_agree_with_numbers() {
        let mut p = Program::default();
        let m = symbol(&mut p, "M");
        let columns = p.scalars.int(128);
        let narrow = p.scalars.int(3);
        let a = buffer(&mut p, "a", DType::Half, [m, columns]);
        let b = buffer(&mut p, "b", DType::Half, [m, narrow]);
        let c = buffer(&mut p, "c", DType::Float, [m, m]);
        let d = buffer(&mut p, "d", DType::Int4, [m, narrow]);
        p.buffers[c.index()].position = Position::L0C;
        let mut scalars = p.scalars.clone();
        let formulas = [a, b, c, d].map(|id| {
            Granule::of(p.toolchain, p.buffer(id)).formula(&mut scalars, p.buffer(id).shape)
        });
        let names = ScalarNames::new(&p);
        let texts = formulas.map(|id| names.text_in(&scalars, id));
        assert_eq!(
            texts,
            [
                "M*256",
                "AlignUp(M*6, 32)",
                "AlignUp(M, 16)*AlignUp(M, 16)*4",
                "AlignUp(CeilDiv(M*12, 8), 32)",
            ]
        );
    }

    #[test]
    fn absurd_extents_have_no_size() {
        let mut p = Program::default();
        let huge = extents(&mut p, i64::MAX, 2);
        let negative = extents(&mut p, -1, 2);
        let a = buffer(&mut p, "a", DType::Half, huge);
        let b = buffer(&mut p, "b", DType::Half, negative);
        let map = MemoryMap::of(&p);
        assert_eq!(map.get(a).total(), None);
        assert_eq!(map.get(b).total(), None);
    }
}
