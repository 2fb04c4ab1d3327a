//! The meaning of names of facades, of Python and of torch for the tracer. A facade is the package of a DSL, or its
//! module for a device, that a kernel file imports: `easyasc.a2`.

use super::dialects::{self, Language, Meaning};
use super::python::libraries;
use super::python::native::Native;
use super::value::Value;
use a2lint_ir::{AtomicKind, BinaryOp, MutexKind, SpecialScalar, UnaryOp};
use a2lint_isa::{
    CompareMode, DType, Dialect, Layout, Opcode, Pipe, Position, RoundMode, SelectMode, Side,
    a5_only,
};

/// The kind of facade that a file imports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Facade {
    /// A facade of A2 or A3 devices.
    A2(Dialect),
    /// A facade of A5 devices; the file is not analysed.
    A5,
    /// A facade of a device that this version does not know.
    Unknown,
}

impl Facade {
    /// Returns the facade that a dotted module path names, or `None`.
    pub fn from_module(module: &str) -> Option<Facade> {
        let (package, rest) = module.split_once('.').unwrap_or((module, ""));
        let language = dialects::of_package(package)?;
        match rest {
            "" | "a2" | "a3" => Some(Facade::A2(language.dialect)),
            "a5" | "a5pr" | "a5_pr" => Some(Facade::A5),
            _ => names_device(rest).then_some(Facade::Unknown),
        }
    }

    /// Returns the dialect of the facade if its kernels are analysed.
    pub fn dialect(self) -> Option<Dialect> {
        match self {
            Facade::A2(dialect) => Some(dialect),
            Facade::A5 | Facade::Unknown => None,
        }
    }

    /// Returns why kernels of the facade are not analysed. `module` is the spelling in the file.
    pub fn obstacle(self, module: &str) -> Option<String> {
        match self {
            Facade::A2(_) => None,
            Facade::A5 => Some(format!("{module} targets A5 devices")),
            Facade::Unknown => Some(format!("{module} is a facade that a2lint does not know")),
        }
    }
}

/// Returns whether a module name has the form of a device (`a9`, `a3pr`).
fn names_device(module: &str) -> bool {
    let number = module.strip_prefix('a');
    number.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
        // Submodules of A2 and A3 are no facades of further devices.
        && !matches!(module.split('.').next(), Some("a2" | "a3"))
}

/// An object whose attributes the tracer knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Namespace {
    DType,
    Position,
    Pipe,
    Round,
    Compare,
    Select,
    Layout,
    /// The package of a dialect, which has `a2` as an attribute.
    Package(Dialect),
    /// A facade module of A2.
    Facade(Dialect),
    /// The module of a package that launches kernels.
    Runtime,
    /// A module that exists for one function of a facade.
    Shortcut(Dialect, &'static str),
    /// A library, by name.
    Library(&'static str),
}

/// The kind of a parameter in global memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Global {
    Tensor,
    List,
}

/// A callable that the tracer knows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Builtin {
    Instruction(Opcode),
    Tensor,
    /// `DBuff`, `TBuff` and `QBuff`, by number of slots.
    Ring(u32),
    GlobalTensor,
    Workspace,
    Var,
    VarList,
    /// `SEvent` to `QEvent`, by number of hardware ids.
    Event(u32),
    Mutex(MutexKind),
    /// `GMBuff`
    GlobalRing,
    /// `GM` and `GMList`, the annotations of parameters.
    GlobalType(Global),
    /// `range` of a facade.
    DeviceRange,
    Unroll,
    AutoSync,
    Scope(Side),
    Atomic(AtomicKind),
    If,
    Elif,
    Else,
    Break,
    Continue,
    ScalarBinary(BinaryOp),
    /// `Align16` to `Align256`.
    Align(i64),
    ScalarUnary(UnaryOp),
    Special(SpecialScalar),
    Maximum,
    Minimum,
    Reinterpret,
    /// `var_inv`
    Invert,
    /// Division or remainder with its rounding as an argument.
    Rounded(BinaryOp),
    /// `set_mask_by_count`
    MaskByCount,
    StaticAssert,
    /// A call without effect.
    Nothing,
    KernelDecorator(Dialect),
    FuncDecorator,
    OpExec,
    /// `compile_kernel(kernel, bindings={…})`
    CompileKernel,
    /// A function of Python or of one of its libraries.
    Native(&'static Native),
}

