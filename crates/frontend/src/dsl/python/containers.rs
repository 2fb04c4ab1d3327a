//! Lists, dictionaries and sets: their contents and methods.
//!
//! A method that is not modelled may change its object, whose contents are unknown afterwards.

use std::rc::Rc;

use super::super::emit::Arguments;
use super::super::items::{Entries, Items, Shared};
use super::super::tracer::{Eval, Tracer};
use super::super::value::Value;
use super::ambient::is_modules;
use super::iterators::Part;
use super::native::Site;

pub type List<'a> = Rc<Shared<Items<'a>>>;
/// Start and count of a slice, with its step.
type Places = ((usize, usize), i128);
type Dict<'a> = Rc<Shared<Entries<'a>>>;
/// Maximum number of items, in tuples of tuples, that are visited for one key.
const MAX_HASHED: usize = 10_000;

/// What is known of `hash(value)`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Hashing {
    Works,
    Raises,
    Unknown,
}

impl<'a> Tracer<'a> {
    /// Inserts an entry, or replaces the value of an equal key; returns `false` if the keys cannot be compared.
    pub fn insert(
        &mut self,
        entries: &mut Vec<(Value<'a>, Value<'a>)>,
        key: Value<'a>,
        value: Value<'a>,
    ) -> Eval<bool> {
        match self.find_key(entries, &key)? {
            // The first key stays when its value is replaced: `{1: a, True: b}` is `{1: b}`.
            Some(Some(at)) => entries[at].1 = value,
            Some(None) => entries.push((key, value)),
            None => return Ok(false),
        }
        Ok(true)
    }

    /// Returns the index of a key among entries; `None` if it is unknown.
    pub fn find_key(
        &mut self,
        entries: &[(Value<'a>, Value<'a>)],
        key: &Value<'a>,
    ) -> Eval<Option<Option<usize>>> {
        self.charge(entries.len())?;
        let hashing = self.hashing(key)?;
        if hashing == Hashing::Raises {
            return self.throw("TypeError", None);
        }
        for (at, (known, _)) in entries.iter().enumerate() {
            match known.is_or_equals(key) {
                Some(true) => return Ok(Some(Some(at))),
                Some(false) => {}
                None => {
                    self.doubt();
                    return Ok(None);
                }
            }
        }
        // A key whose class defines `__eq__` or `__hash__` decides itself whether it is found, so its absence is
        // unknown.
        match hashing {
            Hashing::Works => Ok(Some(None)),
            _ => {
                self.doubt();
                Ok(None)
            }
        }
    }

    /// Finds out whether a value can be hashed. A tuple is hashed by its items.
    pub fn hashing(&mut self, key: &Value<'a>) -> Eval<Hashing> {
        let mut open = vec![key.clone()];
        let (mut is_open, mut visited) = (false, 0);
        while let Some(value) = open.pop() {
            visited += 1;
            match &value {
                Value::List(_) | Value::Dict(_) | Value::Set(_) | Value::Names(_) => {
                    // "TypeError: unhashable type"
                    return Ok(Hashing::Raises);
                }
                // Tuples may hold the same tuple many times.
                Value::Tuple(items) if visited + open.len() + items.len() <= MAX_HASHED => {
                    self.charge(items.len())?;
                    open.extend(items.iter().cloned());
                }
                Value::Tuple(_) => is_open = true,
                other => is_open |= !is_hashable(other),
            }
        }
        Ok(match is_open {
            true => Hashing::Unknown,
            false => Hashing::Works,
        })
    }

