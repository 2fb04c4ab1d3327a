//! Atomic updates of global memory.

use half::{bf16, f16};

use super::memory::number;
use super::memory::{Exactly, Memory};
use a2lint_ir::AtomicKind;
use a2lint_isa::DType;

/// Combines the elements of `range` in `src` with those of `dst` from byte `address` on. The result is
/// undefined if either operand is.
pub fn combine(
    kind: AtomicKind,
    dtype: DType,
    dst: &mut Memory,
    address: usize,
    src: &Memory,
    range: std::ops::Range<usize>,
) {
    let size = dtype.bytes_of(1) as usize;
    for (index, start) in range.clone().step_by(size).enumerate() {
        // A range that was clipped at the end of the tensor may end inside an element, which is not updated.
        if start + size > range.end {
            break;
        }
        let to = address + index * size;
        let defined = src.all_defined(start..start + size) && dst.all_defined(to..to + size);
        let exact = dst
            .is_followed()
            .then(|| exactly(kind, dtype, dst, to, src, start));
        update(kind, dtype, dst, to, src, start);
        if let Some(exact) = exact {
            dst.set_exactly(to, dtype, exact);
        }
        dst.set_defined(to..to + size, defined);
    }
}

/// Returns the exact result of an update, or `None` for integers.
fn exactly(
    kind: AtomicKind,
    dtype: DType,
    dst: &Memory,
    to: usize,
    src: &Memory,
    from: usize,
) -> Option<Exactly> {
    if !dtype.is_float() {
        return None;
    }
    let of = |memory: &Memory, at| {
        let real = number(memory, dtype, at, 0);
        let exact = memory.exactly(at, dtype);
        (
            real,
            exact.unwrap_or(Exactly {
                value: real,
                blame: 0,
            }),
        )
    };
    let ((old, old_exact), (new, new_exact)) = (of(dst, to), of(src, from));
    let error = |real: f64, exact: Exactly| (real - exact.value).abs();
    // An element records one statement to blame: that of the operand with the larger absolute error.
    let worse = match error(old, old_exact) > error(new, new_exact) {
        true => old_exact,
        false => new_exact,
    };
    let (a, b) = (old_exact.value, new_exact.value);
    let value = match kind {
        AtomicKind::Add => a + b,
        AtomicKind::Max => a.max(b),
        AtomicKind::Min => a.min(b),
    };
    Some(Exactly { value, ..worse })
}

fn update(kind: AtomicKind, dtype: DType, dst: &mut Memory, to: usize, src: &Memory, from: usize) {
    macro_rules! update {
        ($type:ty, $apply:expr) => {{
            let (old, new): ($type, $type) = (dst.get(to), src.get(from));
            dst.put(to, $apply(old, new));
        }};
    }
    match dtype {
        DType::Float => update!(f32, |old, new| float(kind, old, new)),
        // Narrow floats are combined in single precision and rounded once.
        DType::Half => update!(f16, |old: f16, new: f16| {
            f16::from_f32(float(kind, old.to_f32(), new.to_f32()))
        }),
        DType::BFloat16 => update!(bf16, |old: bf16, new: bf16| {
            bf16::from_f32(float(kind, old.to_f32(), new.to_f32()))
        }),
        DType::Int => update!(i32, |old: i32, new: i32| pick(
            kind,
            old,
            new,
            old.wrapping_add(new)
        )),
        DType::Int16 => update!(i16, |old: i16, new: i16| pick(
            kind,
            old,
            new,
            old.wrapping_add(new)
        )),
        DType::Int64 => update!(i64, |old: i64, new: i64| pick(
            kind,
            old,
            new,
            old.wrapping_add(new)
        )),
        DType::Int8 | DType::Int4 => {
            update!(i8, |old: i8, new: i8| pick(
                kind,
                old,
                new,
                old.wrapping_add(new)
            ))
        }
        DType::UInt16 => update!(u16, |old: u16, new: u16| pick(
            kind,
            old,
            new,
            old.wrapping_add(new)
        )),
        DType::UInt32 => update!(u32, |old: u32, new: u32| pick(
            kind,
            old,
            new,
            old.wrapping_add(new)
        )),
        DType::UInt64 => update!(u64, |old: u64, new: u64| pick(
            kind,
            old,
            new,
            old.wrapping_add(new)
        )),
        DType::UInt8 | DType::Bool => {
            update!(u8, |old: u8, new: u8| pick(
                kind,
                old,
                new,
                old.wrapping_add(new)
            ))
        }
    }
}

/// Combines two floats; a NaN on either side makes the result NaN.
fn float(kind: AtomicKind, old: f32, new: f32) -> f32 {
    let result = match kind {
        AtomicKind::Add => old + new,
        // Comparisons with NaN are false, so an old NaN stays, and a new one needs a test of its own.
        AtomicKind::Max if new > old || new.is_nan() => new,
        AtomicKind::Min if new < old || new.is_nan() => new,
        AtomicKind::Max | AtomicKind::Min => old,
    };
    if result.is_nan() { f32::NAN } else { result }
}

fn pick<T: Ord>(kind: AtomicKind, old: T, new: T, sum: T) -> T {
    match kind {
        AtomicKind::Add => sum,
        AtomicKind::Max => old.max(new),
        AtomicKind::Min => old.min(new),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(values: &[f32]) -> Memory {
        Memory::from_bytes(
            values
                .iter()
                .flat_map(|value| value.to_le_bytes())
                .collect(),
        )
    }

    #[test]
    fn floats_add_and_compare() {
        for (kind, expected) in [
            (AtomicKind::Add, [3.0, -1.5]),
            (AtomicKind::Max, [2.0, 0.5]),
            (AtomicKind::Min, [1.0, -2.0]),
        ] {
            let mut dst = floats(&[1.0, 0.5]);
            combine(kind, DType::Float, &mut dst, 0, &floats(&[2.0, -2.0]), 0..8);
            assert_eq!([dst.get::<f32>(0), dst.get::<f32>(4)], expected);
        }
    }

    #[test]
    fn halves_round_once_and_undefined_sums_stay_undefined() {
        let half = |value: f32| f16::from_f32(value).to_le_bytes().to_vec();
        let mut dst = Memory::from_bytes([half(2048.0), half(1.0)].concat());
        dst.set_defined(2..4, false);
        let src = Memory::from_bytes([half(1.0), half(1.0)].concat());
        combine(AtomicKind::Add, DType::Half, &mut dst, 0, &src, 0..4);
        assert_eq!(dst.get::<f16>(0).to_f32(), 2048.0);
        assert!(dst.all_defined(0..2) && !dst.any_defined(2..4));
    }
}
