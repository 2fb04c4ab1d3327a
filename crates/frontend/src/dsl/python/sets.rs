//! Methods of sets.

use std::rc::Rc;

use super::super::emit::Arguments;
use super::super::tracer::{Eval, Tracer};
use super::super::value::Value;
use super::containers::List;

impl<'a> Tracer<'a> {
    /// Returns the items that are (or are not) in `others`; `None` if that is unknown.
    pub fn chosen(
        &mut self,
        items: Vec<Value<'a>>,
        others: &[Value<'a>],
        wanted: bool,
    ) -> Eval<Option<Vec<Value<'a>>>> {
        let keys: Vec<_> = others.iter().map(|it| (it.clone(), Value::None)).collect();
        let mut kept = Vec::new();
        for item in items {
            match self.find_key(&keys, &item)? {
                Some(found) if found.is_some() == wanted => kept.push(item),
                Some(_) => {}
                None => return Ok(None),
            }
        }
        Ok(Some(kept))
    }

    /// Calls a method of sets that makes a new set or answers a question.
    pub fn common_set_method(
        &mut self,
        object: &Value<'a>,
        name: &str,
        arguments: &Arguments<'a>,
    ) -> Eval<Option<Value<'a>>> {
        let Some(own) = object.members() else {
            return Ok(None);
        };
        if !arguments.keywords.is_empty() || !arguments.spread.is_empty() {
            return Ok(None);
        }
        let mut others = Vec::new();
        // The methods take any iterable, unlike the operators.
        for given in arguments.plain() {
            match self.unordered_items(&given)? {
                Some(items) => others.push(items),
                None => return Ok(None),
            }
        }
        // Methods of a frozenset return frozensets.
        let is_frozen = matches!(object, Value::FrozenSet(_));
        let made = |items: Option<Vec<Value<'a>>>| {
            items.map(|items| match is_frozen {
                true => Value::FrozenSet(Rc::new(items.into())),
                false => Value::set(items),
            })
        };
        Ok(match (name, others.as_slice()) {
            ("copy", []) => made(Some(own)),
            ("union", _) => {
                let all = own
                    .into_iter()
                    .chain(others.into_iter().flatten())
                    .collect();
                made(self.distinct(all)?)
            }
            // With several arguments the methods fold; only one is modelled.
            ("intersection", [other]) => made(self.chosen(own, other, true)?),
            ("difference", [other]) => made(self.chosen(own, other, false)?),
            ("symmetric_difference", [other]) => {
                let Some(other) = self.distinct(other.clone())? else {
                    return Ok(None);
                };
                let mine = self.chosen(own.clone(), &other, false)?;
                let theirs = self.chosen(other, &own, false)?;
                made(
                    mine.zip(theirs)
                        .map(|(mine, theirs)| [mine, theirs].concat()),
                )
            }
            ("isdisjoint", [other]) => self
                .chosen(own, other, true)?
                .map(|common| Value::Bool(common.is_empty())),
            ("issubset", [other]) => self
                .chosen(own, other, false)?
                .map(|rest| Value::Bool(rest.is_empty())),
            ("issuperset", [other]) => self
                .chosen(other.clone(), &own, false)?
                .map(|rest| Value::Bool(rest.is_empty())),
            _ => None,
        })
    }

    pub fn set_method(
        &mut self,
        items: &List<'a>,
        name: &str,
        arguments: &Arguments<'a>,
    ) -> Eval<Option<Value<'a>>> {
        // A shared handle on the same set, for the methods that read it.
        let object = Value::Set(items.clone());
        let Some(own) = object.members() else {
            return Ok(None);
        };
        let given = arguments.plain();
        let changed = match (name, given.as_slice()) {
            ("add", [item]) => {
                let all = own.into_iter().chain([item.clone()]).collect();
                self.distinct(all)?
            }
            // `remove` raises for a missing item, `discard` does not.
            ("remove" | "discard", [item]) => {
                let keys: Vec<_> = own.iter().map(|it| (it.clone(), Value::None)).collect();
                match self.find_key(&keys, item)? {
                    Some(Some(at)) => {
                        let mut own = own;
                        own.remove(at);
                        Some(own)
                    }
                    Some(None) if name == "remove" => return self.throw_key(item, None),
                    Some(None) => Some(own),
                    None => None,
                }
            }
            ("clear", []) => Some(Vec::new()),
            ("update", _) | ("intersection_update" | "difference_update", [_]) => {
                let plain = match name {
                    "update" => "union",
                    "intersection_update" => "intersection",
                    _ => "difference",
                };
                match self.common_set_method(&object, plain, arguments)? {
                    Some(changed) => changed.members(),
                    None => None,
                }
            }
            // With several items, which one `pop` returns depends on hashes.
            ("pop", []) if own.len() == 1 => {
                self.changed_list(items, |items| items.clear())?;
                return Ok(own.into_iter().next());
            }
            ("pop", []) if own.is_empty() => return self.throw("KeyError", None),
            _ => return self.common_set_method(&object, name, arguments),
        };
        let Some(changed) = changed else {
            return Ok(None);
        };
        // One change for the whole method, so that it is counted and lost as one.
        self.changed_list(items, |items| *items = changed)?;
        Ok(Some(Value::None))
    }
}
