//! Functions that take and return iterables: `map`, `zip`, `sorted`, `any`, ….

use std::cmp::Ordering;

use super::super::emit::Arguments;
use super::super::tracer::{Abort, Eval, Tracer};
use super::super::value::Value;
use super::iterators::{Iterator, Source, State, Step};
use super::native::{Call, Native, Site};
use super::numbers::order_numbers;
use a2lint_ir::PythonNote;
use a2lint_source::text::Span;
use a2lint_syntax::python::ast::CompareOp;

pub const TABLE: &[Native] = &[
    native("", "enumerate", enumerate),
    native("", "zip", zip),
    native("", "map", map),
    native("", "filter", |tracer, args, site| {
        filter(tracer, args, site, true)
    }),
    native("itertools", "filterfalse", |tracer, args, site| {
        filter(tracer, args, site, false)
    }),
    native("", "reversed", reversed),
    native("", "sorted", sorted),
    native("", "any", |tracer, args, site| {
        tested(tracer, args, site, true)
    }),
    native("", "all", |tracer, args, site| {
        tested(tracer, args, site, false)
    }),
    native("", "min", |tracer, args, site| {
        extreme(tracer, args, site, Ordering::Less)
    }),
    native("", "max", |tracer, args, site| {
        extreme(tracer, args, site, Ordering::Greater)
    }),
    native("", "iter", |tracer, args, _| iter(tracer, args)),
    native("", "next", next),
];

impl Tracer<'_> {
    /// Notes that `min()` or `max()` compares device values while a kernel is traced.
    fn note_compared_vars(&mut self, span: Span, wanted: Ordering) {
        if !self.in_kernel() || self.compiled {
            return;
        }
        let (function, device) = match wanted {
            Ordering::Less => ("min", "Min"),
            _ => ("max", "Max"),
        };
        self.note(span, PythonNote::ComparesVars { function, device });
    }
}

const fn native(module: &'static str, name: &'static str, call: Call) -> Native {
    Native { module, name, call }
}

impl<'a> Tracer<'a> {
    /// Returns the items of an argument; `None` if they are unknown or the argument is missing.
    pub fn items_at(&mut self, args: &Arguments<'a>, at: usize) -> Eval<Option<Vec<Value<'a>>>> {
        match args.at(at) {
            Some(value) => self.static_items(value),
            None => Ok(None),
        }
    }

    /// Returns the items of every argument from `from` on; `None` if some are unknown.
    pub fn columns(
        &mut self,
        args: &Arguments<'a>,
        from: usize,
    ) -> Eval<Option<Vec<Vec<Value<'a>>>>> {
        let mut columns = Vec::new();
        for at in from..args.positional.len() {
            match self.items_at(args, at)? {
                Some(items) => columns.push(items),
                None => return Ok(None),
            }
        }
        Ok(args.spread.is_empty().then_some(columns))
    }

    /// Calls a function that was passed as an argument.
    pub fn call_back(
        &mut self,
        function: &Value<'a>,
        given: Vec<Value<'a>>,
        site: Site,
    ) -> Eval<Value<'a>> {
        let arguments = Arguments::of(given, site.span);
        self.apply(function.clone(), arguments, site)
    }
}

impl<'a> Tracer<'a> {
    /// Returns the iterators of every argument from `from` on; `None` if one is unknown or there are keywords
    /// (`strict=True`).
    pub fn sources(&mut self, args: &Arguments<'a>, from: usize) -> Eval<Option<Vec<Source<'a>>>> {
        let mut sources = Vec::new();
        for value in args.plain().iter().skip(from) {
            match self.iterator_of(value)? {
                Some(source) => sources.push(source),
                None => return Ok(None),
            }
        }
        let is_known = args.spread.is_empty() && args.keywords.is_empty();
        Ok(is_known.then_some(sources))
    }

    /// Makes an iterator, or handles the call as one that is not followed.
    pub fn made_iterator(
        &mut self,
        args: &Arguments<'a>,
        state: Option<State<'a>>,
    ) -> Eval<Value<'a>> {
        match state {
            Some(state) => Ok(Value::Iterator(Iterator::new(state))),
            None => self.lost_call(args),
        }
    }
}

