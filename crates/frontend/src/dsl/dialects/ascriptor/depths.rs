//! Depths: free tokens of mutexes, and how far `auto_sync` may run ahead in a ring.

use super::super::super::emit::Arguments;
use super::super::super::tracer::Tracer;
use super::super::super::value::Value;
use a2lint_source::text::Span;

/// Maximum number of free tokens of a mutex: a flag counts in four bits.
const MAX_DEPTH: i128 = 15;

impl<'a> Tracer<'a> {
    /// Returns the number of free tokens of a mutex: `depth=`, or the fewest slots of the buffers that it guards;
    /// `None` if it is unknown.
    pub fn compiled_depth(&mut self, arguments: &Arguments<'a>, span: Span) -> Option<i64> {
        if let Some(depth) = arguments
            .keyword("depth")
            .filter(|it| !matches!(it, Value::None))
        {
            let depth = depth.as_int();
            if depth.is_some_and(|depth| !(1..=MAX_DEPTH).contains(&depth)) {
                let message = format!("the depth of a mutex is 1 to {MAX_DEPTH}");
                self.raise(span, "E0301", message);
            }
            return depth.and_then(|depth| i64::try_from(depth).ok());
        }
        let guards = match arguments.keyword("guards") {
            Some(Value::Tuple(items)) => items.to_vec(),
            Some(Value::List(items)) => match items.known() {
                Some(items) => items.to_vec(),
                None => vec![Value::Unknown],
            },
            Some(Value::None) | None => {
                let message = "a mutex needs `depth=` or `guards=`";
                self.raise(span, "E0301", message);
                // Continues as if it had one token.
                return Some(1);
            }
            Some(one) => vec![one.clone()],
        };
        let program = &self.kernel.as_ref()?.program;
        let slots = guards.iter().map(|guard| match guard {
            Value::Ring(id) => Some(i64::from(program.buffer(*id).slots)),
            Value::Local(_) => Some(1),
            _ => None,
        });
        let slots: Option<Vec<i64>> = slots.collect();
        let is_global = |it: &Value<'a>| matches!(it, Value::Global(_) | Value::GlobalRing(_));
        if guards.iter().any(is_global) {
            let message = "`guards=` takes on-chip buffers";
            self.raise(span, "E0301", message);
        }
        // The buffer with the fewest slots limits how far the producer may run ahead.
        slots?.into_iter().min()
    }

    /// Checks that `sync_depth=` is at most the number of slots of a ring.
    pub fn check_sync_depth(&mut self, slots: u32, arguments: &Arguments<'a>) {
        let mut keywords = arguments.keywords.iter();
        let Some((_, value, span)) = keywords.find(|(name, ..)| name == "sync_depth") else {
            return;
        };
        // An unknown depth may be legal.
        let is_legal = match value {
            Value::None => true,
            _ => value
                .as_int()
                .is_none_or(|depth| slots > 1 && (1..=i128::from(slots)).contains(&depth)),
        };
        if !is_legal {
            let message = match slots {
                1 => "a tensor has no `sync_depth`".to_owned(),
                slots => format!("`sync_depth` is 1 to {slots}, the slots of the ring"),
            };
            self.raise(*span, "E0301", message);
        }
    }
}
