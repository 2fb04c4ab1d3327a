//! Lists, dictionaries and sets: what they hold, and their methods.

use std::cell::RefCell;
use std::rc::Rc;

use super::super::emit::Arguments;
use super::super::tracer::{Eval, Tracer};
use super::super::value::Value;
use super::native::Site;

impl<'a> Tracer<'a> {
    /// Puts an entry into a dictionary, in place of one with the same key.
    pub fn insert(
        &mut self,
        entries: &mut Vec<(Value<'a>, Value<'a>)>,
        key: Value<'a>,
        value: Value<'a>,
    ) -> Eval<()> {
        self.charge(entries.len())?;
        match entries
            .iter()
            .position(|(known, _)| known.equals(&key) == Some(true))
        {
            Some(at) => entries[at].1 = value,
            None => entries.push((key, value)),
        }
        Ok(())
    }

    /// A set of items; unknown where nobody knows which of them are the same.
    pub fn set_of(&mut self, items: Vec<Value<'a>>) -> Eval<Value<'a>> {
        let mut kept: Vec<Value<'a>> = Vec::new();
        for item in items {
            self.charge(kept.len())?;
            let mut same = kept.iter().map(|known| known.equals(&item));
            match same.find(|same| *same != Some(false)) {
                None => kept.push(item),
                Some(Some(_)) => {}
                Some(None) => return Ok(Value::Unknown),
            }
        }
        Ok(Value::Set(Rc::new(RefCell::new(kept.into()))))
    }

    /// `item in container`; `None` where it is not known.
    pub fn is_in(&mut self, item: &Value<'a>, container: &Value<'a>) -> Eval<Option<bool>> {
        if let (Value::Str(part), Value::Str(whole)) = (item, container) {
            return Ok(Some(whole.contains(&**part)));
        }
        let Some(items) = self.static_items(container)? else {
            return Ok(None);
        };
        let mut is_open = false;
        for other in &items {
            match self.equal(other, item)? {
                Some(true) => return Ok(Some(true)),
                Some(false) => {}
                None => is_open = true,
            }
        }
        Ok((!is_open).then_some(false))
    }

    /// Methods of containers.
    pub fn container_method(
        &mut self,
        object: &Value<'a>,
        name: &str,
        arguments: &Arguments<'a>,
        site: Site,
    ) -> Eval<Value<'a>> {
        match object {
            Value::Dict(entries) => {
                // They look through all of it.
                self.charge(object.size())?;
                self.dict_method(entries, name, arguments)
            }
            Value::List(items) => self.list_method(items, name, arguments, site),
            Value::Set(items) => self.set_method(items, name, arguments),
            Value::Str(text) => self.string_method(text, name, arguments),
            Value::Tuple(items) => match (name, arguments.at(0)) {
                ("index" | "count", Some(wanted)) => self.sought(&items.to_vec(), name, wanted),
                _ => Ok(Value::Unknown),
            },
            _ => Ok(Value::Unknown),
        }
    }

