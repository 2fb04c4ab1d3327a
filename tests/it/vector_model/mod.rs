//! The vector unit against a naive model, and the mask contract by name.
//!
//! `cargo test --release` compares more than 200,000 cases, and a build without optimization a moderate number.
//! `A2LINT_VECTOR_CASES=400` sets the number for every combination of instruction, types and mask class.

mod cases;
mod contract;
mod model;
mod numbers;
mod numerics;

use a2lint::isa::{Class, DType, Instruction, Opcode, Walk};
use a2lint::machine::memory::Memory;
use a2lint::machine::vector::{
    Flow, Plan, Repeats, VectorFault, VectorMask, VectorOptions, execute, execute_with, footprint,
};
use a2lint::machine::{VectorCall, VectorLength, VectorOperand};
use cases::{CAPACITY, Case, MaskClass, Noise, cases, variants};
use model::{Model, Trace};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use std::ops::Range;

/// Returns the number of cases for every combination of instruction, types and mask class.
fn instances() -> u32 {
    let from_environment = std::env::var("A2LINT_VECTOR_CASES").ok();
    let given = from_environment.and_then(|text| text.parse().ok());
    given.unwrap_or(12)
}

/// Returns a random seed for a name, which is the same in every run.
fn seed(name: &str) -> [u8; 32] {
    let start = name.bytes().fold(0, |hash: u64, byte| {
        hash.wrapping_mul(0x100_0000_01B3) ^ u64::from(byte)
    });
    let mut noise = Noise(start);
    std::array::from_fn(|_| noise.next() as u8)
}

/// Compares all instructions of some classes with the model.
fn compare_with_model(classes: &[Class]) {
    let mut total = 0;
    let belongs = |row: &Instruction| row.is_vector() && classes.contains(&row.class);
    for (opcode, types) in variants(belongs) {
        for mask in MaskClass::ALL {
            let config = Config {
                cases: instances(),
                failure_persistence: None,
                ..Config::default()
            };
            let name = format!("{opcode:?} {types:?} {mask:?}");
            let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed(&name));
            let strategy = cases(opcode, types.clone(), mask);
            let outcome = TestRunner::new_with_rng(config, rng).run(&strategy, |case| check(&case));
            if let Err(error) = outcome {
                panic!("{name}: {error}");
            }
            total += instances();
        }
    }
    println!("{total} instances");
}

#[test]
fn elementwise_instructions_agree_with_the_model() {
    compare_with_model(&[Class::Unary, Class::Binary]);
}

#[test]
fn scalar_forms_and_fills_agree_with_the_model() {
    compare_with_model(&[Class::ScalarOp, Class::Fill, Class::Sequence]);
}

#[test]
fn casts_agree_with_the_model() {
    compare_with_model(&[Class::Cast]);
}

#[test]
fn reductions_agree_with_the_model() {
    compare_with_model(&[Class::Reduce, Class::GroupReduce, Class::PairReduce]);
    compare_with_model(&[Class::ReduceIndex, Class::ReduceAll]);
}

#[test]
fn comparisons_and_choices_agree_with_the_model() {
    compare_with_model(&[Class::Compare, Class::Select, Class::Broadcast]);
}

#[test]
fn indexed_sorting_and_transposing_instructions_agree_with_the_model() {
    compare_with_model(&[Class::Gather, Class::Compact, Class::Sort, Class::Transpose]);
}

/// Runs a case in the unit and in the model.
fn check(case: &Case) -> Result<(), TestCaseError> {
    let (bytes, defined) = (case.bytes(), case.defined());
    let mut memory = memory(&bytes, &defined);
    let mut mask = VectorMask::default();
    mask.set_mask(case.mask_words.0, case.mask_words.1);
    let mut model = Model {
        bytes,
        defined,
        mask: std::array::from_fn(|lane| mask.is_set(lane)),
        saturate: case.saturate,
        elementary,
    };
    let before_mask = mask.clone();
    let mut events = vec![];
    let options = VectorOptions {
        saturate: case.saturate,
        ..VectorOptions::default()
    };
    let result = execute_with(options, &case.call, &mut memory, &mut mask, &mut |event| {
        events.push(event)
    });
    let mut trace = model::execute(&case.call, &mut model);
    // The model has no scratch operand, so only the unit can leave its bounds.
    if matches!(&result, Err(VectorFault::OutOfBounds { operand, .. }) if is_work(&case.call, *operand))
    {
        return Ok(());
    }
    prop_assert_eq!(result.is_err(), trace.out_of_bounds, "{:?}", result);
    check_footprints(&case.call, &before_mask, &trace)?;
    if trace.out_of_bounds {
        return Ok(());
    }
    let differing = (0..CAPACITY).find(|&at| memory.bytes(at..at + 1)[0] != model.bytes[at]);
    prop_assert_eq!(
        differing,
        None,
        "data: {:?}",
        differing.map(|at| difference(at, &memory, &model))
    );
    let differing = (0..CAPACITY).find(|&at| memory.defined_bits(at) != model.defined[at]);
    prop_assert_eq!(
        differing,
        None,
        "definedness: {:?}",
        differing.map(|at| difference(at, &memory, &model))
    );
    prop_assert!(
        (0..256).all(|lane| mask.is_set(lane) == model.mask[lane]),
        "mask"
    );
    check_flows(case, &before_mask, &memory)?;
    events.sort_by_key(|event| format!("{event:?}"));
    trace.events.sort_by_key(|event| format!("{event:?}"));
    prop_assert_eq!(events, trace.events);
    Ok(())
}

/// Returns whether an operand is scratch space of the unit, which the model does not have.
fn is_work(call: &VectorCall, operand: usize) -> bool {
    let mut operands = call.opcode.row().operands();
    operands
        .nth(operand)
        .is_some_and(|(_, it)| it.walk == Walk::Work)
}

