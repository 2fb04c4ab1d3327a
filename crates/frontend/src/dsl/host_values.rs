//! Values of a module's names, as far as host code is known.

use a2lint_isa::RepeatRounding;
use a2lint_project::Modules;
use a2lint_source::text::SourceText;
use a2lint_syntax::python::Syntax;

use super::stack::Stack;
use super::tracer::Tracer;
use super::value::Value;

/// Maximum nesting of values.
const MAX_NESTED: u32 = 7;

/// A plain value of Python.
#[derive(Clone, Debug, PartialEq)]
pub enum HostValue {
    /// `None`
    None,
    /// A `bool`.
    Bool(bool),
    /// An `int`.
    Int(i128),
    /// A `float`.
    Float(f64),
    /// A `str`.
    Str(String),
    /// A `tuple`.
    Tuple(Vec<HostValue>),
    /// A `list`.
    List(Vec<HostValue>),
    /// A `set`, in any order.
    Set(Vec<HostValue>),
    /// A `dict`, in order.
    Dict(Vec<(HostValue, HostValue)>),
}

/// The known values of a module's names.
#[derive(Clone, Debug, Default)]
pub struct HostValues {
    /// Names that host code binds to plain values, if every part of the value is known.
    pub values: Vec<(String, HostValue)>,
    /// Whether something could not be evaluated and so may have raised; the values hold if it did not.
    pub may_have_raised: bool,
}

/// Evaluates host code of a file and returns the names that it binds to plain values.
pub fn host_values(source: &SourceText) -> HostValues {
    Stack::of_evaluation(|stack| evaluated(source, stack))
}

fn evaluated(source: &SourceText, stack: Stack) -> HostValues {
    let modules = Modules::alone(source);
    let syntax = Syntax::of(source);
    let mut tracer = Tracer::new(&modules, &syntax.file, RepeatRounding::default(), stack);
    let done = tracer.module_block(&syntax.file.body);
    let module = tracer.own_module();
    let mut values = Vec::new();
    // After an abort, names may hold values that later code replaces.
    if done.is_ok() {
        for name in module.own_names() {
            let value = module
                .own(&name)
                .and_then(|value| plain(&value, MAX_NESTED));
            values.extend(
                value
                    // Internal names contain a space, which no program can spell.
                    .filter(|_| !name.contains(' '))
                    .map(|value| (name, value)),
            );
        }
    }
    let may_have_raised = tracer.doubts.count() > 0;
    tracer.dispose();
    HostValues {
        values,
        may_have_raised,
    }
}

fn plain(value: &Value, nested: u32) -> Option<HostValue> {
    // Lists can hold themselves.
    let nested = nested.checked_sub(1)?;
    let all = |items: &[Value]| {
        items
            .iter()
            .map(|item| plain(item, nested))
            .collect::<Option<_>>()
    };
    Some(match value {
        Value::None => HostValue::None,
        Value::Bool(value) => HostValue::Bool(*value),
        Value::Int(value) => HostValue::Int(*value),
        Value::Float(value) => HostValue::Float(*value),
        Value::Str(text) => HostValue::Str(text.to_string()),
        Value::Tuple(items) => HostValue::Tuple(all(items)?),
        Value::List(items) => HostValue::List(all(&items.known()?)?),
        Value::Set(items) => HostValue::Set(all(&items.known()?)?),
        Value::Dict(entries) => {
            let entries = entries.known()?;
            let pair =
                |(key, value): &(Value, Value)| Some((plain(key, nested)?, plain(value, nested)?));
            HostValue::Dict(entries.iter().map(pair).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}
