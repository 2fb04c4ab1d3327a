//! The contract of the vector mask by name: which writes it gates, how masked lanes count, and related behaviour.

use a2lint::isa::{
    Class, CompareMode, DType, INSTRUCTIONS, MaskUse, Opcode, RoundMode, SelectMode,
};
use a2lint::machine::memory::Memory;
use a2lint::machine::vector::{
    MASK_LANES, VectorEvent, VectorFault, VectorMask, execute, footprint,
};
use a2lint::machine::{VectorCall, VectorLength, VectorOperand};

/// Returns a call without operands.
pub fn call(opcode: Opcode) -> VectorCall {
    VectorCall {
        opcode,
        operands: vec![],
        length: VectorLength::Repeats(1),
        scalar: 0.0,
        exactly: None,
        result_stride: 1,
        round: RoundMode::AwayFromZero,
        compare: CompareMode::Lt,
        select: SelectMode::TensorTensor,
        step: 0.0,
        switch: false,
        integers: vec![],
    }
}

/// Returns a contiguous operand.
pub fn operand(address: i64, dtype: DType) -> Option<VectorOperand> {
    Some(VectorOperand {
        address,
        dtype,
        block_stride: 1,
        repeat_stride: 8,
    })
}

/// Returns a call on floats with its operands 1 KB apart.
fn float_call(opcode: Opcode) -> VectorCall {
    let operands = opcode.row().operands().count() as i64;
    let place = |index| operand(index * 1024, DType::Float);
    VectorCall {
        operands: (0..operands).map(place).collect(),
        ..call(opcode)
    }
}

/// Executes a call and returns the reported events.
pub fn run(call: &VectorCall, memory: &mut Memory, mask: &mut VectorMask) -> Vec<VectorEvent> {
    let mut events = vec![];
    execute(call, memory, mask, &mut |event| events.push(event)).unwrap();
    events
}

/// Returns a memory of 4 KB of 2.0, all defined.
fn twos() -> Memory {
    let mut memory = Memory::from_bytes(vec![0; 4096]);
    memory.write(0, &[2.0_f32; 1024]);
    memory
}

fn masked(high: u64, low: u64) -> VectorMask {
    let mut mask = VectorMask::default();
    mask.set_mask(high, low);
    mask
}

fn floats<const N: usize>(memory: &Memory, address: usize) -> [f32; N] {
    let mut values = [0.0; N];
    memory.read(address, &mut values);
    values
}

fn all_set(mask: &VectorMask) -> bool {
    (0..MASK_LANES).all(|lane| mask.is_set(lane))
}

// The contract of the vector mask: which instructions it gates, and how masked lanes count.

#[test]
fn default_mask_is_all_ones() {
    assert!(all_set(&VectorMask::default()));
}

#[test]
fn set_mask_changes_only_the_first_128_slots() {
    let mut mask = VectorMask::default();
    let words = VectorCall {
        integers: vec![1, i64::MIN],
        ..call(Opcode::SetMask)
    };
    run(&words, &mut Memory::new(0), &mut mask);
    let set: Vec<usize> = (0..MASK_LANES).filter(|&lane| mask.is_set(lane)).collect();
    let expected: Vec<usize> = [63, 64].into_iter().chain(128..256).collect();
    assert_eq!(set, expected);
}

#[test]
fn reset_mask_restores_full_ones() {
    let mut mask = masked(0, 0);
    run(&call(Opcode::ResetMask), &mut Memory::new(0), &mut mask);
    assert!(all_set(&mask));
}