impl Builtin {
    /// Returns the name of a builtin of Python, and `None` for every other callable.
    pub fn native_name(self) -> Option<&'static str> {
        match self {
            Builtin::Native(native) if native.module.is_empty() => Some(native.name),
            _ => None,
        }
    }
}

/// Returns what `name` means in the facade of a dialect; `None` if the facade has no such name.
pub(super) fn facade_name<'a>(dialect: Dialect, name: &str) -> Option<Value<'a>> {
    let language = dialects::of(dialect)?;
    if let Some(namespace) = namespace(name) {
        return Some(Value::Namespace(namespace));
    }
    if let Some(meaning) = (language.name)(name) {
        return Some(match meaning {
            Meaning::Builtin(builtin) => Value::Builtin(builtin),
            Meaning::DType(dtype) => Value::DType(dtype),
        });
    }
    if let Some(builtin) = builtin(name) {
        return Some(Value::Builtin(builtin));
    }
    if let Some(opcode) = dialect.function(name) {
        return Some(Value::Builtin(Builtin::Instruction(opcode)));
    }
    // A name that only A5 has is noted where it is used, not where it is imported.
    if let Some(entry) = a5_only(name) {
        return Some(Value::A5(entry.name));
    }
    // Names without meaning for the analysis are known, so that they are not reported as undefined.
    language.others.contains(&name).then_some(Value::Unknown)
}

fn namespace(name: &str) -> Option<Namespace> {
    Some(match name {
        "DT" | "Datatype" => Namespace::DType,
        "Position" => Namespace::Position,
        "Pipe" => Namespace::Pipe,
        "RoundMode" => Namespace::Round,
        "CompareMode" => Namespace::Compare,
        "SelectMode" => Namespace::Select,
        "Layout" => Namespace::Layout,
        _ => return None,
    })
}

/// Defines the lookup of names and the list of all of them from one table.
macro_rules! builtins {
    ($($name:literal => $value:expr,)*) => {
        fn builtin(name: &str) -> Option<Builtin> {
            use Builtin as B;
            Some(match name {
                $($name => $value,)*
                _ => return None,
            })
        }

        const BUILTINS: &[&str] = &[$($name),*];
    };
}

// The names that all dialects share.
builtins! {
    "Tensor" => B::Tensor,
    "DBuff" => B::Ring(2),
    "TBuff" => B::Ring(3),
    "QBuff" => B::Ring(4),
    "GMTensor" => B::GlobalTensor,
    "split_workspace" => B::Workspace,
    "Var" => B::Var,
    "SEvent" => B::Event(1),
    "DEvent" => B::Event(2),
    "TEvent" => B::Event(3),
    "QEvent" => B::Event(4),
    "CvMutex" => B::Mutex(MutexKind::CubeToVec),
    "VcMutex" => B::Mutex(MutexKind::VecToCube),
    "unroll" => B::Unroll,
    "auto_sync" => B::AutoSync,
    "vec_scope" => B::Scope(Side::Vec),
    "cube_scope" => B::Scope(Side::Cube),
    "atomic_add" => B::Atomic(AtomicKind::Add),
    "atomic_max" => B::Atomic(AtomicKind::Max),
    "atomic_min" => B::Atomic(AtomicKind::Min),
    "CeilDiv" => B::ScalarBinary(BinaryOp::CeilDiv),
    "Min" => B::ScalarBinary(BinaryOp::Min),
    "Max" => B::ScalarBinary(BinaryOp::Max),
    "var_add" => B::ScalarBinary(BinaryOp::Add),
    "var_sub" => B::ScalarBinary(BinaryOp::Sub),
    "var_mul" => B::ScalarBinary(BinaryOp::Mul),
    "var_and" => B::ScalarBinary(BinaryOp::BitAnd),
    "var_or" => B::ScalarBinary(BinaryOp::BitOr),
    "var_shl" => B::ScalarBinary(BinaryOp::Shl),
    "var_shr" => B::ScalarBinary(BinaryOp::Shr),
    "Align16" => B::Align(16),
    "Align32" => B::Align(32),
    "Align64" => B::Align(64),
    "Align128" => B::Align(128),
    "Align256" => B::Align(256),
    "scalar_sqrt" => B::ScalarUnary(UnaryOp::Sqrt),
    "scalar_abs" => B::ScalarUnary(UnaryOp::Abs),
    "GetCubeNum" => B::Special(SpecialScalar::CubeNum),
    "GetCubeIdx" => B::Special(SpecialScalar::CubeIdx),
    "GetVecNum" => B::Special(SpecialScalar::VecNum),
    "GetVecIdx" => B::Special(SpecialScalar::VecIdx),
    "GetSubBlockIdx" => B::Special(SpecialScalar::SubBlockIdx),
    "reinterpret" => B::Reinterpret,
    "func" => B::FuncDecorator,
}