fn enumerate<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, _: Site) -> Eval<Value<'a>> {
    let start = match args.at(1).or(args.keyword("start")) {
        Some(start) => start.as_int(),
        None => Some(0),
    };
    let source = match args.at(0) {
        Some(items) => tracer.iterator_of(&items.clone())?,
        None => None,
    };
    let state = start
        .zip(source)
        .map(|(start, source)| State::Enumerate(start, source));
    tracer.made_iterator(args, state)
}

fn zip<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, _: Site) -> Eval<Value<'a>> {
    let sources = tracer.sources(args, 0)?;
    tracer.made_iterator(args, sources.map(State::Zip))
}

fn map<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, _: Site) -> Eval<Value<'a>> {
    let sources = tracer.sources(args, 1)?;
    // `map(f)` without an iterable raises, which is not followed.
    let function = args.at(0).cloned().filter(|_| args.positional.len() > 1);
    let state = function
        .zip(sources)
        .map(|(function, sources)| State::Map(function, sources));
    tracer.made_iterator(args, state)
}

fn filter<'a>(
    tracer: &mut Tracer<'a>,
    args: &Arguments<'a>,
    _: Site,
    wanted: bool,
) -> Eval<Value<'a>> {
    let sources = tracer.sources(args, 1)?;
    let state = match (args.at(0).cloned(), sources.as_deref()) {
        (Some(function), Some([source])) => Some(State::Filter(function, source.clone(), wanted)),
        _ => None,
    };
    tracer.made_iterator(args, state)
}

fn reversed<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, site: Site) -> Eval<Value<'a>> {
    let state = match args.at(0) {
        // Not a copy: a list that changes during the iteration shows its changes.
        Some(Value::List(items)) => {
            let length = items.known().map(|items| items.len());
            length.map(|length| State::Backwards(items.clone(), length))
        }
        // Immutable, or (for dictionaries) not to be changed during the iteration, so a copy of the items is the
        // same.
        Some(value @ (Value::Tuple(_) | Value::Str(_) | Value::Range(..) | Value::Dict(_))) => {
            let items = tracer.static_items(&value.clone())?;
            items.map(|items| State::Items(items.into_iter().rev().collect()))
        }
        Some(value @ Value::Instance(_)) => {
            let value = value.clone();
            match tracer.call_method(&value, "__reversed__", Arguments::default(), site)? {
                Some(made) => return Ok(made),
                None => None,
            }
        }
        // "object is not reversible".
        Some(Value::Set(_) | Value::Iterator(_) | Value::None | Value::Int(_)) => {
            return tracer.throw("TypeError", Value::Unknown);
        }
        _ => None,
    };
    tracer.made_iterator(args, state)
}

/// Compares numbers, strings and sequences of them; `None` if the order is unknown or undefined.
pub fn order<'a>(a: &Value<'a>, b: &Value<'a>, nesting: u32) -> Option<Ordering> {
    let sequences = |a: &[Value<'a>], b: &[Value<'a>]| {
        for (a, b) in a.iter().zip(b.iter()) {
            // Sequences compare by the first pair of items that differ; equal items need not be ordered.
            match a.is_or_equals(b)? {
                true => {}
                false => return order(a, b, nesting - 1),
            }
        }
        Some(a.len().cmp(&b.len()))
    };
    match (a, b) {
        // Python compares strings by code points, as `chars` does.
        (Value::Str(a), Value::Str(b)) => Some(a.chars().cmp(b.chars())),
        (Value::Tuple(a), Value::Tuple(b)) if nesting > 0 => sequences(a, b),
        (Value::List(a), Value::List(b)) if nesting > 0 => sequences(&a.known()?, &b.known()?),
        (Value::Instance(x), Value::Instance(y)) if nesting > 0 && x.as_int().is_none() => {
            sequences(&x.as_tuple()?, &y.as_tuple()?)
        }
        _ => order_numbers(a, b),
    }
}

/// Pairs items with the keys that order them.
fn keyed<'a>(
    tracer: &mut Tracer<'a>,
    args: &Arguments<'a>,
    items: Vec<Value<'a>>,
    site: Site,
) -> Eval<Vec<(Value<'a>, Value<'a>)>> {
    let key = args
        .keyword("key")
        .filter(|key| !matches!(key, Value::None));
    let mut keyed = Vec::with_capacity(items.len());
    // `key` is called once for each item, in order.
    for item in items {
        let by = match key {
            Some(key) => tracer.call_back(key, vec![item.clone()], site)?,
            None => item.clone(),
        };
        keyed.push((by, item));
    }
    Ok(keyed)
}

