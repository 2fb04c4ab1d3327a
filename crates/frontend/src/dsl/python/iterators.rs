//! Iterators: objects that produce their items on request.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use super::super::emit::Arguments;
use super::super::expressions::MAX_ITEMS;
use super::super::items::{Entries, Items, Shared, free};
use super::super::statements::static_range;
use super::super::tensors::indexing;
use super::super::tracer::{Abort, Eval, Tracer};
use super::super::value::Value;
use super::arithmetic::static_binary;
use super::generated::Generator;
use super::native::Site;
use super::objects::{ClassKind, Instance};
use a2lint_source::text::Span;
use a2lint_syntax::python::ast::BinaryOp;

/// Maximum number of items that are taken from an iterator at once; some iterators have no end.
const MAX_DRAINED: usize = 200_000;

/// Maximum nesting of iterators that are asked for an item.
const MAX_NESTED: u32 = 200;

/// An iterator. Its state is replaced while an item is computed, so that a recursive request finds it unknown.
pub struct Iterator<'a>(RefCell<State<'a>>);

/// A shared iterator.
pub type Source<'a> = Rc<Iterator<'a>>;

/// The result of asking an iterator for an item.
pub enum Step<'a> {
    Item(Value<'a>),
    End,
    /// An item or the end; unknown, as is everything after it.
    Unknown,
}

/// The part of a dictionary's entries that a view shows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Keys,
    Values,
    Items,
}

