//! Modules of Python and of its libraries, and their members.

use super::super::facade::{self, Builtin, Namespace};
use super::super::value::Value;
use super::native;
use a2lint_isa::DType;

/// Libraries that do not concern kernels. Functions of these leave their arguments alone, except those of `CHANGING`.
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

/// Submodules of libraries whose members are known.
const NESTED: &[&str] = &[
    "collections.abc",
    "itertools.chain",
    "numpy.random",
    "os.environ",
    "os.path",
    "pytest.mark",
    "sys.modules",
    "torch.nn",
    "torch.nn.functional",
    "torch.testing",
];

/// Returns the name of a library with known members, or `None`.
pub fn library(module: &str) -> Option<&'static str> {
    let mut known = INERT.iter().chain(NESTED);
    known.find(|name| **name == module).copied()
}

/// The constants of `math`.
const CONSTANTS: &[&str] = &["e", "inf", "nan", "pi", "tau"];
/// Builtins that libraries of arrays define under the same names.
const SHADOWED: &[&str] = &[
    "abs", "all", "any", "bool", "divmod", "float", "int", "max", "min", "pow", "range", "round",
    "sum",
];

/// Returns the known names that `from library import *` binds.
pub fn names(library: &str) -> impl Iterator<Item = &'static str> {
    let constants = if library == "math" { CONSTANTS } else { &[] };
    // Internal rows of a table contain a space in their names.
    let is_public = |name: &&str| !name.starts_with('_') && !name.contains(' ');
    native::names(library)
        .filter(is_public)
        .chain(constants.iter().copied())
}

/// Returns the builtins that `from library import *` may rebind.
pub fn shadowed(library: &str) -> &'static [&'static str] {
    match library {
        "math" => &["pow"],
        "operator" => &["abs", "pow"],
        "os" => &["open"],
        "torch" | "numpy" | "scipy" => SHADOWED,
        _ => &[],
    }
}

/// Returns the value of an imported module that is no file of the project.
pub fn imported<'a>(module: &str) -> Value<'a> {
    match library(module) {
        Some(name) => Value::Namespace(Namespace::Library(name)),
        None if is_inert(module) => Value::Inert,
        None => Value::Foreign,
    }
}

/// Returns the value of an unknown name of a module.
pub fn imported_from<'a>(module: &str) -> Value<'a> {
    match is_inert(module) {
        true => Value::Inert,
        false => Value::Foreign,
    }
}

/// Libraries whose functions may change their arguments or call them.
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

/// Returns whether functions of a module do not change their arguments.
pub fn is_inert(module: &str) -> bool {
    let root = module.split('.').next().unwrap_or_default();
    INERT.contains(&root) && !CHANGING.contains(&root) && !CHANGING.contains(&module)
}

/// Returns whether a module is known to exist.
pub fn is_known(module: &str) -> bool {
    let root = module.split('.').next().unwrap_or_default();
    INERT.contains(&root)
}

/// Returns a member of a library; `None` if no table lists it.
pub fn member<'a>(module: &str, name: &str) -> Option<Value<'a>> {
    let own = if module == "builtins" { "" } else { module };
    if let Some(native) = native::find(own, name) {
        return Some(Value::Builtin(Builtin::Native(native)));
    }
    if let Some(value) = constant(module, name) {
        return Some(value);
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
        // Type checkers take it as true, the interpreter as false.
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
        // These are Python's own types, or aliases whose size depends on the platform.
        "half" | "short" | "long" | "float" | "int" | "bool" => None,
        "bool_" => Some(DType::Bool),
        "single" => Some(DType::Float),
        "intc" => Some(DType::Int),
        _ => facade::torch_dtype(name),
    }
}
