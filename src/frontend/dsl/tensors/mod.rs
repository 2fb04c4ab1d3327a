//! Tensors of host code: their shapes and element types, whatever their values.

pub(super) mod arithmetic;
mod factories;
pub(super) mod methods;
mod shapes;

use super::tracer::{Eval, Tracer};
use super::value::Value;
use crate::ir::{LaunchTensor, TensorInit};
use crate::isa::DType;
use crate::text::Span;

pub(super) use factories::TABLE as FACTORIES;
pub(super) use methods::TABLE as FUNCTIONS;

impl LaunchTensor {
    /// A tensor whose extents nobody has a name for.
    fn plain(dtype: Option<DType>, shape: Option<Vec<i64>>, init: TensorInit) -> LaunchTensor {
        let spelled = vec![None; shape.as_ref().map_or(0, Vec::len)];
        LaunchTensor {
            dtype,
            shape,
            spelled,
            init,
        }
    }

    /// A tensor with the same elements in another shape.
    pub(super) fn of_shape(&self, shape: Option<Vec<i64>>) -> LaunchTensor {
        LaunchTensor::plain(self.dtype, shape, self.init)
    }

    /// What a function of each element makes.
    pub(super) fn computed(&self) -> LaunchTensor {
        LaunchTensor {
            init: TensorInit::Computed,
            ..self.clone()
        }
    }
}

/// Extents, and the names that they are spelled with.
type Extents = (Option<Vec<i64>>, Vec<Option<String>>);

impl<'a> Tracer<'a> {
    /// Extents from `M, K`, `(M, K)` or `shape`.
    fn host_shape(&mut self, values: &[(Value<'a>, Span)]) -> Eval<Extents> {
        let (values, words) = match values {
            [(list @ (Value::Tuple(_) | Value::List(_) | Value::Instance(_)), span)] => {
                let items = self.static_items(list)?;
                (items, self.words(*span))
            }
            values => {
                let words = values.iter().map(|(_, span)| self.source.slice(*span));
                let words = words.map(name_in).collect();
                (
                    Some(values.iter().map(|(value, _)| value.clone()).collect()),
                    words,
                )
            }
        };
        let Some(values) = values else {
            return Ok((None, Vec::new()));
        };
        let extent = |value: &Value| value.as_int().and_then(|value| i64::try_from(value).ok());
        let shape: Option<Vec<i64>> = values.iter().map(extent).collect();
        let mut words = words;
        words.resize(values.len(), None);
        Ok((shape, words))
    }

    /// The names in `(M, K)`, `[M, K]`.
    fn words(&self, span: Span) -> Vec<Option<String>> {
        let text = self.source.slice(span).trim();
        let inner = text.strip_prefix(['(', '[']);
        let inner = inner.and_then(|inner| inner.strip_suffix([')', ']']));
        match inner {
            Some(inner) if !inner.contains(['(', '[']) => inner.split(',').map(name_in).collect(),
            _ => Vec::new(),
        }
    }
}

/// The name that a text is, if it is one.
fn name_in(text: &str) -> Option<String> {
    let text = text.trim();
    let starts = text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let is_name = starts && text.chars().all(|c| c.is_alphanumeric() || c == '_');
    (is_name && text != "None").then(|| text.to_owned())
}
