//! Type promotion: torch and numpy promote operands differently.

use super::object::Library;
use crate::dsl::value::Value;
use a2lint_isa::DType;

/// Returns the category of a type: bool, integer or float, in the order of precedence.
fn category(dtype: DType) -> u8 {
    match dtype {
        DType::Bool => 0,
        _ if dtype.is_float() => 2,
        _ => 1,
    }
}

fn is_unsigned(dtype: DType) -> bool {
    category(dtype) == 1 && !dtype.is_signed()
}

/// Returns the smallest integer type that represents all values of two; `None` if there is none.
fn integers(a: DType, b: DType) -> Option<DType> {
    if a.is_signed() == b.is_signed() {
        return Some(if a.bits() >= b.bits() { a } else { b });
    }
    let (signed, unsigned) = if a.is_signed() { (a, b) } else { (b, a) };
    // A wider signed type represents every value of a narrower unsigned one.
    if signed.bits() > unsigned.bits() {
        return Some(signed);
    }
    match unsigned.bits() {
        8 => Some(DType::Int16),
        16 => Some(DType::Int),
        32 => Some(DType::Int64),
        _ => None,
    }
}

/// Returns the common type of two tensors of a library; `None` if it is unknown, or no type of the device.
pub(super) fn promoted(library: Library, a: DType, b: DType) -> Option<DType> {
    if a == b {
        return Some(a);
    }
    if a == DType::Int4 || b == DType::Int4 {
        return None;
    }
    match library {
        Library::Torch => torch(a, b),
        Library::Numpy => numpy(a, b),
    }
}

fn torch(a: DType, b: DType) -> Option<DType> {
    match (category(a), category(b)) {
        (0, _) => Some(b),
        (_, 0) => Some(a),
        (1, 1) => {
            // torch promotes unsigned types above 8 bits with no other integer.
            let wide = |dtype: DType| is_unsigned(dtype) && dtype.bits() > 8;
            if wide(a) || wide(b) {
                None
            } else {
                integers(a, b)
            }
        }
        // Two different float types promote to float32: half and bfloat16 have no smaller common type.
        (2, 2) => Some(DType::Float),
        (2, _) => Some(a),
        _ => Some(b),
    }
}

fn numpy(a: DType, b: DType) -> Option<DType> {
    // NumPy has no bfloat16; packages that add it have promotion rules of their own.
    if a == DType::BFloat16 || b == DType::BFloat16 {
        return None;
    }
    match (category(a), category(b)) {
        (0, _) => Some(b),
        (_, 0) => Some(a),
        (1, 1) => integers(a, b),
        (2, 2) => Some(DType::Float),
        _ => {
            let (float, integer) = if a.is_float() { (a, b) } else { (b, a) };
            match (float, integer.bits()) {
                (DType::Half, 8) => Some(DType::Half),
                (DType::Half, 16) => Some(DType::Float),
                (DType::Float, 8 | 16) => Some(DType::Float),
                // The result is float64, which is no type of the device.
                _ => None,
            }
        }
    }
}

/// Returns the type of a tensor after arithmetic with a Python number.
pub(super) fn with_number(
    (library, default): (Library, Option<DType>),
    dtype: DType,
    number: &Value,
) -> Option<DType> {
    let of_number = match number {
        Value::Float(_) => 2,
        Value::Bool(_) => 0,
        _ => 1,
    };
    // A number of the same or a lower category does not change the type of the tensor.
    if category(dtype) >= of_number {
        // A number out of range raises, or changes the type in older versions.
        let fits = match (category(dtype), number.as_int()) {
            (1, Some(number)) => fits(number, dtype),
            _ => true,
        };
        return fits.then_some(dtype);
    }
    match (of_number, library) {
        (1, _) => Some(DType::Int64),
        (_, Library::Torch) => default,
        (_, Library::Numpy) => None,
    }
}

fn fits(number: i128, dtype: DType) -> bool {
    let bits = dtype.bits() as u32;
    match dtype.is_signed() {
        true => (-(1i128 << (bits - 1))..1i128 << (bits - 1)).contains(&number),
        false => (0..1i128 << bits).contains(&number),
    }
}

/// Returns the type of the quotient of two integers or bools: the library's float type.
pub(super) fn quotient(
    (library, default): (Library, Option<DType>),
    dtype: DType,
) -> Option<DType> {
    match (dtype.is_float(), library) {
        (true, _) => Some(dtype),
        (false, Library::Torch) => default,
        (false, Library::Numpy) => None,
    }
}

/// Returns the common type of two tensors of torch of which one has no axes: that one counts only if its category has
/// precedence.
pub(super) fn with_scalar_tensor(tensor: DType, scalar: DType) -> Option<DType> {
    match category(tensor) >= category(scalar) {
        true => Some(tensor),
        false => torch(tensor, scalar),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn torch_follows_its_table() {
        use DType as D;
        // https://docs.pytorch.org/docs/stable/tensor_attributes.html#type-promotion-doc
        for (a, b, both) in [
            (D::UInt8, D::Int8, Some(D::Int16)),
            (D::UInt8, D::Int, Some(D::Int)),
            (D::Int16, D::Int64, Some(D::Int64)),
            (D::Int64, D::Half, Some(D::Half)),
            (D::Half, D::BFloat16, Some(D::Float)),
            (D::BFloat16, D::Float, Some(D::Float)),
            (D::Bool, D::UInt8, Some(D::UInt8)),
            (D::Bool, D::Half, Some(D::Half)),
            (D::UInt16, D::Int, None),
        ] {
            assert_eq!(promoted(Library::Torch, a, b), both, "{a:?} {b:?}");
            assert_eq!(promoted(Library::Torch, b, a), both, "{b:?} {a:?}");
        }
        assert_eq!(with_scalar_tensor(D::Int, D::Int64), Some(D::Int));
        assert_eq!(with_scalar_tensor(D::Half, D::Float), Some(D::Half));
        assert_eq!(with_scalar_tensor(D::Int, D::Half), Some(D::Half));
        let number =
            |dtype, number: &Value| with_number((Library::Torch, Some(D::Float)), dtype, number);
        assert_eq!(number(D::Half, &Value::Float(0.5)), Some(D::Half));
        assert_eq!(number(D::Int, &Value::Float(0.5)), Some(D::Float));
        assert_eq!(number(D::Bool, &Value::Int(1)), Some(D::Int64));
        assert_eq!(number(D::UInt8, &Value::Int(300)), None);
    }
}
