//! `itertools`: combinations of items.

use super::super::emit::Arguments;
use super::super::expressions::MAX_ITEMS;
use super::super::tracer::{Abort, Eval, Tracer};
use super::super::value::Value;
use super::arithmetic::static_binary;
use super::native::{Call, Native, Site};
use crate::syntax::python::ast::BinaryOp;

pub const TABLE: &[Native] = &[
    native("itertools", "product", |tracer, args, _| {
        product(tracer, args)
    }),
    native("itertools", "chain", |tracer, args, _| chain(tracer, args)),
    native("itertools.chain", "from_iterable", |tracer, args, _| {
        flattened(tracer, args)
    }),
    native("itertools", "accumulate", accumulate),
    native("itertools", "islice", |tracer, args, _| {
        islice(tracer, args)
    }),
    native("itertools", "repeat", |_, args, _| Ok(repeat(args))),
    native("itertools", "pairwise", |tracer, args, _| {
        pairwise(tracer, args)
    }),
    native("itertools", "combinations", |tracer, args, _| {
        combinations(tracer, args)
    }),
    native("itertools", "starmap", starmap),
    native("itertools", "zip_longest", |tracer, args, _| {
        zip_longest(tracer, args)
    }),
];

const fn native(module: &'static str, name: &'static str, call: Call) -> Native {
    Native { module, name, call }
}

fn too_many() -> Abort {
    Abort(format!("a Python sequence has {MAX_ITEMS} items or more"))
}

fn product<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    let repeat = match args.keyword("repeat") {
        Some(repeat) => repeat
            .as_int()
            .and_then(|repeat| usize::try_from(repeat).ok()),
        None => Some(1),
    };
    let (Some(columns), Some(repeat)) = (tracer.columns(args, 0)?, repeat) else {
        return Ok(Value::Unknown);
    };
    let mut rows: Vec<Vec<Value<'a>>> = vec![Vec::new()];
    for _ in 0..repeat {
        for column in &columns {
            let count = rows.len().saturating_mul(column.len());
            if count > MAX_ITEMS {
                return Err(too_many());
            }
            tracer.charge(count.saturating_mul(4) + 4)?;
            let extended = rows.iter().flat_map(|row| {
                column
                    .iter()
                    .map(|item| row.iter().chain([item]).cloned().collect())
            });
            rows = extended.collect();
        }
        tracer.step()?;
    }
    Ok(Value::list(rows.into_iter().map(Value::tuple).collect()))
}

fn chain<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    let columns = tracer.columns(args, 0)?;
    Ok(columns.map_or(Value::Unknown, |columns| {
        Value::list(columns.into_iter().flatten().collect())
    }))
}

fn flattened<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    let Some(lists) = tracer.items_at(args, 0)? else {
        return Ok(Value::Unknown);
    };
    let mut all = Vec::new();
    for list in lists {
        match tracer.static_items(&list)? {
            Some(items) => all.extend(items),
            None => return Ok(Value::Unknown),
        }
    }
    Ok(Value::list(all))
}

fn accumulate<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, site: Site) -> Eval<Value<'a>> {
    let Some(items) = tracer.items_at(args, 0)? else {
        return Ok(Value::Unknown);
    };
    let function = args.at(1).or(args.keyword("func")).cloned();
    let mut total = args.keyword("initial").cloned();
    let mut sums: Vec<Value<'a>> = total.iter().cloned().collect();
    for item in items {
        let next = match (total, &function) {
            (None, _) => item,
            (Some(total), None) => static_binary(BinaryOp::Add, &total, &item),
            (Some(total), Some(function)) => tracer.call_back(function, vec![total, item], site)?,
        };
        sums.push(next.clone());
        total = Some(next);
    }
    Ok(Value::list(sums))
}

fn islice<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    let number = |at: usize| args.at(at).and_then(|value| value.as_int());
    let (start, stop) = match args.positional.len() {
        2 => (Some(0), number(1)),
        3 => (number(1), number(2)),
        _ => (None, None),
    };
    let whole = |number: Option<i128>| number.and_then(|number| usize::try_from(number).ok());
    let (Some(start), Some(stop)) = (whole(start), whole(stop)) else {
        return Ok(Value::Unknown);
    };
    let items = tracer.items_at(args, 0)?;
    Ok(items.map_or(Value::Unknown, |items| {
        let count = stop.saturating_sub(start);
        Value::list(items.into_iter().skip(start).take(count).collect())
    }))
}

fn repeat<'a>(args: &Arguments<'a>) -> Value<'a> {
    let times = args
        .at(1)
        .or(args.keyword("times"))
        .and_then(|times| times.as_int());
    match (args.at(0), times) {
        (Some(item), Some(times)) if times <= MAX_ITEMS as i128 => {
            Value::list(vec![item.clone(); usize::try_from(times).unwrap_or(0)])
        }
        _ => Value::Unknown,
    }
}

fn pairwise<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    let items = tracer.items_at(args, 0)?;
    Ok(items.map_or(Value::Unknown, |items| {
        Value::list(
            items
                .windows(2)
                .map(|pair| Value::tuple(pair.to_vec()))
                .collect(),
        )
    }))
}

fn combinations<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    let size = args.at(1).and_then(|size| size.as_int());
    let (Some(items), Some(2)) = (tracer.items_at(args, 0)?, size) else {
        return Ok(Value::Unknown);
    };
    tracer.charge(items.len().saturating_mul(items.len()).saturating_mul(2))?;
    let mut pairs = Vec::new();
    for (at, first) in items.iter().enumerate() {
        let after = items[at + 1..].iter();
        pairs.extend(after.map(|second| Value::tuple(vec![first.clone(), second.clone()])));
        if pairs.len() > MAX_ITEMS {
            return Err(too_many());
        }
    }
    Ok(Value::list(pairs))
}

fn starmap<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, site: Site) -> Eval<Value<'a>> {
    let (Some(function), Some(rows)) = (args.at(0), tracer.items_at(args, 1)?) else {
        return Ok(Value::Unknown);
    };
    let mut results = Vec::new();
    for row in rows {
        match tracer.static_items(&row)? {
            Some(items) => results.push(tracer.call_back(function, items, site)?),
            None => return Ok(Value::Unknown),
        }
    }
    Ok(Value::list(results))
}

fn zip_longest<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    let Some(columns) = tracer.columns(args, 0)? else {
        return Ok(Value::Unknown);
    };
    let fill = args.keyword("fillvalue").cloned().unwrap_or(Value::None);
    let count = columns.iter().map(Vec::len).max().unwrap_or(0);
    tracer.charge(count.saturating_mul(columns.len()))?;
    let row = |at: usize| {
        let items = columns
            .iter()
            .map(|column| column.get(at).unwrap_or(&fill).clone());
        Value::tuple(items.collect())
    };
    Ok(Value::list((0..count).map(row).collect()))
}