    /// Removes duplicates, keeping the first; `None` if the items cannot be compared.
    pub fn distinct(&mut self, items: Vec<Value<'a>>) -> Eval<Option<Vec<Value<'a>>>> {
        let mut kept: Vec<(Value<'a>, Value<'a>)> = Vec::new();
        for item in items {
            match self.find_key(&kept, &item)? {
                Some(Some(_)) => {}
                Some(None) => kept.push((item, Value::None)),
                None => return Ok(None),
            }
        }
        Ok(Some(kept.into_iter().map(|(item, _)| item).collect()))
    }

    /// Makes a set of items.
    pub fn set_of(&mut self, items: Vec<Value<'a>>) -> Eval<Value<'a>> {
        let kept = self.distinct(items)?;
        Ok(kept.map_or(Value::Unknown, Value::set))
    }

    /// Returns whether two values are the same object or equal, which is how containers compare.
    pub fn is_or_equals(&mut self, a: &Value<'a>, b: &Value<'a>) -> Eval<Option<bool>> {
        let objects = matches!(a, Value::Instance(_)) || matches!(b, Value::Instance(_));
        if a.is_same(b) && !a.is_unknown() {
            return Ok(Some(true));
        }
        if objects {
            let span = self.here();
            let op = a2lint_syntax::python::ast::CompareOp::Eq;
            if let Some(said) = self.class_compare(op, (a, b), span)? {
                return Ok(self.condition(said, span)?.truth());
            }
        }
        match a.is_nan() && b.is_nan() {
            true => Ok(None),
            false => self.equal(a, b),
        }
    }

    /// Evaluates `item in container`; `None` if it is unknown.
    pub fn is_in(&mut self, item: &Value<'a>, container: &Value<'a>) -> Eval<Option<bool>> {
        match (item, container) {
            (Value::Str(part), Value::Str(whole)) => return Ok(Some(whole.contains(&**part))),
            (other, Value::Str(_)) if other.is_plain() => return self.throw("TypeError", None),
            (_, Value::Dict(entries)) => {
                let Some(known) = entries.known().map(|known| known.to_vec()) else {
                    return Ok(None);
                };
                return Ok(self.find_key(&known, item)?.map(|found| found.is_some()));
            }
            // Membership of an int in a range needs no iteration.
            (Value::Int(_) | Value::Bool(_), Value::Range(start, stop, step)) => {
                let number = item.as_int().unwrap_or(0);
                let inside = match *step > 0 {
                    true => *start <= number && number < *stop,
                    false => *stop < number && number <= *start,
                };
                let is_hit = number.checked_sub(*start).map(|by| by % *step == 0);
                return Ok(is_hit.map(|is_hit| inside && is_hit));
            }
            (_, Value::Set(_) | Value::FrozenSet(_)) => {
                let Some(items) = container.members() else {
                    return Ok(None);
                };
                let keys: Vec<_> = items.into_iter().map(|it| (it, Value::None)).collect();
                return Ok(self.find_key(&keys, item)?.map(|found| found.is_some()));
            }
            (Value::Str(name), Value::Names(frame)) if !frame.is_lost() => {
                return Ok(Some(frame.own(name).is_some()));
            }
            _ => {}
        }
        // Any other container is searched by iteration, which may run code of the file.
        let Some(iterator) = self.iterator_of(container)? else {
            return Ok(None);
        };
        let mut is_open = false;
        loop {
            let other = match self.next_item(&iterator)? {
                super::iterators::Step::Item(other) => other,
                super::iterators::Step::End => return Ok((!is_open).then_some(false)),
                super::iterators::Step::Unknown => return Ok(None),
            };
            match self.is_or_equals(&other, item)? {
                // A hit after an item that could not be compared: whether the search got so far is unknown.
                Some(true) if is_open => return Ok(None),
                Some(true) => return Ok(Some(true)),
                Some(false) => {}
                None => is_open = true,
            }
        }
    }

    /// Resolves an index as Python does. Returns `None` if it is unknown, and `Some(None)` if it is out of range.
    pub fn index_of(&mut self, index: &Value<'a>, length: usize) -> Eval<Option<Option<usize>>> {
        let number = match index {
            // `__index__` makes an object usable as an index.
            Value::Instance(_) if index.as_int().is_none() => {
                let span = self.here();
                let said =
                    self.call_method(index, "__index__", Arguments::default(), Site::at(span))?;
                said.and_then(|said| said.as_int())
            }
            Value::Float(_) | Value::Str(_) | Value::None | Value::Tuple(_) => {
                return self.throw("TypeError", None);
            }
            other => other.as_int(),
        };
        let Some(number) = number else {
            self.doubt();
            return Ok(None);
        };
        let at = if number < 0 {
            number.saturating_add(length as i128)
        } else {
            number
        };
        Ok(Some(usize::try_from(at).ok().filter(|&at| at < length)))
    }

    /// Evaluates `object[index] = value`.
    pub fn set_item(
        &mut self,
        object: &Value<'a>,
        index: Value<'a>,
        value: Value<'a>,
        span: a2lint_source::text::Span,
    ) -> Eval<()> {
        match object {
            Value::List(list) => self.set_in_list(list, &index, value),
            Value::Dict(dict) => {
                let Some(mut entries) = dict.known().map(|known| known.to_vec()) else {
                    // The value is stored in a container that cannot be followed.
                    self.lose(&value)?;
                    self.doubt();
                    return Ok(());
                };
                // Whether the key replaces another one is unknown.
                if !self.insert(&mut entries, index, value.clone())? {
                    self.lose(&value)?;
                    dict.lose();
                    return Ok(());
                }
                if self.may_change(dict) {
                    if let Some(mut place) = dict.change(true) {
                        **place = entries;
                    }
                } else {
                    dict.lose();
                }
                Ok(())
            }
            Value::Names(frame) => {
                match &index {
                    Value::Str(name) => self.bind_in(&frame.clone(), name, value),
                    _ => frame.lose(),
                }
                Ok(())
            }
            Value::Instance(instance) => {
                let given = Arguments::of([index, value.clone()], span);
                let done = self.call_method(object, "__setitem__", given, Site::at(span))?;
                if done.is_some() {
                    return Ok(());
                }
                if instance.class.is_whole {
                    return self.throw("TypeError", ());
                }
                self.lose(object)?;
                self.lose(&value)?;
                self.doubt();
                Ok(())
            }
            // A tensor of a kernel does not support item assignment; the DSL moves data by `<<=`.
            Value::Local(_) | Value::Ring(_) | Value::Global(_) if self.in_kernel() => {
                self.note_subscript_assignment(span);
                Ok(())
            }
            other if other.is_plain() => self.throw("TypeError", ()),
            Value::Namespace(_) if is_modules(object) => {
                self.replace_module(&index);
                self.lose(&value)
            }
            Value::Namespace(_) => {
                self.set_environment(object, &index, value);
                Ok(())
            }
            _ => {
                self.lose(object)?;
                self.lose(&value)?;
                self.doubt();
                Ok(())
            }
        }
    }

    fn set_in_list(&mut self, list: &List<'a>, index: &Value<'a>, value: Value<'a>) -> Eval<()> {
        let Some(length) = list.known().map(|items| items.len()) else {
            self.lose(&value)?;
            self.doubt();
            return Ok(());
        };
        if let Value::Slice(slice) = index {
            let Some(bounds) = self.slice_bounds(slice, length)? else {
                list.lose();
                return self.lose(&value);
            };
            // Assigning a slice takes any iterable.
            let Some(items) = self.static_items(&value)? else {
                list.lose();
                return Ok(());
            };
            let (places, step) = bounds;
            // A plain slice can change the length of the list; an extended one cannot.
            if step == 1 {
                let (from, count) = (places.0, places.1);
                return self.changed_list(list, |all| {
                    all.splice(from..from + count, items);
                });
            }
            let places = stepped(places.0, places.1, step);
            if places.len() != items.len() {
                return self.throw("ValueError", ());
            }
            return self.changed_list(list, |all| {
                for (at, item) in places.into_iter().zip(items) {
                    all[at] = item;
                }
            });
        }
        match self.index_of(index, length)? {
            Some(Some(at)) => self.changed_list(list, |items| items[at] = value),
            Some(None) => self.throw("IndexError", ()),
            None => {
                list.lose();
                self.lose(&value)
            }
        }
    }

    /// Changes the items of a list, or makes them unknown if the change may not happen.
    pub fn changed_list(
        &mut self,
        list: &List<'a>,
        change: impl FnOnce(&mut Vec<Value<'a>>),
    ) -> Eval<()> {
        let is_certain = self.may_change(list);
        if let Some(mut items) = list.change(is_certain) {
            change(&mut items);
        }
        Ok(())
    }

    /// Evaluates `del object[index]`.
    pub fn delete_item(
        &mut self,
        object: &Value<'a>,
        index: &Value<'a>,
        span: a2lint_source::text::Span,
    ) -> Eval<()> {
        match object {
            Value::List(list) => {
                let Some(length) = list.known().map(|items| items.len()) else {
                    self.doubt();
                    return Ok(());
                };
                if let Value::Slice(slice) = index {
                    let Some(((from, count), step)) = self.slice_bounds(slice, length)? else {
                        list.lose();
                        return Ok(());
                    };
                    let mut places = stepped(from, count, step);
                    places.sort_unstable();
                    return self.changed_list(list, |items| {
                        // From the end, so that earlier places stay valid.
                        for at in places.into_iter().rev() {
                            items.remove(at);
                        }
                    });
                }
                match self.index_of(index, length)? {
                    Some(Some(at)) => self.changed_list(list, |items| {
                        items.remove(at);
                    }),
                    Some(None) => self.throw("IndexError", ()),
                    None => {
                        list.lose();
                        Ok(())
                    }
                }
            }
            Value::Dict(dict) => {
                let Some(known) = dict.known().map(|known| known.to_vec()) else {
                    self.doubt();
                    return Ok(());
                };
                match self.find_key(&known, index)? {
                    Some(Some(at)) => {
                        let is_certain = self.may_change(dict);
                        if let Some(mut entries) = dict.change(is_certain) {
                            entries.remove(at);
                        }
                        Ok(())
                    }
                    Some(None) => self.throw_key(index, ()),
                    None => {
                        dict.lose();
                        Ok(())
                    }
                }
            }
            Value::Names(frame) => {
                let frame = frame.clone();
                match index {
                    Value::Str(name) if frame.is_lost() => {
                        // The name may or may not exist in a lost scope.
                        self.doubt();
                        self.unbind_in(&frame, name);
                    }
                    Value::Str(name) => {
                        if !self.unbind_in(&frame, name) {
                            return self.throw_key(index, ());
                        }
                    }
                    _ => frame.lose(),
                }
                Ok(())
            }
            Value::Instance(instance) => {
                let given = Arguments::of([index.clone()], span);
                let done = self.call_method(object, "__delitem__", given, Site::at(span))?;
                match done {
                    Some(_) => Ok(()),
                    None if instance.class.is_whole => self.throw("TypeError", ()),
                    None => {
                        self.doubt();
                        self.lose(object)
                    }
                }
            }
            Value::Class(class) if class.is_whole => self.throw("TypeError", ()),
            Value::Set(_) | Value::Function(_) | Value::Lambda(_) | Value::Iterator(_) => {
                self.throw("TypeError", ())
            }
            other if other.is_plain() => self.throw("TypeError", ()),
            other if is_modules(other) => {
                self.replace_module(index);
                Ok(())
            }
            _ => {
                self.changed.lose_environment(object);
                self.doubt();
                self.lose(object)
            }
        }
    }

    /// Calls a method of a container.
    pub fn container_method(
        &mut self,
        object: &Value<'a>,
        name: &str,
        arguments: &Arguments<'a>,
        site: Site,
    ) -> Eval<Value<'a>> {
        self.charge(object.size())?;
        let followed = match object {
            Value::Dict(dict) => self.dict_method(dict, name, arguments)?,
            Value::List(list) => self.list_method(list, name, arguments, site)?,
            Value::Set(items) => self.set_method(items, name, arguments)?,
            Value::FrozenSet(_) => self.common_set_method(object, name, arguments)?,
            Value::Str(text) => Some(self.string_method(text, name, arguments)?),
            Value::Tuple(items) => match (name, arguments.plain().as_slice()) {
                ("index" | "count", [wanted]) => {
                    Some(self.sought(&items.to_vec(), name, wanted)?)
                }
                _ => None,
            },
            Value::Range(..) => match (name, arguments.plain().as_slice()) {
                ("index" | "count", [wanted]) => match self.static_items(object)? {
                    Some(items) => Some(self.sought(&items, name, wanted)?),
                    None => None,
                },
                _ => None,
            },
            _ => None,
        };
        match followed {
            Some(value) => {
                if object.is_lost() {
                    // The arguments may be in the container now.
                    arguments.values().try_for_each(|value| self.hide(value))?;
                }
                Ok(value)
            }
            // The method may change the object, and keep or change its arguments.
            None => {
                self.lose(object)?;
                for value in arguments.values() {
                    self.lose(value)?;
                }
                self.not_followed()
            }
        }
    }

    fn dict_method(
        &mut self,
        dict: &Dict<'a>,
        name: &str,
        arguments: &Arguments<'a>,
    ) -> Eval<Option<Value<'a>>> {
        let given = arguments.plain();
        if !arguments.spread.is_empty() || (!arguments.keywords.is_empty() && name != "update") {
            return Ok(None);
        }
        let part = match name {
            "items" => Some(Part::Items),
            "keys" => Some(Part::Keys),
            "values" => Some(Part::Values),
            _ => None,
        };
        // Views show later changes of the dictionary, so they share its entries.
        if let (Some(part), true) = (part, given.is_empty()) {
            return Ok(Some(Value::View(dict.clone(), part)));
        }
        let Some(known) = dict.known().map(|known| known.to_vec()) else {
            return Ok(None);
        };
        Ok(Some(match (name, given.as_slice()) {
            ("copy", []) => Value::dict(known),
            ("clear", []) => {
                self.changed_dict(dict, |entries| entries.clear());
                Value::None
            }
            ("get", [key] | [key, _]) => match self.find_key(&known, key)? {
                Some(Some(at)) => known[at].1.clone(),
                Some(None) => given.get(1).cloned().unwrap_or(Value::None),
                None => Value::Unknown,
            },
            ("pop", [key] | [key, _]) => match self.find_key(&known, key)? {
                Some(Some(at)) => {
                    self.changed_dict(dict, |entries| {
                        entries.remove(at);
                    });
                    known[at].1.clone()
                }
                Some(None) => match given.get(1) {
                    Some(default) => default.clone(),
                    None => return self.throw_key(key, None),
                },
                // Whether the key is there is unknown, so the dictionary may have changed or not.
                None => return Ok(None),
            },
            ("popitem", []) => match known.last() {
                Some((key, value)) => {
                    self.changed_dict(dict, |entries| {
                        entries.pop();
                    });
                    Value::tuple(vec![key.clone(), value.clone()])
                }
                None => return self.throw("KeyError", None),
            },
            // The default is inserted and returned, so both are one object.
            ("setdefault", [key] | [key, _]) => match self.find_key(&known, key)? {
                Some(Some(at)) => known[at].1.clone(),
                Some(None) => {
                    let value = given.get(1).cloned().unwrap_or(Value::None);
                    let entry = (key.clone(), value.clone());
                    self.changed_dict(dict, |entries| entries.push(entry));
                    value
                }
                None => return Ok(None),
            },
            // All entries are merged before the change, which happens at once.
            ("update", [] | [_]) => {
                let mut all = known;
                if let Some(more) = given.first()
                    && !self.take_entries_of(more, &mut all)?
                {
                    return Ok(None);
                }
                for (name, value, _) in &arguments.keywords {
                    self.insert(&mut all, Value::str(name), value.clone())?;
                }
                self.changed_dict(dict, |entries| *entries = all);
                Value::None
            }
            ("__contains__", [key]) => match self.find_key(&known, key)? {
                Some(found) => Value::Bool(found.is_some()),
                None => Value::Unknown,
            },
            ("__len__", []) => Value::Int(known.len() as i128),
            _ => return Ok(None),
        }))
    }

    /// Merges the entries of a dictionary or of an iterable of pairs into `all`; returns `false` if they are unknown.
    pub fn take_entries_of(
        &mut self,
        given: &Value<'a>,
        all: &mut Vec<(Value<'a>, Value<'a>)>,
    ) -> Eval<bool> {
        if let Value::Dict(more) = given {
            let Some(more) = more.known().map(|more| more.to_vec()) else {
                return Ok(false);
            };
            for (key, value) in more {
                if !self.insert(all, key, value)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        // A mapping of the file is read by `keys()` and `__getitem__`, which is not followed.
        if matches!(given, Value::Instance(_) | Value::Names(_)) {
            return Ok(false);
        }
        let Some(pairs) = self.static_items(given)? else {
            return Ok(false);
        };
        for pair in pairs {
            match self.static_items(&pair)?.as_deref() {
                Some([key, value]) => {
                    if !self.insert(all, key.clone(), value.clone())? {
                        return Ok(false);
                    }
                }
                Some(_) => return self.throw("ValueError", false),
                None => return Ok(false),
            }
        }
        Ok(true)
    }

    fn changed_dict(
        &mut self,
        dict: &Dict<'a>,
        change: impl FnOnce(&mut Vec<(Value<'a>, Value<'a>)>),
    ) {
        let is_certain = self.may_change(dict);
        if let Some(mut entries) = dict.change(is_certain) {
            change(&mut entries);
        }
    }

    fn list_method(
        &mut self,
        list: &List<'a>,
        name: &str,
        arguments: &Arguments<'a>,
        site: Site,
    ) -> Eval<Option<Value<'a>>> {
        let given = arguments.plain();
        // Only `sort` takes keywords among the methods below.
        if !arguments.spread.is_empty() || (!arguments.keywords.is_empty() && name != "sort") {
            return Ok(None);
        }
        let Some(length) = list.known().map(|items| items.len()) else {
            return Ok(None);
        };
        Ok(Some(match (name, given.as_slice()) {
            ("append", [item]) => {
                let item = item.clone();
                self.changed_list(list, |items| items.push(item))?;
                Value::None
            }
            // Read completely before the list changes: `x.extend(x)` ends.
            ("extend", [more]) => {
                let Some(more) = self.static_items(more)? else {
                    return Ok(None);
                };
                self.changed_list(list, |items| items.extend(more))?;
                Value::None
            }
            ("pop", [] | [_]) => {
                let last = Value::Int(-1);
                let at = given.first().unwrap_or(&last);
                match self.index_of(at, length)? {
                    Some(Some(at)) => {
                        let item = list.ever()[at].clone();
                        self.changed_list(list, |items| {
                            items.remove(at);
                        })?;
                        item
                    }
                    Some(None) => return self.throw("IndexError", None),
                    None => return Ok(None),
                }
            }
            ("insert", [at, item]) => {
                let Some(at) = at.as_int() else {
                    return Ok(None);
                };
                // `insert` clamps its index instead of raising.
                let length = length as i128;
                let at = if at < 0 {
                    at.saturating_add(length).max(0)
                } else {
                    at.min(length)
                };
                let item = item.clone();
                self.changed_list(list, |items| items.insert(at as usize, item))?;
                Value::None
            }
            ("remove", [wanted]) => {
                // Copied, since comparing items may change the list.
                let items = list.ever().to_vec();
                for (at, item) in items.iter().enumerate() {
                    match self.is_or_equals(item, wanted)? {
                        Some(true) => {
                            self.changed_list(list, |items| {
                                items.remove(at);
                            })?;
                            return Ok(Some(Value::None));
                        }
                        Some(false) => {}
                        None => return Ok(None),
                    }
                }
                return self.throw("ValueError", None);
            }
            ("reverse", []) => {
                self.changed_list(list, |items| items.reverse())?;
                Value::None
            }
            ("clear", []) => {
                self.changed_list(list, |items| items.clear())?;
                Value::None
            }
            // The list is known here, so all that it was ever known to hold is what it holds.
            ("copy", []) => Value::list(list.ever().to_vec()),
            ("sort", []) => {
                let items = list.ever().to_vec();
                let Some(sorted) = self.sorted_items(items, arguments, site)? else {
                    return Ok(None);
                };
                self.changed_list(list, |items| *items = sorted)?;
                Value::None
            }
            ("index" | "count", [wanted]) => {
                let all = list.ever().to_vec();
                self.sought(&all, name, wanted)?
            }
            ("__len__", []) => Value::Int(length as i128),
            _ => return Ok(None),
        }))
    }

    /// Evaluates `index` and `count` of a sequence.
    fn sought(&mut self, items: &[Value<'a>], name: &str, wanted: &Value<'a>) -> Eval<Value<'a>> {
        let mut found = Vec::new();
        for (at, item) in items.iter().enumerate() {
            match self.is_or_equals(item, wanted)? {
                Some(true) => found.push(at),
                Some(false) => {}
                None => return self.not_followed(),
            }
        }
        Ok(match (name, found.first()) {
            ("count", _) => Value::Int(found.len() as i128),
            (_, Some(&first)) => Value::Int(first as i128),
            (_, None) => return self.throw("ValueError", Value::Unknown),
        })
    }

    /// Returns start and count of a slice of `length` items, with its step; `None` if a bound is unknown.
    pub fn slice_bounds(
        &mut self,
        slice: &super::super::value::SliceValue<'a>,
        length: usize,
    ) -> Eval<Option<Places>> {
        let mut numbers = [None; 3];
        for (at, bound) in [&slice.lower, &slice.upper, &slice.step]
            .into_iter()
            .enumerate()
        {
            match bound {
                None | Some(Value::None) => {}
                Some(Value::Float(_) | Value::Str(_)) => return self.throw("TypeError", None),
                Some(bound) => match bound.as_int() {
                    Some(number) => numbers[at] = Some(number),
                    None => {
                        self.doubt();
                        return Ok(None);
                    }
                },
            }
        }
        let [lower, upper, step] = numbers;
        let (step, length) = (step.unwrap_or(1), length as i128);
        if step == 0 {
            return self.throw("ValueError", None);
        }
        // With a negative step, -1 is the place before the first item.
        let least = if step > 0 { 0 } else { -1 };
        let most = if step > 0 { length } else { length - 1 };
        let inside = |bound: i128| {
            let bound = if bound < 0 {
                bound.saturating_add(length)
            } else {
                bound
                // A negative bound counts from the end; out-of-range bounds are clamped, never an error.
            };
            bound.clamp(least, most)
        };
        let start = lower.map_or(if step > 0 { least } else { most }, inside);
        let stop = upper.map_or(if step > 0 { most } else { least }, inside);
        let span = if step > 0 { stop - start } else { start - stop };
        let count = if span > 0 {
            (span - 1) / step.abs() + 1
        } else {
            0
        };
        let start = if count == 0 { start.max(0) } else { start };
        Ok(Some(((start as usize, count as usize), step)))
    }
}

/// Returns the indices that a slice selects.
pub fn stepped(start: usize, count: usize, step: i128) -> Vec<usize> {
    let place = |at: usize| start as i128 + at as i128 * step;
    (0..count)
        .filter_map(|at| usize::try_from(place(at)).ok())
        .collect()
}

/// Returns whether hashing and comparing a key runs no code of its class.
fn is_hashable(key: &Value) -> bool {
    match key {
        Value::Instance(instance) => {
            !instance.has_own_equality()
                && instance.class.lookup("__hash__").is_none()
                && instance.class.is_hashable()
        }
        Value::View(..) | Value::Slice(_) => false,
        other => !other.is_unknown(),
    }
}
