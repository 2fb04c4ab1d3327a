//! Builtins of Python, and what programs have changed in Python and its libraries.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::native;
use super::objects::Class;
use crate::dsl::facade::{Builtin, Namespace};
use crate::dsl::tracer::Tracer;
use crate::dsl::value::Value;

/// Returns whether a name is a Python builtin.
pub fn is_python_builtin(name: &str) -> bool {
    PYTHON_BUILTINS.binary_search(&name).is_ok()
}

/// The changes that programs have made to Python and its libraries.
pub(in crate::dsl) struct Changed<'a> {
    /// The one list `sys.argv`, of a program that is run without arguments.
    arguments: Value<'a>,
    /// Members of libraries that were assigned, by their full name.
    pub members: FxHashMap<String, Value<'a>>,
    /// Whether any builtin may have been replaced.
    pub has_lost_builtins: bool,
    /// Environment variables that the program has set.
    pub environment: FxHashMap<String, Value<'a>>,
    /// Whether further environment variables may have been set or deleted.
    pub is_environment_lost: bool,
    /// Modules that the program has replaced in `sys.modules` or removed from it.
    pub modules: Vec<Rc<str>>,
    /// The exception classes of Python that have been used.
    pub exceptions: RefCell<FxHashMap<&'static str, Rc<Class<'a>>>>,
}

impl Default for Changed<'_> {
    fn default() -> Self {
        Changed {
            // How the program is called is unknown.
            arguments: Value::list(vec![Value::Unknown]),
            members: FxHashMap::default(),
            has_lost_builtins: false,
            environment: FxHashMap::default(),
            is_environment_lost: false,
            modules: Vec::new(),
            exceptions: RefCell::default(),
        }
    }
}

impl<'a> Changed<'a> {
    /// Makes the environment unknown from here on if `object` is `os.environ`.
    pub fn lose_environment(&mut self, object: &Value<'a>) {
        if matches!(object, Value::Namespace(Namespace::Library("os.environ"))) {
            self.is_environment_lost = true;
        }
    }
}

impl<'a> Tracer<'a> {
    /// Returns the value that Python itself gives to `name`.
    pub fn python_name(&self, name: &str) -> Option<Value<'a>> {
        // The checked file is evaluated as the program; other files set a `__name__` of their own.
        if name == "__name__" {
            return Some(Value::str("__main__"));
        }
        if self.changed.has_lost_builtins {
            return Some(Value::Unknown);
        }
        // Assigning `builtins.print` changes every later lookup of `print`.
        let key = format!("{:?}.{name}", Namespace::Library("builtins"));
        if let Some(changed) = self.changed.members.get(&key) {
            return Some(changed.clone());
        }
        if name == "NotImplemented" {
            return Some(Value::NotImplemented);
        }
        let native = native::find("", name);
        let native = native.map(|native| Value::Builtin(Builtin::Native(native)));
        let is_builtin = is_python_builtin(name);
        // Only classes that exist without an import: `FrozenInstanceError` is not a builtin.
        native.or_else(|| {
            self.exception_class(name)
                .filter(|_| is_builtin)
                .map(Value::Class)
        })
    }

    /// Returns a member of a library that the program has replaced or can change in place.
    pub fn changed_member(&self, namespace: Namespace, name: &str) -> Option<Value<'a>> {
        if namespace == Namespace::Library("builtins") {
            return match name {
                // `builtins.__dict__` gives access to all of them.
                "__dict__" => None,
                _ => self.python_name(name),
            };
        }
        let assigned = match self.changed.members.is_empty() {
            true => None,
            false => self.changed.members.get(&format!("{namespace:?}.{name}")),
        };
        match (assigned, namespace, name) {
            (None, Namespace::Library("sys"), "argv") => Some(self.changed.arguments.clone()),
            (assigned, ..) => assigned.cloned(),
        }
    }

    /// Returns whether a name is certainly unbound, in the file and in Python.
    pub fn is_no_name(&self, name: &str) -> bool {
        !is_python_builtin(name)
            && !self.changed.has_lost_builtins
            && !self.has_open_names
            && !self.is_in_broken_text(name)
            && self.frame.star().is_none()
    }

    /// Handles `os.environ[name] = value`.
    pub fn set_environment(&mut self, object: &Value<'a>, index: &Value<'a>, value: Value<'a>) {
        // In a region, the variable may be set or not.
        let is_certain = !self.doubts.is_in_region();
        match (object, index) {
            (Value::Namespace(Namespace::Library("os.environ")), Value::Str(name))
                if is_certain =>
            {
                self.changed.environment.insert(name.to_string(), value);
            }
            _ => {
                self.changed.lose_environment(object);
                self.doubt();
            }
        }
    }

    /// Evaluates `os.environ[name]`; unknown if the program has not set it, as the user's environment is unknown.
    pub fn environment_item(&mut self, object: &Value<'a>, index: &Value<'a>) -> Value<'a> {
        match (object, index) {
            (Value::Namespace(Namespace::Library("os.environ")), Value::Str(name))
                if !self.changed.is_environment_lost =>
            {
                let known = self.changed.environment.get(&**name);
                known.cloned().unwrap_or(Value::Unknown)
            }
            _ => Value::Unknown,
        }
    }
}