#[test]
fn writeback_gated_instructions_keep_the_old_destination_of_masked_off_lanes() {
    // Operands of choices and indexed access have several types; the model compares them.
    let gated = INSTRUCTIONS.iter().filter(|row| {
        row.mask == MaskUse::Writeback && !matches!(row.class, Class::Select | Class::Gather)
    });
    for row in gated {
        let float = float_call(row.opcode);
        let mut call = match row.types {
            a2lint::isa::TypeRule::Same(list) if !list.contains(&DType::Float) => {
                retyped(float, DType::Int)
            }
            _ => float,
        };
        call.integers = vec![1];
        call.scalar = 7.0;
        call.round = RoundMode::Floor;
        let mut memory = twos();
        memory.write(0, &[5.5_f32; 64]);
        run(&call, &mut memory, &mut masked(u64::MAX, 0b101));
        let result: [f32; 64] = floats(&memory, 0);
        assert!(
            result[1] == 5.5 && result[3..].iter().all(|&lane| lane == 5.5),
            "{}",
            row.name
        );
        assert!(result[0] != 5.5 && result[2] != 5.5, "{}", row.name);
    }
}

fn retyped(mut call: VectorCall, dtype: DType) -> VectorCall {
    call.operands
        .iter_mut()
        .flatten()
        .for_each(|operand| operand.dtype = dtype);
    call
}

#[test]
fn masked_off_lanes_contribute_zero_to_additive_reductions() {
    let mut mask = masked(0, 0b1111_0110);
    let mut memory = twos();
    run(&float_call(Opcode::Cadd), &mut memory, &mut mask);
    assert_eq!(floats(&memory, 0), [12.0]);
    run(&float_call(Opcode::Cgadd), &mut memory, &mut mask);
    assert_eq!(
        floats(&memory, 0),
        [12.0, 2.0],
        "the second block is masked off and keeps its 2"
    );
    run(&float_call(Opcode::Cpadd), &mut memory, &mut mask);
    assert_eq!(floats(&memory, 0), [2.0, 2.0, 4.0, 4.0, 0.0, 0.0]);
}

// Masked lanes in reductions of repeats, blocks and pairs.

#[test]
fn fully_masked_additive_reductions_leave_the_destination_but_for_pairs() {
    let mut mask = masked(u64::MAX, 0);
    let mut memory = twos();
    run(&float_call(Opcode::Cadd), &mut memory, &mut mask);
    run(&float_call(Opcode::Cgadd), &mut memory, &mut mask);
    assert_eq!(floats(&memory, 0), [2.0; 9]);
    run(&float_call(Opcode::Cpadd), &mut memory, &mut mask);
    assert_eq!(floats(&memory, 0), [0.0; 32]);
}

#[test]
fn masked_off_lanes_count_as_minus_infinity_for_maxima() {
    let mut memory = twos();
    memory.write(1024, &[9.0_f32, -3.0, -4.0, f32::NAN]);
    let mut mask = masked(0, 0b0110);
    run(&float_call(Opcode::Cmax), &mut memory, &mut mask);
    run(
        &VectorCall {
            operands: vec![operand(32, DType::Float), operand(1024, DType::Float)],
            ..call(Opcode::Cgmax)
        },
        &mut memory,
        &mut mask,
    );
    assert_eq!(floats(&memory, 0), [-3.0]);
    assert_eq!(
        floats(&memory, 32),
        [-3.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0]
    );
}

#[test]
fn masked_off_lanes_count_as_plus_infinity_for_minima() {
    let mut memory = twos();
    memory.write(1024, &[-9.0_f32, 3.0, 4.0, f32::NAN]);
    let mut mask = masked(0, 0b0110);
    run(&float_call(Opcode::Cmin), &mut memory, &mut mask);
    run(
        &VectorCall {
            operands: vec![operand(32, DType::Float), operand(1024, DType::Float)],
            ..call(Opcode::Cgmin)
        },
        &mut memory,
        &mut mask,
    );
    assert_eq!(floats(&memory, 0), [3.0]);
    assert_eq!(
        floats(&memory, 32),
        [3.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0]
    );
}

#[test]
fn masked_off_lanes_do_not_hide_infinities() {
    let mut memory = twos();
    memory.write(1024, &[f32::INFINITY, 3.0]);
    run(&float_call(Opcode::Cmin), &mut memory, &mut masked(0, 1));
    assert_eq!(floats(&memory, 0), [f32::INFINITY]);
    memory.write(1024, &[f32::NEG_INFINITY, 3.0]);
    run(&float_call(Opcode::Cgmax), &mut memory, &mut masked(0, 1));
    assert_eq!(floats(&memory, 0), [f32::NEG_INFINITY]);
}

