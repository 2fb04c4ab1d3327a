//! Modules of Python and of its libraries, and what is in them.

use super::super::facade::{self, Builtin, Namespace};
use super::super::value::Value;
use super::native;
use a2lint_isa::DType;

/// Libraries that know nothing of kernels: what their functions are given, they leave alone.
const INERT: &[&str] = &[
    "__future__",
    "abc",
    "argparse",
    "builtins",
    "cmath",
    "collections",
    "contextlib",
    "copy",
    "dataclasses",
    "datetime",
    "decimal",
    "enum",
    "fractions",
    "functools",
    "gc",
    "importlib",
    "inspect",
    "itertools",
    "json",
    "logging",
    "math",
    "matplotlib",
    "ml_dtypes",
    "numbers",
    "numpy",
    "operator",
    "os",
    "pandas",
    "pathlib",
    "platform",
    "pprint",
    "pytest",
    "random",
    "re",
    "scipy",
    "statistics",
    "string",
    "sys",
    "tempfile",
    "textwrap",
    "time",
    "torch",
    "torch_npu",
    "traceback",
    "types",
    "typing",
    "unittest",
    "uuid",
    "warnings",
];

/// Modules inside of libraries whose members are known.
const NESTED: &[&str] = &[
    "collections.abc",
    "itertools.chain",
    "numpy.random",
    "os.environ",
    "os.path",
    "pytest.mark",
    "sys.argv",
    "sys.modules",
    "torch.nn",
    "torch.nn.functional",
    "torch.testing",
];

/// A library whose members have meaning.
pub fn library(module: &str) -> Option<&'static str> {
    let mut known = INERT.iter().chain(NESTED);
    known.find(|name| **name == module).copied()
}

/// The constants of `math`.
const CONSTANTS: &[&str] = &["e", "inf", "nan", "pi", "tau"];
/// Functions of Python's own that libraries of arrays have under the same names.
const SHADOWED: &[&str] = &[
    "abs", "all", "any", "bool", "divmod", "float", "int", "max", "min", "pow", "range", "round",
    "sum",
];

/// The names that `from library import *` binds, as far as they are known.
pub fn names(library: &str) -> impl Iterator<Item = &'static str> {
    let constants = if library == "math" { CONSTANTS } else { &[] };
    let is_public = |name: &&str| !name.starts_with('_') && !name.contains(' ');
    native::names(library)
        .filter(is_public)
        .chain(constants.iter().copied())
}

/// The names of Python's own that `from library import *` may bind anew.
pub fn shadowed(library: &str) -> &'static [&'static str] {
    match library {
        "math" => &["pow"],
        "operator" => &["abs", "pow"],
        "os" => &["open"],
        "torch" | "numpy" | "scipy" => SHADOWED,
        _ => &[],
    }
}

/// What importing a module that is no file of the project gives.
pub fn imported<'a>(module: &str) -> Value<'a> {
    match library(module) {
        Some(name) => Value::Namespace(Namespace::Library(name)),
        None if is_inert(module) => Value::Inert,
        None => Value::Foreign,
    }
}

/// What a name of a module is that is not known.
pub fn imported_from<'a>(module: &str) -> Value<'a> {
    match is_inert(module) {
        true => Value::Inert,
        false => Value::Foreign,
    }
}

/// Libraries whose functions may change what they are given, or call it.
const CHANGING: &[&str] = &[
    "builtins",
    "collections",
    "contextlib",
    "copy",
    "dataclasses",
    "enum",
    "functools",
    "gc",
    "importlib",
    "inspect",
    "itertools",
    "operator",
    "os.environ",
    "random",
    "sys",
    "types",
    "unittest",
];

/// Whether functions of a module leave alone what they are given.
pub fn is_inert(module: &str) -> bool {
    let root = module.split('.').next().unwrap_or_default();
    INERT.contains(&root) && !CHANGING.contains(&root) && !CHANGING.contains(&module)
}

/// Whether a module is one that is known to be there.
pub fn is_known(module: &str) -> bool {
    let root = module.split('.').next().unwrap_or_default();
    INERT.contains(&root)
}

/// A member of a library.
pub fn member<'a>(module: &str, name: &str) -> Option<Value<'a>> {
    let own = if module == "builtins" { "" } else { module };
    if let Some(native) = native::find(own, name) {
        return Some(Value::Builtin(Builtin::Native(native)));
    }
    if let Some(value) = constant(module, name) {
        return Some(value);
    }
    if (module, name) == ("sys", "argv") {
        return Some(Value::list(vec![Value::str("")]));
    }
    let nested = library(&format!("{module}.{name}"))?;
    Some(Value::Namespace(Namespace::Library(nested)))
}

fn constant<'a>(module: &str, name: &str) -> Option<Value<'a>> {
    let float = match (module, name) {
        ("math" | "numpy", "inf") => f64::INFINITY,
        ("math" | "numpy", "nan") => f64::NAN,
        ("math" | "numpy", "pi") => std::f64::consts::PI,
        ("math" | "numpy", "e") => std::f64::consts::E,
        ("math", "tau") => std::f64::consts::TAU,
        ("sys", "maxsize") => return Some(Value::Int(i64::MAX.into())),
        ("typing", "TYPE_CHECKING") => return Some(Value::Bool(false)),
        ("torch", "inf") => f64::INFINITY,
        ("torch", "nan") => f64::NAN,
        ("torch", _) => return facade::torch_dtype(name).map(Value::DType),
        ("numpy" | "ml_dtypes", _) => return numpy_dtype(name).map(Value::DType),
        _ => return None,
    };
    Some(Value::Float(float))
}

fn numpy_dtype(name: &str) -> Option<DType> {
    match name {
        "half" | "short" | "long" | "float" | "int" | "bool" => None,
        "bool_" => Some(DType::Bool),
        "single" => Some(DType::Float),
        "intc" => Some(DType::Int),
        _ => facade::torch_dtype(name),
    }
}