/// The names of Python's `builtins` module and those that every module has, sorted for binary search.
const PYTHON_BUILTINS: &[&str] = &[
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "BaseException",
    "BaseExceptionGroup",
    "BlockingIOError",
    "BrokenPipeError",
    "BufferError",
    "BytesWarning",
    "ChildProcessError",
    "ConnectionAbortedError",
    "ConnectionError",
    "ConnectionRefusedError",
    "ConnectionResetError",
    "DeprecationWarning",
    "EOFError",
    "Ellipsis",
    "EncodingWarning",
    "EnvironmentError",
    "Exception",
    "ExceptionGroup",
    "False",
    "FileExistsError",
    "FileNotFoundError",
    "FloatingPointError",
    "FutureWarning",
    "GeneratorExit",
    "IOError",
    "ImportError",
    "ImportWarning",
    "IndentationError",
    "IndexError",
    "InterruptedError",
    "IsADirectoryError",
    "KeyError",
    "KeyboardInterrupt",
    "LookupError",
    "MemoryError",
    "ModuleNotFoundError",
    "NameError",
    "None",
    "NotADirectoryError",
    "NotImplemented",
    "NotImplementedError",
    "OSError",
    "OverflowError",
    "PendingDeprecationWarning",
    "PermissionError",
    "ProcessLookupError",
    "PythonFinalizationError",
    "RecursionError",
    "ReferenceError",
    "ResourceWarning",
    "RuntimeError",
    "RuntimeWarning",
    "StopAsyncIteration",
    "StopIteration",
    "SyntaxError",
    "SyntaxWarning",
    "SystemError",
    "SystemExit",
    "TabError",
    "TimeoutError",
    "True",
    "TypeError",
    "UnboundLocalError",
    "UnicodeDecodeError",
    "UnicodeEncodeError",
    "UnicodeError",
    "UnicodeTranslateError",
    "UnicodeWarning",
    "UserWarning",
    "ValueError",
    "Warning",
    "WindowsError",
    "ZeroDivisionError",
    "__annotations__",
    "__build_class__",
    "__builtins__",
    "__cached__",
    "__class__",
    "__debug__",
    "__doc__",
    "__file__",
    "__import__",
    "__loader__",
    "__name__",
    "__package__",
    "__path__",
    "__spec__",
    "abs",
    "aiter",
    "all",
    "anext",
    "any",
    "ascii",
    "bin",
    "bool",
    "breakpoint",
    "bytearray",
    "bytes",
    "callable",
    "chr",
    "classmethod",
    "compile",
    "complex",
    "copyright",
    "credits",
    "delattr",
    "dict",
    "dir",
    "divmod",
    "enumerate",
    "eval",
    "exec",
    "exit",
    "filter",
    "float",
    "format",
    "frozenset",
    "getattr",
    "globals",
    "hasattr",
    "hash",
    "help",
    "hex",
    "id",
    "input",
    "int",
    "isinstance",
    "issubclass",
    "iter",
    "len",
    "license",
    "list",
    "locals",
    "map",
    "max",
    "memoryview",
    "min",
    "next",
    "object",
    "oct",
    "open",
    "ord",
    "pow",
    "print",
    "property",
    "quit",
    "range",
    "repr",
    "reveal_type",
    "reversed",
    "round",
    "set",
    "setattr",
    "slice",
    "sorted",
    "staticmethod",
    "str",
    "sum",
    "super",
    "tuple",
    "type",
    "vars",
    "zip",
];