fn sorted<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, site: Site) -> Eval<Value<'a>> {
    let items = match args.at(0) {
        Some(items) if args.positional.len() == 1 => tracer.unordered_items(&items.clone())?,
        _ => None,
    };
    let Some(items) = items else {
        return tracer.lost_call(args);
    };
    match tracer.sorted_items(items, args, site)? {
        Some(items) => Ok(Value::list(items)),
        None => tracer.not_followed(),
    }
}

impl<'a> Tracer<'a> {
    /// Returns items in the order of a call's `key` and `reverse`; `None` if the order is unknown.
    pub fn sorted_items(
        &mut self,
        items: Vec<Value<'a>>,
        args: &Arguments<'a>,
        site: Site,
    ) -> Eval<Option<Vec<Value<'a>>>> {
        let is_known =
            |(name, _, _): &(String, Value<'a>, Span)| matches!(name.as_str(), "key" | "reverse");
        let reverse = args
            .keyword("reverse")
            .map_or(Some(false), |reverse| reverse.truth());
        let Some(reverse) = reverse.filter(|_| args.keywords.iter().all(is_known)) else {
            return Ok(None);
        };
        let mut items = keyed(self, args, items, site)?;
        self.charge(items.len().saturating_mul(8))?;
        // A single item is not compared, so it may be of any type.
        if items.len() < 2 {
            return Ok(Some(items.into_iter().map(|(_, item)| item).collect()));
        }
        let first = items.first().map(|(key, _)| key.clone());
        let is_ordered = |(key, _): &(Value<'a>, Value<'a>)| {
            let first = first.as_ref();
            first.is_some_and(|first| order(first, key, NESTING).is_some())
        };
        let is_simple =
            |(key, _): &(Value<'a>, Value<'a>)| !matches!(key, Value::Tuple(_) | Value::List(_));
        // Plain keys that can be compared with the first one can be compared with each other. Tuples cannot be judged
        // by the first alone.
        if items.iter().all(is_ordered) && items.iter().all(is_simple) {
            // `reverse=True` keeps the order of equal items, as `sort_by` with a reversed order does.
            items.sort_by(|(a, _), (b, _)| {
                let order = order(a, b, NESTING).unwrap_or(Ordering::Equal);
                if reverse { order.reverse() } else { order }
            });
            return Ok(Some(items.into_iter().map(|(_, item)| item).collect()));
        }
        // Insertion below is quadratic.
        if items.len() > MAX_COMPARED {
            return Ok(None);
        }
        let mut done: Vec<(Value<'a>, Value<'a>)> = Vec::new();
        for (key, item) in items {
            let mut at = done.len();
            while at > 0 {
                // Only `<` is asked, as CPython's sort does.
                let before = done[at - 1].0.clone();
                let less = match reverse {
                    false => self.less(&key, &before, site)?,
                    true => self.less(&before, &key, site)?,
                };
                match less {
                    Some(true) => at -= 1,
                    Some(false) => break,
                    None => return Ok(None),
                }
            }
            done.insert(at, (key, item));
        }
        Ok(Some(done.into_iter().map(|(_, item)| item).collect()))
    }

    /// Evaluates `a < b`.
    fn less(&mut self, a: &Value<'a>, b: &Value<'a>, site: Site) -> Eval<Option<bool>> {
        self.step()?;
        let said = match self.class_compare(CompareOp::Lt, (a, b), site.span)? {
            Some(said) => said,
            None => self.compare(CompareOp::Lt, a, b)?,
        };
        Ok(self.condition(said, site.span)?.truth())
    }
}

/// Maximum nesting of tuples that are compared.
const NESTING: u32 = 5;
/// Maximum number of items that are ordered by pairwise comparison.
const MAX_COMPARED: usize = 500;

fn tested<'a>(
    tracer: &mut Tracer<'a>,
    args: &Arguments<'a>,
    site: Site,
    sought: bool,
) -> Eval<Value<'a>> {
    let Some(value) = args.at(0).cloned() else {
        return tracer.lost_call(args);
    };
    // Order does not matter for a set, except for items whose truth is unknown.
    if let Some(items) = value.members() {
        let truths: Vec<Option<bool>> = items.iter().map(|item| item.truth()).collect();
        return Ok(
            match (truths.contains(&Some(sought)), truths.contains(&None)) {
                (true, _) => Value::Bool(sought),
                (false, true) => Value::Unknown,
                (false, false) => Value::Bool(!sought),
            },
        );
    }
    let Some(source) = tracer.iterator_of(&value)? else {
        return tracer.lost_call(args);
    };
    drop(value);
    let found = tracer.first_that_is(&source, sought, site)?;
    match found {
        Some(true) => Ok(Value::Bool(sought)),
        Some(false) => Ok(Value::Bool(!sought)),
        // The iterator is at an unknown position.
        None => {
            source.lose();
            tracer.not_followed()
        }
    }
}

