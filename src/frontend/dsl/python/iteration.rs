//! Functions that take items and give items: `map`, `zip`, `sorted`, `any`, …

use std::cmp::Ordering;

use super::super::emit::Arguments;
use super::super::tracer::{Eval, Tracer};
use super::super::value::Value;
use super::native::{Call, Native, Site};

pub const TABLE: &[Native] = &[
    native("", "enumerate", enumerate),
    native("", "zip", |tracer, args, _| zip(tracer, args)),
    native("", "map", map),
    native("", "filter", filter),
    native("", "reversed", reversed),
    native("", "sorted", sorted),
    native("", "any", |tracer, args, _| tested(tracer, args, true)),
    native("", "all", |tracer, args, _| tested(tracer, args, false)),
    native("", "min", |tracer, args, site| {
        extreme(tracer, args, site, Ordering::Less)
    }),
    native("", "max", |tracer, args, site| {
        extreme(tracer, args, site, Ordering::Greater)
    }),
    native("", "iter", |tracer, args, _| iter(tracer, args)),
    native("", "next", |tracer, args, _| next(tracer, args)),
];

const fn native(module: &'static str, name: &'static str, call: Call) -> Native {
    Native { module, name, call }
}

impl<'a> Tracer<'a> {
    /// The items of an argument.
    pub fn items_at(&mut self, args: &Arguments<'a>, at: usize) -> Eval<Option<Vec<Value<'a>>>> {
        match args.at(at) {
            Some(value) => self.static_items(value),
            None => Ok(None),
        }
    }

    /// The items of all arguments from one on.
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

    /// Calls what a function was given.
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

fn listed<'a>(items: Option<Vec<Value<'a>>>) -> Value<'a> {
    items.map_or(Value::Unknown, Value::list)
}

fn enumerate<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, _: Site) -> Eval<Value<'a>> {
    let start = match args.at(1).or(args.keyword("start")) {
        Some(start) => start.as_int(),
        None => Some(0),
    };
    let (Some(items), Some(start)) = (tracer.items_at(args, 0)?, start) else {
        return Ok(Value::Unknown);
    };
    let pair = |(at, item)| Value::tuple(vec![Value::Int(start.saturating_add(at as i128)), item]);
    Ok(Value::list(
        items.into_iter().enumerate().map(pair).collect(),
    ))
}

fn rows<'a>(columns: &[Vec<Value<'a>>]) -> impl Iterator<Item = Vec<Value<'a>>> {
    let count = columns.iter().map(Vec::len).min().unwrap_or(0);
    (0..count).map(|at| columns.iter().map(|column| column[at].clone()).collect())
}

fn zip<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    let columns = tracer.columns(args, 0)?;
    Ok(listed(
        columns.map(|columns| rows(&columns).map(Value::tuple).collect()),
    ))
}

fn map<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, site: Site) -> Eval<Value<'a>> {
    let (Some(function), Some(columns)) = (args.at(0), tracer.columns(args, 1)?) else {
        return Ok(Value::Unknown);
    };
    let mut results = Vec::new();
    for row in rows(&columns) {
        results.push(tracer.call_back(function, row, site)?);
    }
    Ok(Value::list(results))
}

fn filter<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, site: Site) -> Eval<Value<'a>> {
    let (Some(function), Some(items)) = (args.at(0), tracer.items_at(args, 1)?) else {
        return Ok(Value::Unknown);
    };
    let mut kept = Vec::new();
    for item in items {
        let holds = match function {
            Value::None => item.clone(),
            _ => tracer.call_back(function, vec![item.clone()], site)?,
        };
        match holds.truth() {
            Some(true) => kept.push(item),
            Some(false) => {}
            None => return Ok(Value::Unknown),
        }
    }
    Ok(Value::list(kept))
}

fn reversed<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, _: Site) -> Eval<Value<'a>> {
    let items = tracer.items_at(args, 0)?;
    Ok(listed(items.map(|items| items.into_iter().rev().collect())))
}