#[test]
fn fully_masked_extremes_leave_the_destination() {
    for opcode in [Opcode::Cmax, Opcode::Cmin, Opcode::Cgmax, Opcode::Cgmin] {
        let mut memory = twos();
        memory.write(0, &[1.0_f32; 8]);
        run(&float_call(opcode), &mut memory, &mut masked(0, 0));
        assert_eq!(floats(&memory, 0), [1.0; 8], "{opcode:?}");
    }
}

#[test]
fn the_mask_does_not_advance_per_repeat() {
    let mut memory = twos();
    let fill = VectorCall {
        length: VectorLength::Repeats(3),
        scalar: 1.0,
        ..float_call(Opcode::Dup)
    };
    run(&fill, &mut memory, &mut masked(0, 1));
    for repeat in 0..3 {
        assert_eq!(floats(&memory, repeat * 256), [1.0, 2.0]);
    }
}

#[test]
fn cast_takes_the_lane_domain_of_the_wider_type() {
    let mut memory = Memory::from_bytes(vec![0; 4096]);
    let narrow = VectorCall {
        operands: vec![operand(0, DType::Half), operand(1024, DType::Float)],
        ..call(Opcode::Cast)
    };
    memory.write(1024, &[1.0_f32; 64]);
    run(&narrow, &mut memory, &mut masked(0, u64::MAX));
    assert_eq!(memory.bytes(0..128), [0x00, 0x3C].repeat(64));
    assert!(memory.bytes(128..256).iter().all(|&byte| byte == 0));
}

#[test]
fn counts_leave_the_mask_all_ones() {
    for length in [
        VectorLength::Count(3),
        VectorLength::CountPerRepeat {
            repeats: 1,
            lanes: 3,
        },
    ] {
        let mut mask = masked(0, 0);
        let mut memory = twos();
        let fill = VectorCall {
            length,
            scalar: 1.0,
            ..float_call(Opcode::Dup)
        };
        run(&fill, &mut memory, &mut mask);
        assert!(all_set(&mask));
        assert_eq!(floats(&memory, 0), [1.0, 1.0, 1.0, 2.0]);
    }
}