impl<'a> Tracer<'a> {
    /// Returns whether an item with the given truth exists; stops at the first one, as `any` and `all` do.
    fn first_that_is(
        &mut self,
        source: &Source<'a>,
        sought: bool,
        site: Site,
    ) -> Eval<Option<bool>> {
        loop {
            let item = match self.next_item(source)? {
                Step::Item(item) => item,
                Step::End => return Ok(Some(false)),
                Step::Unknown => return Ok(None),
            };
            match self.condition(item, site.span)?.truth() {
                Some(truth) if truth == sought => return Ok(Some(true)),
                Some(_) => {}
                None => return Ok(None),
            }
        }
    }
}

fn extreme<'a>(
    tracer: &mut Tracer<'a>,
    args: &Arguments<'a>,
    site: Site,
    wanted: Ordering,
) -> Eval<Value<'a>> {
    let items = match args.plain().as_slice() {
        // A single argument is an iterable, several are the items themselves.
        [only] => tracer.unordered_items(only)?,
        several => Some(several.to_vec()),
    };
    let Some(items) = items.filter(|_| args.spread.is_empty()) else {
        return Ok(Value::Unknown);
    };
    if items.len() > 1 && items.iter().any(|item| matches!(item, Value::Var(_))) {
        tracer.note_compared_vars(site.span, wanted);
        return Ok(Value::Unknown);
    }
    let mut best: Option<(Value<'a>, Value<'a>)> = None;
    // Ties keep the first item, hence the strict comparison.
    for (key, item) in keyed(tracer, args, items, site)? {
        let better = match &best {
            None if key.is_unknown() => return Ok(Value::Unknown),
            None => true,
            Some((before, _)) => {
                let before = before.clone();
                let better = match wanted {
                    Ordering::Less => tracer.less(&key, &before, site)?,
                    _ => tracer.less(&before, &key, site)?,
                };
                match better {
                    Some(better) => better,
                    None => return Ok(Value::Unknown),
                }
            }
        };
        if better {
            best = Some((key, item));
        }
    }
    match (best, args.keyword("default")) {
        (Some((_, item)), _) => Ok(item),
        (None, Some(default)) => Ok(default.clone()),
        // `max() arg is an empty sequence`.
        (None, None) => tracer.throw("ValueError", Value::Unknown),
    }
}

fn iter<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    let state = match args.plain().as_slice() {
        [value] => match tracer.iterator_of(value)? {
            Some(source) => return Ok(Value::Iterator(source)),
            None => None,
        },
        // `iter(function, sentinel)`.
        [function, last] => Some(State::Until(function.clone(), last.clone())),
        _ => None,
    };
    tracer.made_iterator(args, state)
}

/// Evaluates `next(iterator, default)`.
fn next<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, site: Site) -> Eval<Value<'a>> {
    let step = match args.at(0) {
        Some(Value::Iterator(iterator)) => tracer.next_item(&iterator.clone())?,
        Some(object @ Value::Instance(_)) => {
            let object = object.clone();
            match tracer.call_method(&object, "__next__", Arguments::default(), site) {
                Ok(Some(item)) => Step::Item(item),
                Err(Abort::Raised) if tracer.is_raised("StopIteration") => {
                    tracer.doubts.raised = None;
                    Step::End
                }
                Ok(None) => return tracer.lost_call(args),
                Err(other) => return Err(other),
            }
        }
        // Iterables are not iterators: "'list' object is not an iterator".
        Some(value) if value.is_plain() || matches!(value, Value::List(_) | Value::Dict(_)) => {
            return tracer.throw("TypeError", Value::Unknown);
        }
        _ => return tracer.lost_call(args),
    };
    match (step, args.at(1)) {
        (Step::Item(item), _) => Ok(item),
        (Step::End, Some(default)) => Ok(default.clone()),
        (Step::End, None) => tracer.throw("StopIteration", Value::Unknown),
        (Step::Unknown, _) => tracer.not_followed(),
    }
}