/// Checks that the model accessed exactly the footprint, if that does not depend on values.
fn check_footprints(
    call: &VectorCall,
    mask: &VectorMask,
    trace: &Trace,
) -> Result<(), TestCaseError> {
    let walks: Vec<Walk> = call
        .opcode
        .row()
        .operands()
        .map(|(_, it)| it.walk)
        .collect();
    for (operand, touched) in trace.touched.iter().enumerate().take(call.operands.len()) {
        // The model does not have the scratch space of the unit.
        if walks.get(operand) == Some(&Walk::Work) {
            continue;
        }
        if let Some(ranges) = footprint(call, operand, Some(mask)).unwrap() {
            let bytes: Vec<i64> = ranges.into_iter().flatten().collect();
            let touched: Vec<i64> = touched.iter().copied().collect();
            prop_assert_eq!(bytes, touched, "footprint of operand {}", operand);
        }
    }
    Ok(())
}

/// Checks that a result is defined exactly if all of the bits are that it is computed from.
fn check_flows(case: &Case, mask: &VectorMask, after: &Memory) -> Result<(), TestCaseError> {
    let options = VectorOptions {
        saturate: case.saturate,
        ..VectorOptions::default()
    };
    let plan = Plan::new(&case.call, Some(mask), options).unwrap();
    let mut known: Vec<bool> = case.defined().iter().map(|&bits| bits == 0xFF).collect();
    let mut flows: Vec<(Repeats, Vec<Flow>)> = Vec::new();
    let is_followed = plan.flows(&mut |repeats, flow| match flows.last_mut() {
        Some((last, flows)) if last == repeats => flows.push(flow),
        _ => flows.push((repeats.clone(), vec![flow])),
    });
    if !is_followed {
        return Ok(());
    }
    for (repeats, flows) in flows {
        for repeat in 0..repeats.range.len() {
            let moved = |operand: usize, bytes: &Range<i64>| {
                let by = repeat as i64 * repeats.steps[operand];
                (bytes.start + by) as usize..(bytes.end + by) as usize
            };
            let results: Vec<(Range<usize>, bool)> = flows
                .iter()
                .map(|flow| {
                    let read = flow.read.iter();
                    let mut bytes = read.flat_map(|(operand, bytes)| moved(*operand, bytes));
                    let is_defined = bytes.all(|byte| known[byte]);
                    (moved(0, &flow.written), is_defined)
                })
                .collect();
            for (bytes, is_defined) in results {
                known[bytes].fill(is_defined);
            }
        }
    }
    let work = work(&case.call);
    let is_wrong = |at: usize| known[at] && after.defined_bits(at) != 0xFF;
    let wrong = (0..CAPACITY).find(|&at| is_wrong(at) && !work.contains(&at));
    prop_assert_eq!(wrong, None, "a byte that flows define is not");
    Ok(())
}

/// Returns the bytes of its work area that a reduction overwrites, which flows leave out.
fn work(call: &VectorCall) -> Range<usize> {
    let mut operands = call.operands.iter().enumerate();
    let work = operands.find(|(operand, _)| is_work(call, *operand));
    let Some((_, Some(work))) = work else {
        return 0..0;
    };
    let lanes = work.dtype.lanes();
    let repeats = match call.length {
        VectorLength::Repeats(repeats) | VectorLength::CountPerRepeat { repeats, .. } => repeats,
        VectorLength::Count(count) => (count + lanes - 1) / lanes,
    };
    let written = call.opcode.row().work_written(repeats, work.dtype);
    let bytes = work.dtype.bytes_of(written) as usize;
    let start = work.address as usize;
    start..start + bytes
}

fn difference(at: usize, memory: &Memory, model: &Model) -> String {
    let unit = (memory.bytes(at..at + 1)[0], memory.defined_bits(at));
    format!(
        "byte {at}: unit {unit:02x?}, model {:02x?}",
        (model.bytes[at], model.defined[at])
    )
}

fn memory(bytes: &[u8], defined: &[u8]) -> Memory {
    let mut memory = Memory::from_bytes(bytes.to_vec());
    for (address, &bits) in defined.iter().enumerate() {
        if bits != 0xFF {
            memory.set_defined_bits(address, bits);
        }
    }
    memory
}

/// Returns e^x or ln x of one element as the unit computes it, after a check that it is within one ulp of a
/// double-precision reference.
fn elementary(opcode: Opcode, dtype: DType, pattern: u64) -> u64 {
    let size = (dtype.bits() / 8) as usize;
    let mut memory = Memory::from_bytes(vec![0; 64]);
    memory
        .bytes_mut(32..32 + size)
        .copy_from_slice(&pattern.to_le_bytes()[..size]);
    let operand = |address| {
        Some(VectorOperand {
            address,
            dtype,
            block_stride: 1,
            repeat_stride: 8,
        })
    };
    let call = VectorCall {
        operands: vec![operand(0), operand(32)],
        length: VectorLength::Count(1),
        ..contract::call(opcode)
    };
    execute(&call, &mut memory, &mut VectorMask::default(), &mut |_| {}).unwrap();
    let result = memory.get::<u64>(0) & (u64::MAX >> (64 - dtype.bits()));
    let x = numbers::decode(dtype, pattern).float();
    let exact = if opcode == Opcode::Exp {
        x.exp()
    } else {
        x.ln()
    };
    let near = numbers::encode(
        dtype,
        numbers::Value::Float(exact),
        a2lint::isa::RoundMode::ToEven,
        false,
    );
    assert!(
        result.abs_diff(near) <= 1,
        "{opcode:?}({x:e}) = {result:x}, not {near:x}"
    );
    result
}
