//! `match`: pattern matching.

use super::super::tracer::{Eval, Tracer};
use super::super::value::Value;
use a2lint_syntax::python::ast::{self, CompareOp, ExprKind, Pattern};

/// Names with the values that a pattern captures.
type Captured<'a> = Vec<(&'a str, Value<'a>)>;

impl<'a> Tracer<'a> {
    /// Matches a subject against a pattern, and binds the names of the pattern if it matches.
    pub fn matches(&mut self, subject: &Value<'a>, pattern: &'a Pattern) -> Eval<Value<'a>> {
        let mut captured = Vec::new();
        let fits = self.fits(subject, pattern, &mut captured)?;
        match fits {
            // Captures are bound only if the whole pattern matches.
            Some(false) => {}
            Some(true) => {
                for (name, value) in captured {
                    self.name_object(name, &value);
                    self.bind_name(name, value);
                }
            }
            None => {
                // Whether it matches is unknown, so its names may be bound to what the subject leads to, or not.
                self.hide(subject)?;
                let mut names = Vec::new();
                pattern.names(&mut |name| names.push(name.text.as_str()));
                for name in names {
                    self.bind_name(name, Value::Unknown);
                }
            }
        }
        Ok(fits.map_or(Value::Unknown, Value::Bool))
    }

    fn fits(
        &mut self,
        subject: &Value<'a>,
        pattern: &'a Pattern,
        captured: &mut Captured<'a>,
    ) -> Eval<Option<bool>> {
        self.step()?;
        Ok(match pattern {
            Pattern::Anything => Some(true),
            Pattern::Capture(name) => {
                captured.push((&name.text, subject.clone()));
                Some(true)
            }
            Pattern::As(inner, name) => {
                let fits = self.fits(subject, inner, captured)?;
                captured.push((&name.text, subject.clone()));
                fits
            }
            Pattern::Value(value) => return self.fits_value(subject, value),
            Pattern::Or(all) => {
                for one in all {
                    let before = captured.len();
                    match self.fits(subject, one, captured)? {
                        // Captures of an alternative that failed are dropped.
                        Some(false) => captured.truncate(before),
                        fits => return Ok(fits),
                    }
                }
                Some(false)
            }
            Pattern::Sequence(all) => return self.fits_sequence(subject, all, captured),
            Pattern::Mapping { entries, rest } => {
                let rest = rest.as_ref().map(|name| name.text.as_str());
                return self.fits_mapping(subject, entries, rest, captured);
            }
            Pattern::Class {
                class,
                positional,
                keywords,
            } => {
                let class = self.eval(class)?;
                return self.fits_class(subject, &class, positional, keywords, captured);
            }
            Pattern::Rest(_) | Pattern::Other(_) => None,
        })
    }

    fn fits_value(&mut self, subject: &Value<'a>, value: &'a ast::Expr) -> Eval<Option<bool>> {
        let op = match value.kind {
            // `None`, `True` and `False` are compared by identity, other values by equality.
            ExprKind::None | ExprKind::Bool(_) => CompareOp::Is,
            _ => CompareOp::Eq,
        };
        let span = value.span;
        let value = self.eval(value)?;
        let result = match self.class_compare(op, (subject, &value), span)? {
            Some(result) => result,
            None => self.compare(op, subject, &value)?,
        };
        Ok(self.condition(result, span)?.truth())
    }

    fn fits_sequence(
        &mut self,
        subject: &Value<'a>,
        all: &'a [Pattern],
        captured: &mut Captured<'a>,
    ) -> Eval<Option<bool>> {
        let items = match subject {
            Value::List(_) | Value::Tuple(_) | Value::Range(..) => self.static_items(subject)?,
            Value::Instance(instance) => match instance.as_tuple() {
                Some(items) => Some(items),
                None if instance.class.is_whole => return Ok(Some(false)),
                None => None,
            },
            // Strings are no sequences for patterns, though they are iterable.
            Value::Str(_) | Value::Dict(_) | Value::Set(_) => return Ok(Some(false)),
            other if other.is_plain() => return Ok(Some(false)),
            // An unknown class may be registered as a sequence.
            _ => None,
        };
        let Some(items) = items else {
            return Ok(None);
        };
        let star = all.iter().position(|it| matches!(it, Pattern::Rest(_)));
        let fits = match star {
            None => items.len() == all.len(),
            Some(_) => items.len() + 1 >= all.len(),
        };
        if !fits {
            return Ok(Some(false));
        }
        let mut answer = Some(true);
        for (at, pattern) in all.iter().enumerate() {
            // The number of items that `*rest` takes.
            let further = items.len() + 1 - all.len().min(items.len() + 1);
            let fits = match (pattern, star) {
                (Pattern::Rest(name), _) => {
                    let rest = items[at..at + further].to_vec();
                    captured.extend(
                        name.iter()
                            .map(|name| (name.text.as_str(), Value::list(rest.clone()))),
                    );
                    Some(true)
                }
                (pattern, Some(star)) if at > star => {
                    self.fits(&items[at + further - 1], pattern, captured)?
                }
                (pattern, _) => self.fits(&items[at], pattern, captured)?,
            };
            match fits {
                Some(true) => {}
                Some(false) => return Ok(Some(false)),
                // A later item may still fail, which decides.
                None => answer = None,
            }
        }
        Ok(answer)
    }

    fn fits_mapping(
        &mut self,
        subject: &Value<'a>,
        entries: &'a [(ast::Expr, Pattern)],
        rest: Option<&'a str>,
        captured: &mut Captured<'a>,
    ) -> Eval<Option<bool>> {
        let mut left = match subject {
            Value::Dict(known) => match known.known() {
                Some(known) => known.to_vec(),
                None => return Ok(None),
            },
            // Only mappings match; other builtin types are none.
            Value::List(_) | Value::Set(_) => return Ok(Some(false)),
            other if other.is_plain() => return Ok(Some(false)),
            _ => return Ok(None),
        };
        for (key, pattern) in entries {
            let key = self.eval(key)?;
            let Some(found) = self.find_key(&left, &key)? else {
                return Ok(None);
            };
            let Some(at) = found else {
                return Ok(Some(false));
            };
            // A matched key is removed, so that `**rest` takes the others.
            let value = left.remove(at).1;
            match self.fits(&value, pattern, captured)? {
                Some(true) => {}
                other => return Ok(other),
            }
        }
        captured.extend(rest.map(|name| (name, Value::dict(left))));
        Ok(Some(true))
    }

    fn fits_class(
        &mut self,
        subject: &Value<'a>,
        class: &Value<'a>,
        positional: &'a [Pattern],
        keywords: &'a [(ast::Name, Pattern)],
        captured: &mut Captured<'a>,
    ) -> Eval<Option<bool>> {
        match self.is_instance(subject, class)? {
            Some(true) => {}
            other => return Ok(other),
        }
        // Builtin classes whose single positional pattern matches the object itself.
        const WHOLE: &[&str] = &[
            "bool",
            "dict",
            "float",
            "frozenset",
            "int",
            "list",
            "set",
            "str",
            "tuple",
        ];
        let mut names: Vec<String> = Vec::new();
        if !positional.is_empty() {
            match class {
                Value::Class(class) => {
                    let listed = class.lookup("__match_args__");
                    // Dataclasses and named tuples generate `__match_args__` from their fields.
                    let listed = match listed {
                        Some(listed) => self.static_items(&listed)?,
                        None => Some(
                            class
                                .fields()
                                .iter()
                                .map(|it| Value::Str(it.name.clone()))
                                .collect(),
                        ),
                    };
                    for name in listed.unwrap_or_default() {
                        match name {
                            Value::Str(name) => names.push(name.to_string()),
                            _ => return Ok(None),
                        }
                    }
                }
                Value::Builtin(builtin) => {
                    let is_whole = builtin.native_name().is_some_and(|it| WHOLE.contains(&it));
                    return match positional {
                        [only] if is_whole && keywords.is_empty() => {
                            self.fits(subject, only, captured)
                        }
                        _ => Ok(None),
                    };
                }
                _ => return Ok(None),
            }
        }
        // More patterns than `__match_args__` has names raise a `TypeError`.
        if names.len() < positional.len() {
            return Ok(None);
        }
        let by_place = names.iter().map(String::as_str).zip(positional);
        let by_name = keywords
            .iter()
            .map(|(name, pattern)| (name.text.as_str(), pattern));
        let all: Vec<(String, &'a Pattern)> = by_place
            .chain(by_name)
            .map(|(name, pattern)| (name.to_owned(), pattern))
            .collect();
        for (name, pattern) in all {
            let span = self.here();
            let Some(value) = self.python_attribute(subject, &name, span)? else {
                // A missing attribute means no match, if it is certain to be missing.
                let is_bare = matches!(subject, Value::Instance(it) if it.is_bare());
                return Ok(is_bare.then_some(false));
            };
            match self.fits(&value, pattern, captured)? {
                Some(true) => {}
                other => return Ok(other),
            }
        }
        Ok(Some(true))
    }
}
