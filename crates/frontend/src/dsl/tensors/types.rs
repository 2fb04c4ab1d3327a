//! Element types as host code spells them.

use super::object::Library;
use crate::dsl::emit::Arguments;
use crate::dsl::facade::{self, Builtin};
use crate::dsl::value::Value;
use a2lint_isa::DType;

/// Returns the element type that a value names: `Some(None)` if it is unknown or no type of the device, and `None` if
/// the value names no type.
pub(super) fn type_of(library: Library, value: &Value) -> Option<Option<DType>> {
    match value {
        Value::DType(dtype) => Some(Some(*dtype)),
        Value::Str(name) => match library {
            // A string may name a device (`"npu:0"`) or a type (`"torch.HalfTensor"`).
            Library::Torch => torch_name(name),
            Library::Numpy => Some(numpy_name(name)),
        },
        Value::HostTensor(other) => Some(other.dtype()),
        // Python's `float` is a 64-bit float in both libraries.
        Value::Builtin(Builtin::Native(native)) if native.module.is_empty() => match native.name {
            "float" => Some(None),
            "int" => Some(Some(DType::Int64)),
            "bool" => Some(Some(DType::Bool)),
            _ => None,
        },
        // An inert value among torch's arguments is a device, a memory format or the like.
        Value::Inert if library == Library::Torch => None,
        Value::Unknown | Value::Foreign | Value::Inert => Some(None),
        _ => None,
    }
}

/// Returns the element type among the arguments of a conversion, from a position on or by keyword; `None` if none is
/// asked for.
pub(super) fn asked(library: Library, arguments: &Arguments, from: usize) -> Option<Option<DType>> {
    if let Some(named) = arguments.keyword("dtype") {
        return match named {
            Value::None => None,
            named => Some(type_of(library, named).unwrap_or(None)),
        };
    }
    // A spread may bring a type.
    if !arguments.spread.is_empty() {
        return Some(None);
    }
    let positional = arguments.positional.iter().skip(from);
    let mut found = positional.filter_map(|(value, _)| type_of(library, value));
    found.next()
}

fn torch_name(name: &str) -> Option<Option<DType>> {
    let name = name.strip_prefix("torch.")?;
    Some(match name {
        "HalfTensor" => Some(DType::Half),
        "FloatTensor" => Some(DType::Float),
        "BFloat16Tensor" => Some(DType::BFloat16),
        "IntTensor" => Some(DType::Int),
        "LongTensor" => Some(DType::Int64),
        "ShortTensor" => Some(DType::Int16),
        "CharTensor" => Some(DType::Int8),
        "ByteTensor" => Some(DType::UInt8),
        "BoolTensor" => Some(DType::Bool),
        name => facade::torch_dtype(name),
    })
}

/// Returns the element type that a string names for NumPy: `"float16"`, `"f2"`, `"<i4"`.
fn numpy_name(name: &str) -> Option<DType> {
    // The byte order of the host is assumed; `>` names no type here.
    let name = name.strip_prefix(['<', '=', '|']).unwrap_or(name);
    match name {
        "half" | "f2" | "e" => Some(DType::Half),
        "single" | "f4" | "f" => Some(DType::Float),
        "i1" | "b" | "byte" => Some(DType::Int8),
        "i2" | "h" | "short" => Some(DType::Int16),
        "i4" | "i" | "intc" => Some(DType::Int),
        "i8" | "q" | "longlong" => Some(DType::Int64),
        "u1" | "B" | "ubyte" => Some(DType::UInt8),
        "u2" | "H" | "ushort" => Some(DType::UInt16),
        "u4" | "I" | "uintc" => Some(DType::UInt32),
        "u8" | "Q" | "ulonglong" => Some(DType::UInt64),
        "?" | "bool" => Some(DType::Bool),
        // These have 64 bits, or a size that depends on the platform.
        "float" | "int" | "long" | "double" => None,
        name => facade::torch_dtype(name),
    }
}