/// The remaining work of an iterator.
pub enum State<'a> {
    Items(VecDeque<Value<'a>>),
    /// A list from an index on, with its contents at the time of each request.
    List(Rc<Shared<Items<'a>>>, usize),
    /// As `List`, backwards from before an index.
    Backwards(Rc<Shared<Items<'a>>>, usize),
    /// The entries of a dictionary from an index on, with the number of entries at the start.
    Entries(Rc<Shared<Entries<'a>>>, Part, usize, usize),
    Range(i128, i128, i128),
    Count(Value<'a>, Value<'a>),
    /// The iterator to repeat, the items that it has produced, and the index of the next item to repeat.
    Cycle(Option<Source<'a>>, Vec<Value<'a>>, usize),
    Repeat(Value<'a>),
    Map(Value<'a>, Vec<Source<'a>>),
    Starmap(Value<'a>, Source<'a>),
    /// Items for which the function (or, without one, the item itself) has this truth.
    Filter(Value<'a>, Source<'a>, bool),
    Zip(Vec<Source<'a>>),
    Enumerate(i128, Source<'a>),
    /// The iterables to come, and the iterator of the current one.
    Chain(Source<'a>, Option<Source<'a>>),
    /// `islice`: index of the next item, of the next wanted one, the end and the step.
    Slice(Source<'a>, usize, usize, Option<usize>, usize),
    TakeWhile(Value<'a>, Source<'a>),
    /// The flag says whether items are still dropped.
    DropWhile(Value<'a>, Source<'a>, bool),
    Accumulate(Source<'a>, Option<Value<'a>>, Option<Value<'a>>, bool),
    Pairwise(Source<'a>, Option<Value<'a>>),
    Compress(Source<'a>, Source<'a>),
    /// An object with `__next__`.
    Object(Rc<Instance<'a>>),
    /// An object with `__getitem__`, from an index on (the old sequence protocol).
    Indexed(Rc<Instance<'a>>, i128),
    /// `iter(function, sentinel)`: results of calls until one equals the sentinel.
    Until(Value<'a>, Value<'a>),
    Generator(Box<Generator<'a>>),
    Done,
    Lost,
}

impl<'a> Iterator<'a> {
    pub fn new(state: State<'a>) -> Source<'a> {
        Rc::new(Iterator(RefCell::new(state)))
    }

    /// Makes all further items unknown.
    pub fn lose(&self) {
        if let Ok(mut state) = self.0.try_borrow_mut() {
            *state = State::Lost;
        }
    }

    pub fn is_lost(&self) -> bool {
        self.0
            .try_borrow()
            .is_ok_and(|state| matches!(*state, State::Lost))
    }

    /// Takes a generator that has not been started out of the iterator.
    pub fn take_unstarted(&self) -> Option<Box<Generator<'a>>> {
        let mut state = self.0.try_borrow_mut().ok()?;
        match &*state {
            State::Generator(generator) if !generator.has_begun() => {}
            _ => return None,
        }
        match std::mem::replace(&mut *state, State::Done) {
            State::Generator(generator) => Some(generator),
            _ => None,
        }
    }

    /// Returns the values that the iterator holds, for questions about what it may refer to.
    pub fn held(&self) -> Vec<Value<'a>> {
        let Ok(state) = self.0.try_borrow() else {
            return Vec::new();
        };
        let of = |sources: &[Source<'a>]| sources.iter().cloned().map(Value::Iterator).collect();
        match &*state {
            State::Items(items) => items.iter().cloned().collect(),
            State::List(list, _) | State::Backwards(list, _) => vec![Value::List(list.clone())],
            State::Entries(dict, ..) => vec![Value::Dict(dict.clone())],
            State::Repeat(value) => vec![value.clone()],
            State::Map(function, sources) => {
                let mut held: Vec<Value<'a>> = of(sources);
                held.push(function.clone());
                held
            }
            State::Zip(sources) => of(sources),
            State::Starmap(function, source)
            | State::Filter(function, source, _)
            | State::TakeWhile(function, source)
            | State::DropWhile(function, source, _) => {
                vec![function.clone(), Value::Iterator(source.clone())]
            }
            State::Enumerate(_, source)
            | State::Slice(source, ..)
            | State::Accumulate(source, ..)
            | State::Pairwise(source, _)
            | State::Chain(source, _) => vec![Value::Iterator(source.clone())],
            State::Object(instance) | State::Indexed(instance, _) => {
                vec![Value::Instance(instance.clone())]
            }
            State::Until(function, _) => vec![function.clone()],
            State::Generator(generator) => generator.held(),
            _ => Vec::new(),
        }
    }

    /// Releases the values that the iterator holds, so that they are freed without recursion.
    pub fn give_up(&mut self, pending: &mut Vec<Value<'a>>) {
        match std::mem::replace(self.0.get_mut(), State::Done) {
            State::Items(items) => pending.extend(items),
            State::Map(function, sources) => {
                pending.push(function);
                pending.extend(sources.into_iter().map(Value::Iterator));
            }
            State::Zip(sources) => pending.extend(sources.into_iter().map(Value::Iterator)),
            State::Starmap(function, source)
            | State::Filter(function, source, _)
            | State::TakeWhile(function, source)
            | State::DropWhile(function, source, _) => {
                pending.extend([function, Value::Iterator(source)]);
            }
            State::Enumerate(_, source)
            | State::Slice(source, ..)
            | State::Accumulate(source, ..)
            | State::Pairwise(source, _) => pending.push(Value::Iterator(source)),
            State::Chain(source, inner) => {
                pending.push(Value::Iterator(source));
                pending.extend(inner.map(Value::Iterator));
            }
            State::Compress(a, b) => pending.extend([a, b].map(Value::Iterator)),
            State::Generator(generator) => generator.give_up(pending),
            State::Repeat(value) => pending.push(value),
            State::Until(function, last) => pending.extend([function, last]),
            State::Cycle(source, saved, _) => {
                pending.extend(source.map(Value::Iterator));
                pending.extend(saved);
            }
            _ => {}
        }
    }
}

// A file can nest iterators to any depth, so they are freed without recursion.
impl Drop for Iterator<'_> {
    fn drop(&mut self) {
        let mut pending = Vec::new();
        self.give_up(&mut pending);
        free(pending);
    }
}

impl<'a> Tracer<'a> {
    /// Returns the result of `iter(value)`; `None` if it is unknown.
    pub fn iterator_of(&mut self, value: &Value<'a>) -> Eval<Option<Source<'a>>> {
        let state = match value {
            // An iterator is its own iterator.
            Value::Iterator(iterator) => return Ok(Some(iterator.clone())),
            Value::Tuple(items) => State::Items(items.iter().cloned().collect()),
            Value::List(items) => State::List(items.clone(), 0),
            // The order of a set depends on hashes, which differ between runs for strings. One item has only one
            // order.
            Value::Set(_) | Value::FrozenSet(_) => match value.members() {
                Some(items) if items.len() < 2 => State::Items(items.into()),
                _ => return self.no_iterator(),
            },
            Value::Dict(entries) => return Ok(view_of(entries, Part::Keys)),
            Value::View(entries, part) => return Ok(view_of(entries, *part)),
            Value::Str(text) => {
                self.charge(text.len())?;
                State::Items(text.chars().map(|c| Value::str(&c.to_string())).collect())
            }
            Value::Range(start, stop, step) => State::Range(*start, *stop, *step),
            // In a kernel, a device range is a loop of the device.
            Value::DeviceRange(bounds) if !self.in_kernel() => {
                match [0, 1, 2].map(|at: usize| bounds[at].as_int()) {
                    [Some(start), Some(stop), Some(step)] => State::Range(start, stop, step),
                    _ => return self.no_iterator(),
                }
            }
            Value::Class(class) if matches!(class.kind, ClassKind::Enum { .. }) => {
                match self.enumerated(class) {
                    Some(members) => State::Items(members.into()),
                    None => return self.no_iterator(),
                }
            }
            Value::Instance(instance) => return self.iterator_of_object(instance),
            Value::HostTensor(tensor) => match indexing::rows(tensor, MAX_ITEMS) {
                Some(rows) => State::Items(rows.into()),
                None => {
                    // The rows share the elements, so they may be written through.
                    tensor.expose();
                    return self.no_iterator();
                }
            },
            Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Function(_) => {
                return self.throw("TypeError", None);
            }
            _ => return self.no_iterator(),
        };
        self.charge(value.size())?;
        Ok(Some(Iterator::new(state)))
    }

    fn no_iterator(&mut self) -> Eval<Option<Source<'a>>> {
        self.doubt();
        Ok(None)
    }

    fn iterator_of_object(&mut self, instance: &Rc<Instance<'a>>) -> Eval<Option<Source<'a>>> {
        if let Some(items) = instance.as_tuple() {
            return Ok(Some(Iterator::new(State::Items(items.into()))));
        }
        let object = Value::Instance(instance.clone());
        let site = Site::at(self.here());
        // A generator function as `__iter__` returns its generator.
        match self.call_method(&object, "__iter__", Arguments::default(), site)? {
            Some(Value::Iterator(iterator)) => Ok(Some(iterator)),
            Some(Value::Instance(other)) if other.class.lookup("__next__").is_some() => {
                Ok(Some(Iterator::new(State::Object(other))))
            }
            Some(_) => self.no_iterator(),
            None if !instance.class.is_whole => self.no_iterator(),
            None if instance.class.lookup("__getitem__").is_some() => {
                Ok(Some(Iterator::new(State::Indexed(instance.clone(), 0))))
            }
            // Exceptions, numbers and strings of the file may be iterable by their base class.
            None if !instance.is_bare() => self.no_iterator(),
            None => self.throw("TypeError", None),
        }
    }

    /// Returns the place for notes about the code being evaluated.
    pub fn here(&mut self) -> Span {
        match self.in_kernel() {
            true => self.builder().statement,
            false => Span::default(),
        }
    }

    /// Asks an iterator for its next item.
    pub fn next_item(&mut self, iterator: &Source<'a>) -> Eval<Step<'a>> {
        self.step()?;
        // The state is taken out during the request, as the request may run code that uses the same iterator.
        let mut state = match iterator.0.try_borrow_mut() {
            Ok(mut state) => std::mem::replace(&mut *state, State::Lost),
            Err(_) => State::Lost,
        };
        self.nested_iterators += 1;
        // Nested iterators use the stack without making calls of their own.
        let step = match self.nested_iterators > MAX_NESTED || !self.stack.admits(self.calls) {
            true => Ok(Step::Unknown),
            false => self.advance(&mut state),
        };
        self.nested_iterators -= 1;
        // After an unknown step, everything that shares the iterator finds it at an unknown position.
        let lost = matches!(step, Ok(Step::Unknown));
        if lost {
            self.lose_held(&state)?;
            state = State::Lost;
        }
        if let Ok(mut place) = iterator.0.try_borrow_mut() {
            *place = state;
        }
        if lost {
            self.doubt();
        }
        step
    }

    fn lose_held(&mut self, state: &State<'a>) -> Eval<()> {
        if let State::Generator(generator) = state {
            for value in generator.held() {
                self.lose(&value)?;
            }
        }
        Ok(())
    }

    fn advance(&mut self, state: &mut State<'a>) -> Eval<Step<'a>> {
        Ok(match state {
            State::Items(items) => items.pop_front().map_or(Step::End, Step::Item),
            // The list is read at each request, so items appended during the loop are visited.
            State::List(list, at) => {
                let item = match list.known() {
                    Some(items) => items.get(*at).cloned(),
                    None => return Ok(Step::Unknown),
                };
                *at += 1;
                self.or_done(item, state)
            }
            State::Backwards(list, before) => {
                let item = match (list.known(), before.checked_sub(1)) {
                    (Some(items), Some(at)) => items.get(at).cloned(),
                    (Some(_), None) => None,
                    (None, _) => return Ok(Step::Unknown),
                };
                *before = before.saturating_sub(1);
                self.or_done(item, state)
            }
            State::Entries(entries, part, at, length) => {
                let item = {
                    let Some(entries) = entries.known() else {
                        return Ok(Step::Unknown);
                    };
                    // CPython raises `RuntimeError` if the size of the dictionary has changed.
                    match (entries.len() == *length, entries.get(*at)) {
                        (false, _) => None,
                        (true, entry) => Some(entry.map(|entry| part_of(entry, *part))),
                    }
                };
                *at += 1;
                match item {
                    None => return self.throw("RuntimeError", Step::Unknown),
                    Some(item) => self.or_done(item, state),
                }
            }
            State::Range(next, stop, step) => {
                let item = static_range(*next, *stop, *step).next();
                *next = next.saturating_add(*step);
                item.map_or(Step::End, |number| Step::Item(Value::Int(number)))
            }
            State::Count(next, step) => {
                // An overflow makes the next number unknown, not wrong.
                let after = static_binary(BinaryOp::Add, next, step);
                Step::Item(std::mem::replace(next, after))
            }
            State::Cycle(source, saved, at) => {
                if let Some(it) = source {
                    // The first pass passes items on and saves them; later passes use the saved ones.
                    match self.next_item(it)? {
                        Step::Item(item) => {
                            saved.push(item.clone());
                            return Ok(Step::Item(item));
                        }
                        Step::Unknown => return Ok(Step::Unknown),
                        Step::End => *source = None,
                    }
                }
                if saved.is_empty() {
                    return Ok(Step::End);
                }
                let item = saved[*at % saved.len()].clone();
                *at = (*at + 1) % saved.len();
                Step::Item(item)
            }
            State::Repeat(value) => Step::Item(value.clone()),
            State::Map(function, sources) => {
                let (function, sources) = (function.clone(), sources.clone());
                // As in CPython, items of earlier sources are lost when a later one ends.
                match self.row(&sources)? {
                    Some(Some(row)) => {
                        Step::Item(self.call_back(&function, row, Site::at(Span::default()))?)
                    }
                    Some(None) => Step::End,
                    None => Step::Unknown,
                }
            }
            State::Starmap(function, source) => {
                let (function, source) = (function.clone(), source.clone());
                match self.next_item(&source)? {
                    Step::Item(item) => match self.static_items(&item)? {
                        Some(row) => {
                            Step::Item(self.call_back(&function, row, Site::at(Span::default()))?)
                        }
                        None => Step::Unknown,
                    },
                    other => other,
                }
            }
            State::Filter(function, source, wanted) => {
                let (function, source, wanted) = (function.clone(), source.clone(), *wanted);
                return self.filtered(&function, &source, wanted);
            }
            // `zip()` without arguments is empty.
            State::Zip(sources) if sources.is_empty() => Step::End,
            State::Zip(sources) => match self.row(&sources.clone())? {
                Some(Some(row)) => Step::Item(Value::tuple(row)),
                Some(None) => Step::End,
                None => Step::Unknown,
            },
            State::Enumerate(number, source) => match self.next_item(&source.clone())? {
                Step::Item(item) => {
                    let pair = Value::tuple(vec![Value::Int(*number), item]);
                    *number = number.saturating_add(1);
                    Step::Item(pair)
                }
                other => other,
            },
            State::Chain(further, inner) => return self.chained(further, inner),
            State::Slice(source, next, wanted, stop, step) => {
                if stop.is_some_and(|stop| *wanted >= stop) {
                    // Items up to the end are consumed as well.
                    let until = stop.unwrap_or(0);
                    while *next < until {
                        *next += 1;
                        match self.next_item(&source.clone())? {
                            Step::Item(_) => {}
                            Step::End => break,
                            Step::Unknown => return Ok(Step::Unknown),
                        }
                    }
                    return Ok(Step::End);
                }
                loop {
                    let item = self.next_item(&source.clone())?;
                    let Step::Item(item) = item else {
                        return Ok(item);
                    };
                    *next += 1;
                    if *next > *wanted {
                        *wanted += *step;
                        return Ok(Step::Item(item));
                    }
                }
            }
            State::TakeWhile(function, source) => {
                let (function, source) = (function.clone(), source.clone());
                match self.next_item(&source)? {
                    Step::Item(item) => match self.holds(&function, &item)? {
                        Some(true) => Step::Item(item),
                        Some(false) => {
                            // `takewhile` is exhausted after the first item that fails.
                            *state = State::Done;
                            Step::End
                        }
                        None => Step::Unknown,
                    },
                    other => other,
                }
            }
            State::DropWhile(function, source, drops) => {
                let (function, source) = (function.clone(), source.clone());
                loop {
                    match self.next_item(&source)? {
                        Step::Item(item) if *drops => match self.holds(&function, &item)? {
                            Some(true) => {}
                            Some(false) => {
                                *drops = false;
                                return Ok(Step::Item(item));
                            }
                            None => return Ok(Step::Unknown),
                        },
                        other => return Ok(other),
                    }
                }
            }
            State::Accumulate(source, function, total, is_initial) => {
                // `initial` comes first, before any item.
                if std::mem::take(is_initial) {
                    return Ok(total.clone().map_or(Step::Unknown, Step::Item));
                }
                let (source, function) = (source.clone(), function.clone());
                match self.next_item(&source)? {
                    Step::Item(item) => {
                        let next = match (total.take(), function) {
                            (None, _) => item,
                            (Some(total), None) => self.plain_binary(BinaryOp::Add, total, item)?,
                            (Some(total), Some(function)) => self.call_back(
                                &function,
                                vec![total, item],
                                Site::at(Span::default()),
                            )?,
                        };
                        *total = Some(next.clone());
                        Step::Item(next)
                    }
                    other => other,
                }
            }
            State::Pairwise(source, before) => {
                let source = source.clone();
                if before.is_none() {
                    match self.next_item(&source)? {
                        Step::Item(item) => *before = Some(item),
                        other => return Ok(other),
                    }
                }
                match self.next_item(&source)? {
                    Step::Item(item) => {
                        let first = before.replace(item.clone()).unwrap_or(Value::Unknown);
                        Step::Item(Value::tuple(vec![first, item]))
                    }
                    other => other,
                }
            }
            State::Compress(items, chosen) => {
                let (items, chosen) = (items.clone(), chosen.clone());
                loop {
                    // The selector decides after both have advanced.
                    match self.row(&[items.clone(), chosen.clone()])? {
                        Some(Some(mut row)) => match row.pop().and_then(|chosen| chosen.truth()) {
                            Some(true) => return Ok(row.pop().map_or(Step::Unknown, Step::Item)),
                            Some(false) => {}
                            None => return Ok(Step::Unknown),
                        },
                        Some(None) => return Ok(Step::End),
                        None => return Ok(Step::Unknown),
                    }
                }
            }
            State::Object(instance) => {
                let object = Value::Instance(instance.clone());
                let site = Site::at(self.here());
                let doubts = self.doubts.count();
                match self.call_method(&object, "__next__", Arguments::default(), site) {
                    // The method may have raised instead.
                    Ok(_) if self.doubts.count() != doubts => Step::Unknown,
                    Ok(item) => item.map_or(Step::Unknown, Step::Item),
                    Err(Abort::Raised) if self.is_end() => {
                        self.doubts.raised = None;
                        Step::End
                    }
                    Err(other) => return Err(other),
                }
            }
            State::Indexed(instance, at) => {
                let object = Value::Instance(instance.clone());
                let site = Site::at(self.here());
                let given = Arguments::of([Value::Int(*at)], site.span);
                *at += 1;
                let doubts = self.doubts.count();
                match self.call_method(&object, "__getitem__", given, site) {
                    // A doubt may hide an `IndexError`, which would end the iteration.
                    Ok(_) if self.doubts.count() != doubts => Step::Unknown,
                    Ok(item) => item.map_or(Step::Unknown, Step::Item),
                    // The sequence protocol ends by `IndexError`.
                    Err(Abort::Raised) if self.is_raised("IndexError") || self.is_end() => {
                        self.doubts.raised = None;
                        Step::End
                    }
                    Err(other) => return Err(other),
                }
            }
            State::Until(function, last) => {
                let (function, last) = (function.clone(), last.clone());
                let item = self.call_back(&function, Vec::new(), Site::at(Span::default()))?;
                match self.equal(&item, &last)? {
                    Some(true) => {
                        *state = State::Done;
                        Step::End
                    }
                    Some(false) => Step::Item(item),
                    None => Step::Unknown,
                }
            }
            State::Generator(generator) => return self.pull(generator),
            State::Done => Step::End,
            State::Lost => Step::Unknown,
        })
    }

    fn or_done(&mut self, item: Option<Value<'a>>, state: &mut State<'a>) -> Step<'a> {
        match item {
            Some(item) => Step::Item(item),
            // An exhausted iterator stays exhausted, even if the list grows.
            None => {
                *state = State::Done;
                Step::End
            }
        }
    }

    /// Returns whether the propagating exception is of one of Python's classes.
    pub fn is_raised(&self, name: &str) -> bool {
        match (&self.doubts.raised, self.exception_class(name)) {
            (Some(Value::Instance(raised)), Some(class)) => raised.class.is_below(&class),
            _ => false,
        }
    }

    fn is_end(&self) -> bool {
        self.is_raised("StopIteration")
    }

    /// Takes an item of each source. Returns `Some(None)` if one has ended, and `None` if an item is unknown.
    fn row(&mut self, sources: &[Source<'a>]) -> Eval<Option<Option<Vec<Value<'a>>>>> {
        let mut row = Vec::with_capacity(sources.len());
        for source in sources {
            match self.next_item(source)? {
                Step::Item(item) => row.push(item),
                Step::End => return Ok(Some(None)),
                Step::Unknown => return Ok(None),
            }
        }
        Ok(Some(Some(row)))
    }

    /// Evaluates the truth of a predicate for an item; without a predicate, that of the item.
    fn holds(&mut self, function: &Value<'a>, item: &Value<'a>) -> Eval<Option<bool>> {
        let span = self.here();
        let said = match function {
            Value::None => item.clone(),
            _ => self.call_back(function, vec![item.clone()], Site::at(span))?,
        };
        Ok(self.condition(said, span)?.truth())
    }

    fn filtered(
        &mut self,
        function: &Value<'a>,
        source: &Source<'a>,
        wanted: bool,
    ) -> Eval<Step<'a>> {
        loop {
            let item = match self.next_item(source)? {
                Step::Item(item) => item,
                other => return Ok(other),
            };
            match self.holds(function, &item)? {
                Some(truth) if truth == wanted => return Ok(Step::Item(item)),
                Some(_) => {}
                None => return Ok(Step::Unknown),
            }
        }
    }

    fn chained(
        &mut self,
        further: &mut Source<'a>,
        inner: &mut Option<Source<'a>>,
    ) -> Eval<Step<'a>> {
        loop {
            if let Some(source) = inner {
                match self.next_item(&source.clone())? {
                    Step::End => *inner = None,
                    other => return Ok(other),
                }
            }
            match self.next_item(&further.clone())? {
                Step::Item(iterable) => match self.iterator_of(&iterable)? {
                    Some(source) => *inner = Some(source),
                    None => return Ok(Step::Unknown),
                },
                other => return Ok(other),
            }
        }
    }

    /// Returns all remaining items; `None` if they are unknown.
    pub fn drained(&mut self, iterator: &Source<'a>) -> Eval<Option<Vec<Value<'a>>>> {
        // A generator that runs to its end keeps the order of its effects.
        if let Some(generator) = iterator.take_unstarted() {
            return self.run_to_the_end(*generator);
        }
        let mut items = Vec::new();
        loop {
            match self.next_item(iterator)? {
                Step::Item(item) => items.push(item),
                Step::End => return Ok(Some(items)),
                Step::Unknown => return Ok(None),
            }
            if items.len() >= MAX_DRAINED {
                let reason = format!("a Python sequence has {MAX_DRAINED} items or more");
                return Err(Abort::Limit(reason));
            }
        }
    }

    /// Returns the items that a Python loop over `value` would visit; `None` if they are unknown.
    pub fn static_items(&mut self, value: &Value<'a>) -> Eval<Option<Vec<Value<'a>>>> {
        // Common containers are read directly, without an iterator.
        self.charge(value.size())?;
        match value {
            Value::Tuple(items) => return Ok(Some(items.to_vec())),
            Value::List(items) => {
                let known = items.known().map(|items| items.to_vec());
                return Ok(known);
            }
            _ => {}
        }
        match self.iterator_of(value)? {
            Some(iterator) => self.drained(&iterator),
            None => Ok(None),
        }
    }

    /// Returns what `static_items` does, where the order of the items does not matter.
    pub fn unordered_items(&mut self, value: &Value<'a>) -> Eval<Option<Vec<Value<'a>>>> {
        match value {
            Value::Set(_) | Value::FrozenSet(_) => {
                self.charge(value.size())?;
                Ok(value.members())
            }
            other => self.static_items(other),
        }
    }

    /// Takes at most `most` items, and no further ones.
    pub fn first_items(&mut self, value: &Value<'a>, most: usize) -> Eval<Option<Vec<Value<'a>>>> {
        let Some(iterator) = self.iterator_of(value)? else {
            return Ok(None);
        };
        let mut items = Vec::new();
        while items.len() < most {
            match self.next_item(&iterator)? {
                Step::Item(item) => items.push(item),
                Step::End => break,
                Step::Unknown => return Ok(None),
            }
        }
        Ok(Some(items))
    }
}

fn view_of<'a>(entries: &Rc<Shared<Entries<'a>>>, part: Part) -> Option<Source<'a>> {
    let length = entries.known()?.len();
    Some(Iterator::new(State::Entries(
        entries.clone(),
        part,
        0,
        length,
    )))
}

/// Returns what a view shows of an entry.
pub fn part_of<'a>((key, value): &(Value<'a>, Value<'a>), part: Part) -> Value<'a> {
    match part {
        Part::Keys => key.clone(),
        Part::Values => value.clone(),
        Part::Items => Value::tuple(vec![key.clone(), value.clone()]),
    }
}