/// `<` of numbers, texts and tuples of them; `None` where it is not known.
pub fn order(a: &Value, b: &Value, nesting: u32) -> Option<Ordering> {
    match (a, b) {
        (Value::Str(a), Value::Str(b)) => Some(a.cmp(b)),
        (Value::Tuple(a), Value::Tuple(b)) if nesting > 0 => {
            for (a, b) in a.iter().zip(b.iter()) {
                match order(a, b, nesting - 1)? {
                    Ordering::Equal => {}
                    other => return Some(other),
                }
            }
            Some(a.len().cmp(&b.len()))
        }
        _ => match (a.as_int(), b.as_int()) {
            (Some(a), Some(b)) => Some(a.cmp(&b)),
            _ => a.as_float()?.partial_cmp(&b.as_float()?),
        },
    }
}

/// Items with the keys that they are compared by.
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
    let Some(items) = tracer.items_at(args, 0)? else {
        return Ok(Value::Unknown);
    };
    let reverse = args
        .keyword("reverse")
        .map_or(Some(false), |reverse| reverse.truth());
    let mut items = keyed(tracer, args, items, site)?;
    // Where two keys can be compared, all between them can.
    let first = items.first().map(|(key, _)| key.clone());
    let is_ordered = |(key, _): &(Value<'a>, Value<'a>)| {
        first
            .as_ref()
            .is_some_and(|first| order(first, key, NESTING).is_some())
    };
    let (Some(reverse), true) = (reverse, items.iter().all(is_ordered)) else {
        return Ok(Value::Unknown);
    };
    tracer.charge(items.len().saturating_mul(8))?;
    items.sort_by(|(a, _), (b, _)| {
        let order = order(a, b, NESTING).unwrap_or(Ordering::Equal);
        if reverse { order.reverse() } else { order }
    });
    Ok(Value::list(
        items.into_iter().map(|(_, item)| item).collect(),
    ))
}

/// Nesting of tuples that are compared.
const NESTING: u32 = 3;

fn tested<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, sought: bool) -> Eval<Value<'a>> {
    let Some(items) = tracer.items_at(args, 0)? else {
        return Ok(Value::Unknown);
    };
    let truths: Vec<Option<bool>> = items.iter().map(|item| item.truth()).collect();
    Ok(
        match (truths.contains(&Some(sought)), truths.contains(&None)) {
            (true, _) => Value::Bool(sought),
            (false, true) => Value::Unknown,
            (false, false) => Value::Bool(!sought),
        },
    )
}

fn extreme<'a>(
    tracer: &mut Tracer<'a>,
    args: &Arguments<'a>,
    site: Site,
    wanted: Ordering,
) -> Eval<Value<'a>> {
    let items = match args.positional.len() {
        1 => tracer.items_at(args, 0)?,
        _ => Some(args.plain()),
    };
    let Some(items) = items.filter(|_| args.spread.is_empty()) else {
        return Ok(Value::Unknown);
    };
    let mut best: Option<(Value<'a>, Value<'a>)> = None;
    for (key, item) in keyed(tracer, args, items, site)? {
        let better = match &best {
            None if order(&key, &key, NESTING).is_none() => return Ok(Value::Unknown),
            None => true,
            Some((before, _)) => match order(&key, before, NESTING) {
                Some(order) => order == wanted,
                None => return Ok(Value::Unknown),
            },
        };
        if better {
            best = Some((key, item));
        }
    }
    let default = args.keyword("default").cloned();
    Ok(best
        .map(|(_, item)| item)
        .or(default)
        .unwrap_or(Value::Unknown))
}

fn iter<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    Ok(listed(tracer.items_at(args, 0)?))
}

/// `next(items)`: the first of what was made just for that. Items of a list that has a name may have
/// been taken before.
fn next<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    let Some(Value::List(items)) = args.at(0) else {
        return Ok(Value::Unknown);
    };
    let taken = {
        let mut items = items.borrow_mut();
        (!items.is_empty()).then(|| items.remove(0))
    };
    tracer.charge(args.at(0).map_or(0, Value::size))?;
    Ok(taken.or(args.at(1).cloned()).unwrap_or(Value::Unknown))
}