const NAMESPACES: &[&str] = &[
    "DT",
    "Datatype",
    "Position",
    "Pipe",
    "RoundMode",
    "CompareMode",
    "SelectMode",
    "Layout",
];

/// Returns every name of the facade of a dialect.
pub(super) fn names(dialect: Dialect) -> impl Iterator<Item = &'static str> {
    let of_language = move |language: &Language| {
        let listed = [BUILTINS, NAMESPACES, language.names, language.others];
        let functions = dialect.signatures();
        let functions = functions.filter(|signature| signature.row.receiver.is_none());
        let listed = listed.into_iter().flatten().copied();
        listed.chain(functions.map(|signature| signature.name))
    };
    dialects::of(dialect).into_iter().flat_map(of_language)
}

/// Returns the attribute `name` of a namespace; `None` if it has no such attribute.
pub(super) fn attribute<'a>(namespace: Namespace, name: &str) -> Option<Value<'a>> {
    match namespace {
        Namespace::DType => DType::from_name(name).map(Value::DType),
        Namespace::Position => Position::from_name(name).map(Value::Position),
        Namespace::Pipe => Pipe::from_name(name).map(Value::Pipe),
        Namespace::Round => RoundMode::from_name(name).map(Value::Round),
        Namespace::Compare => CompareMode::from_name(name).map(Value::Compare),
        Namespace::Select => SelectMode::from_name(name).map(Value::Select),
        Namespace::Layout => Layout::from_name(name)
            .filter(|layout| Layout::DECLARED.contains(layout))
            .map(Value::Layout),
        Namespace::Package(dialect) => match name {
            "a2" | "a3" => Some(Value::Namespace(Namespace::Facade(dialect))),
            "runtime" => Some(Value::Namespace(Namespace::Runtime)),
            _ => facade_name(dialect, name),
        },
        Namespace::Facade(dialect) => facade_name(dialect, name),
        Namespace::Shortcut(dialect, own) => {
            let own = (own == name).then(|| facade_name(dialect, name));
            own.unwrap_or(Some(Value::Unknown))
        }
        Namespace::Runtime => match name {
            "OpExec" => Some(Value::Builtin(Builtin::OpExec)),
            "compile_kernel" => Some(Value::Builtin(Builtin::CompileKernel)),
            // Other functions of the runtime do not concern kernels.
            _ => Some(Value::Inert),
        },
        Namespace::Library(library) => libraries::member(library, name),
    }
}

/// Returns the element type that torch calls `name`.
pub(super) fn torch_dtype(name: &str) -> Option<DType> {
    Some(match name {
        "float16" | "half" => DType::Half,
        "bfloat16" => DType::BFloat16,
        "float32" | "float" => DType::Float,
        "int8" => DType::Int8,
        "int16" | "short" => DType::Int16,
        "int32" | "int" => DType::Int,
        "int64" | "long" => DType::Int64,
        "uint8" => DType::UInt8,
        "uint16" => DType::UInt16,
        "uint32" => DType::UInt32,
        "uint64" => DType::UInt64,
        "bool" => DType::Bool,
        _ => return None,
    })
}