    fn dict_method(
        &mut self,
        entries: &Rc<RefCell<super::super::items::Entries<'a>>>,
        name: &str,
        arguments: &Arguments<'a>,
    ) -> Eval<Value<'a>> {
        let first = arguments.at(0);
        let find = |key: &Value<'a>| {
            let entries = entries.borrow();
            entries
                .iter()
                .position(|(known, _)| known.equals(key) == Some(true))
        };
        Ok(match (name, first) {
            ("items", None) => {
                let entries = entries.borrow();
                let pair = |(key, value): &(Value<'a>, Value<'a>)| {
                    Value::tuple(vec![key.clone(), value.clone()])
                };
                Value::list(entries.iter().map(pair).collect())
            }
            ("values", None) => Value::list(
                entries
                    .borrow()
                    .iter()
                    .map(|(_, value)| value.clone())
                    .collect(),
            ),
            ("keys", None) => Value::list(
                entries
                    .borrow()
                    .iter()
                    .map(|(key, _)| key.clone())
                    .collect(),
            ),
            ("copy", None) => Value::dict(entries.borrow().to_vec()),
            ("clear", None) => {
                entries.borrow_mut().clear();
                Value::None
            }
            ("get" | "pop" | "setdefault", Some(key)) if key.is_unknown() => Value::Unknown,
            ("get", Some(key)) => {
                let found = find(key).map(|at| entries.borrow()[at].1.clone());
                let default = arguments.at(1).or(arguments.keyword("default")).cloned();
                found.or(default).unwrap_or(Value::None)
            }
            ("pop", Some(key)) => {
                let found = find(key).map(|at| entries.borrow_mut().remove(at).1);
                found.or(arguments.at(1).cloned()).unwrap_or(Value::Unknown)
            }
            ("setdefault", Some(key)) => match find(key) {
                Some(at) => entries.borrow()[at].1.clone(),
                None => {
                    let value = arguments.at(1).cloned().unwrap_or(Value::None);
                    entries.borrow_mut().push((key.clone(), value.clone()));
                    value
                }
            },
            ("update", _) => {
                let mut more = match first {
                    Some(Value::Dict(more)) => more.borrow().to_vec(),
                    None => Vec::new(),
                    _ => {
                        entries
                            .borrow_mut()
                            .iter_mut()
                            .for_each(|it| it.1 = Value::Unknown);
                        Vec::new()
                    }
                };
                let named = arguments.keywords.iter();
                more.extend(named.map(|(name, value, _)| (Value::str(name), value.clone())));
                let mut all = entries.borrow().to_vec();
                for (key, value) in more {
                    self.insert(&mut all, key, value)?;
                }
                **entries.borrow_mut() = all;
                Value::None
            }
            _ => Value::Unknown,
        })
    }

    fn list_method(
        &mut self,
        items: &Rc<RefCell<super::super::items::Items<'a>>>,
        name: &str,
        arguments: &Arguments<'a>,
        site: Site,
    ) -> Eval<Value<'a>> {
        let first = arguments.at(0);
        let length = items.borrow().len();
        let place = |value: &Value<'a>| {
            let at = value.as_int()?;
            let at = if at < 0 { at + length as i128 } else { at };
            usize::try_from(at).ok()
        };
        Ok(match (name, first) {
            ("append", Some(item)) => {
                items.borrow_mut().push(item.clone());
                Value::None
            }
            ("extend", Some(more)) => {
                let more = self.static_items(more)?;
                items.borrow_mut().extend(more.unwrap_or_default());
                Value::None
            }
            ("pop", None) => items.borrow_mut().pop().unwrap_or(Value::Unknown),
            ("pop", Some(at)) => {
                self.charge(length)?;
                match place(at).filter(|&at| at < length) {
                    Some(at) => items.borrow_mut().remove(at),
                    None => Value::Unknown,
                }
            }
            ("insert", Some(at)) => {
                self.charge(length)?;
                let item = arguments.at(1).cloned().unwrap_or(Value::Unknown);
                let at = place(at).unwrap_or(0).min(length);
                items.borrow_mut().insert(at, item);
                Value::None
            }
            ("reverse", None) => {
                self.charge(length)?;
                items.borrow_mut().reverse();
                Value::None
            }
            ("clear", None) => {
                items.borrow_mut().clear();
                Value::None
            }
            ("copy", None) => {
                self.charge(length)?;
                Value::list(items.borrow().to_vec())
            }
            ("sort", None) => {
                let mut given = Arguments::of([Value::list(items.borrow().to_vec())], site.span);
                given.keywords = arguments.keywords.clone();
                let sort = super::native::find("", "sorted");
                let sorted = match sort {
                    Some(sort) => (sort.call)(self, &given, site)?,
                    None => Value::Unknown,
                };
                let sorted = self.static_items(&sorted)?;
                let unknown = vec![Value::Unknown; length];
                **items.borrow_mut() = sorted.unwrap_or(unknown);
                Value::None
            }
            ("index" | "count", Some(wanted)) => {
                let all = items.borrow().to_vec();
                self.sought(&all, name, wanted)?
            }
            _ => Value::Unknown,
        })
    }

    /// `index` and `count`.
    fn sought(&mut self, items: &[Value<'a>], name: &str, wanted: &Value<'a>) -> Eval<Value<'a>> {
        let mut found = Vec::new();
        for (at, item) in items.iter().enumerate() {
            match self.equal(item, wanted)? {
                Some(true) => found.push(at),
                Some(false) => {}
                None => return Ok(Value::Unknown),
            }
        }
        Ok(match (name, found.first()) {
            ("count", _) => Value::Int(found.len() as i128),
            (_, Some(&first)) => Value::Int(first as i128),
            (_, None) => Value::Unknown,
        })
    }

    fn set_method(
        &mut self,
        items: &Rc<RefCell<super::super::items::Items<'a>>>,
        name: &str,
        arguments: &Arguments<'a>,
    ) -> Eval<Value<'a>> {
        let own = items.borrow().to_vec();
        let changed = match (name, arguments.at(0)) {
            ("add", Some(item)) => {
                let all = own.into_iter().chain([item.clone()]).collect();
                self.set_of(all)?
            }
            ("union", Some(more)) => {
                let Some(more) = self.static_items(more)? else {
                    return Ok(Value::Unknown);
                };
                return self.set_of(own.into_iter().chain(more).collect());
            }
            ("copy", None) => return self.set_of(own),
            _ => return Ok(Value::Unknown),
        };
        if let Value::Set(changed) = &changed {
            let changed = changed.borrow().to_vec();
            **items.borrow_mut() = changed;
        } else {
            items.borrow_mut().push(Value::Unknown);
        }
        Ok(Value::None)
    }
}