#[test]
fn instructions_without_mask_do_not_look_at_it() {
    let mut memory = twos();
    let broadcast = VectorCall {
        operands: vec![operand(0, DType::Float), operand(1024, DType::Float)],
        ..call(Opcode::Brcb)
    };
    memory.write(1024, &[0.0_f32, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    run(&broadcast, &mut memory, &mut masked(0, 0));
    assert_eq!(
        (floats(&memory, 0), floats(&memory, 224)),
        ([0.0; 8], [7.0; 8])
    );
}

// Definedness of operands and results.

#[test]
fn tails_of_a_partial_load_pass_through_compare_and_select() {
    let mut memory = twos();
    memory.set_defined(1024 + 50 * 4..1024 + 256, false);
    let compare = VectorCall {
        operands: vec![operand(2048, DType::UInt8), operand(1024, DType::Float)],
        scalar: 3.0,
        ..call(Opcode::CompareScalar)
    };
    let mut mask = VectorMask::default();
    assert_eq!(run(&compare, &mut memory, &mut mask), []);
    assert_eq!(memory.defined_bits(2048 + 6), 0b11);
    let select = VectorCall {
        operands: vec![
            operand(0, DType::Float),
            operand(2048, DType::UInt8),
            operand(3072, DType::Float),
        ],
        scalar: -1.0,
        ..call(Opcode::Select)
    };
    assert_eq!(run(&select, &mut memory, &mut mask), []);
    assert!(memory.all_defined(0..200) && !memory.any_defined(200..256));
    assert_eq!(floats(&memory, 0), [2.0; 50]);
}

#[test]
fn masks_combine_bit_by_bit() {
    let mut memory = Memory::from_bytes(vec![0b1111_0000; 4096]);
    memory.set_defined_bits(1024, 0b1110_0111);
    memory.bytes_mut(2048..2049)[0] = 0b1110_1111;
    let and = VectorCall {
        operands: vec![
            operand(0, DType::Int16),
            operand(1024, DType::Int16),
            operand(2048, DType::Int16),
        ],
        length: VectorLength::Count(1),
        ..call(Opcode::Vand)
    };
    run(&and, &mut memory, &mut VectorMask::default());
    assert_eq!(
        (memory.defined_bits(0), memory.defined_bits(1)),
        (0b1111_0111, 0xFF)
    );
}

#[test]
fn reading_fresh_memory_is_reported_once_per_operand() {
    let mut memory = Memory::new(4096);
    let events = run(
        &float_call(Opcode::Add),
        &mut memory,
        &mut VectorMask::default(),
    );
    assert_eq!(
        events,
        [1, 2].map(|operand| VectorEvent::Undefined { operand })
    );
    assert!(!memory.any_defined(0..4096));
    let events = run(&float_call(Opcode::Add), &mut memory, &mut masked(0, 0));
    assert_eq!(events, []);
}

#[test]
fn undefined_lanes_entering_a_reduction_with_defined_ones_are_reported() {
    let mut memory = twos();
    memory.set_defined(1024 + 40 * 4..1024 + 256, false);
    let mut mask = VectorMask::default();
    let mixed = |element| {
        [VectorEvent::MixedReduction {
            operand: 1,
            element,
        }]
    };
    assert_eq!(
        run(&float_call(Opcode::Cmax), &mut memory, &mut mask),
        mixed(40)
    );
    assert!(!memory.any_defined(0..4));
    assert_eq!(run(&float_call(Opcode::Cgmax), &mut memory, &mut mask), []);
    assert_eq!(memory.count_defined(0..32), 20);
    mask.set_mask(0, (1 << 40) - 1);
    assert_eq!(run(&float_call(Opcode::Cmax), &mut memory, &mut mask), []);
    assert!(memory.all_defined(0..4));
}

#[test]
fn undefined_offsets_are_reported_and_not_followed() {
    let mut memory = twos();
    memory.write(2048, &[0_u32; 64]);
    memory.set_defined(2048 + 12..2048 + 16, false);
    let gather = VectorCall {
        operands: vec![
            operand(0, DType::Float),
            operand(1024, DType::Float),
            operand(2048, DType::UInt32),
        ],
        integers: vec![0],
        ..call(Opcode::Gather)
    };
    let events = run(&gather, &mut memory, &mut VectorMask::default());
    assert_eq!(
        events,
        [VectorEvent::UndefinedOffset {
            operand: 2,
            element: 3
        }]
    );
    assert_eq!(memory.count_defined(0..256), 252);
}

// Faults.

fn fault(call: &VectorCall) -> VectorFault {
    execute(call, &mut twos(), &mut VectorMask::default(), &mut |_| {}).unwrap_err()
}

#[test]
fn fields_out_of_range_are_faults() {
    let add = float_call(Opcode::Add);
    let with = |length| VectorCall {
        length,
        ..add.clone()
    };
    assert_eq!(
        fault(&with(VectorLength::Repeats(256))),
        VectorFault::Repeats { repeats: 256 }
    );
    assert_eq!(
        fault(&with(VectorLength::Repeats(-1))),
        VectorFault::Repeats { repeats: -1 }
    );
    assert!(matches!(
        fault(&with(VectorLength::Count(-1))),
        VectorFault::Length { .. }
    ));
    let too_wide = VectorLength::CountPerRepeat {
        repeats: 1,
        lanes: 65,
    };
    assert!(matches!(fault(&with(too_wide)), VectorFault::Length { .. }));
    let mut strided = with(VectorLength::Repeats(2));
    strided.operands[2].as_mut().unwrap().repeat_stride = 256;
    assert_eq!(
        fault(&strided),
        VectorFault::Stride {
            operand: 2,
            stride: 256,
            limit: 255
        }
    );
    let mut fill = float_call(Opcode::Dup);
    fill.length = VectorLength::Repeats(0);
    fill.operands[0].as_mut().unwrap().block_stride = 65_535;
    assert_eq!(
        execute(&fill, &mut twos(), &mut VectorMask::default(), &mut |_| {}),
        Ok(())
    );
    let shift = VectorCall {
        integers: vec![33],
        ..retyped(float_call(Opcode::ShiftLs), DType::Int)
    };
    assert_eq!(
        fault(&shift),
        VectorFault::Parameter {
            index: 0,
            value: 33
        }
    );
}

#[test]
fn illegal_types_and_missing_operands_are_faults() {
    assert_eq!(
        fault(&retyped(float_call(Opcode::Exp), DType::Int)),
        VectorFault::Types
    );
    assert_eq!(
        fault(&retyped(float_call(Opcode::Dup), DType::UInt8)),
        VectorFault::Types
    );
    let mut mixed = float_call(Opcode::Add);
    mixed.operands[1].as_mut().unwrap().dtype = DType::Half;
    assert_eq!(fault(&mixed), VectorFault::Types);
    assert_eq!(
        fault(&call(Opcode::Add)),
        VectorFault::MissingOperand { operand: 0 }
    );
    assert_eq!(fault(&float_call(Opcode::Mmad)), VectorFault::NotVector);
    assert_eq!(fault(&call(Opcode::BarV)), VectorFault::NotVector);
}

#[test]
fn absurd_addresses_are_faults() {
    for address in [i64::MIN, -1, 4096, i64::MAX] {
        for index in 0..3 {
            let mut add = float_call(Opcode::Add);
            add.operands[index].as_mut().unwrap().address = address;
            assert!(
                matches!(fault(&add), VectorFault::OutOfBounds { operand, .. } if operand == index)
            );
        }
    }
}

#[test]
fn accesses_outside_the_memory_are_faults_unless_masked_off() {
    let mut add = float_call(Opcode::Add);
    add.operands[2].as_mut().unwrap().address = 4096 - 128;
    let expected = VectorFault::OutOfBounds {
        operand: 2,
        range: 3968..4224,
        capacity: 4096,
    };
    assert_eq!(fault(&add), expected);
    run(&add, &mut twos(), &mut masked(0, u64::from(u32::MAX)));
}

/// Returns the start and end of every range that an operand accesses.
fn touched(call: &VectorCall, operand: usize, mask: Option<&VectorMask>) -> Vec<(i64, i64)> {
    let ranges = footprint(call, operand, mask).unwrap().unwrap();
    ranges
        .into_iter()
        .map(|range| (range.start, range.end))
        .collect()
}

#[test]
fn footprints_follow_strides_and_mask() {
    let mut add = VectorCall {
        length: VectorLength::Repeats(2),
        ..float_call(Opcode::Add)
    };
    let row = add.operands[2].as_mut().unwrap();
    (row.block_stride, row.repeat_stride) = (0, 1);
    assert_eq!(touched(&add, 1, None), [(1024, 1536)]);
    assert_eq!(touched(&add, 2, None), [(2048, 2112)]);
    let mask = masked(0, 0b11);
    assert_eq!(touched(&add, 1, Some(&mask)), [(1024, 1032), (1280, 1288)]);
    let sums = VectorCall {
        length: VectorLength::Repeats(3),
        result_stride: 2,
        ..float_call(Opcode::Cadd)
    };
    assert_eq!(touched(&sums, 0, None), [(0, 4), (8, 12), (16, 20)]);
    let gather = VectorCall {
        operands: vec![
            operand(0, DType::Half),
            operand(1024, DType::Half),
            operand(2048, DType::UInt32),
        ],
        ..call(Opcode::Gather)
    };
    assert_eq!(footprint(&gather, 1, None), Ok(None));
    assert_eq!(touched(&gather, 2, None), [(2048, 2560)]);
}
