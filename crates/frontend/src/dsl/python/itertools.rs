//! `itertools`: combinations and chains of iterables.

use super::super::emit::Arguments;
use super::super::expressions::MAX_ITEMS;
use super::super::tracer::{Abort, Eval, Tracer};
use super::super::value::Value;
use super::iterators::{Iterator, Source, State};
use super::native::{Call, Native, Site};

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
    native("itertools", "repeat", |tracer, args, _| {
        repeat(tracer, args)
    }),
    native("itertools", "count", |tracer, args, _| count(tracer, args)),
    native("itertools", "cycle", |tracer, args, _| {
        of_sources(tracer, args, 0, |_, mut sources| {
            let source = sources.pop()?;
            Some(State::Cycle(Some(source), Vec::new(), 0))
        })
    }),
    native("itertools", "pairwise", |tracer, args, _| {
        of_sources(tracer, args, 0, |_, mut sources| {
            Some(State::Pairwise(sources.pop()?, None))
        })
    }),
    native("itertools", "compress", |tracer, args, _| {
        of_sources(tracer, args, 0, |_, mut sources| {
            let chosen = sources.pop()?;
            Some(State::Compress(sources.pop()?, chosen))
        })
    }),
    native("itertools", "takewhile", |tracer, args, _| {
        of_sources(tracer, args, 1, |function, mut sources| {
            Some(State::TakeWhile(function?, sources.pop()?))
        })
    }),
    native("itertools", "dropwhile", |tracer, args, _| {
        of_sources(tracer, args, 1, |function, mut sources| {
            Some(State::DropWhile(function?, sources.pop()?, true))
        })
    }),
    native("itertools", "starmap", |tracer, args, _| {
        of_sources(tracer, args, 1, |function, mut sources| {
            Some(State::Starmap(function?, sources.pop()?))
        })
    }),
    native("itertools", "combinations", |tracer, args, _| {
        combinations(tracer, args)
    }),
    native("itertools", "permutations", |tracer, args, _| {
        permutations(tracer, args)
    }),
    native("itertools", "zip_longest", |tracer, args, _| {
        zip_longest(tracer, args)
    }),
];

const fn native(module: &'static str, name: &'static str, call: Call) -> Native {
    Native { module, name, call }
}

fn too_many() -> Abort {
    Abort::Limit(format!("a Python sequence has {MAX_ITEMS} items or more"))
}

fn product<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    let repeat = match args.keyword("repeat") {
        Some(repeat) => repeat
            .as_int()
            .and_then(|repeat| usize::try_from(repeat).ok()),
        None => Some(1),
    };
    let (Some(columns), Some(repeat)) = (tracer.columns(args, 0)?, repeat) else {
        return tracer.lost_call(args);
    };
    // CPython also reads all arguments before the first row.
    let mut rows: Vec<Vec<Value<'a>>> = vec![Vec::new()];
    for _ in 0..repeat {
        for column in &columns {
            let count = rows.len().saturating_mul(column.len());
            if count > MAX_ITEMS {
                return Err(too_many());
            }
            // Charged before the rows are made, so that the bound on steps also bounds memory.
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
    Ok(iterator(rows.into_iter().map(Value::tuple).collect()))
}

fn iterator<'a>(items: Vec<Value<'a>>) -> Value<'a> {
    Value::Iterator(Iterator::new(State::Items(items.into())))
}

/// Makes an iterator from the argument before the iterables and the iterables themselves.
fn of_sources<'a>(
    tracer: &mut Tracer<'a>,
    args: &Arguments<'a>,
    from: usize,
    make: impl FnOnce(Option<Value<'a>>, Vec<Source<'a>>) -> Option<State<'a>>,
) -> Eval<Value<'a>> {
    let sources = tracer.sources(args, from)?;
    let function = args.at(0).cloned();
    let state = sources.and_then(|sources| make(function, sources));
    tracer.made_iterator(args, state)
}

fn chain<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    let further = Iterator::new(State::Items(args.plain().into()));
    let is_known = args.spread.is_empty() && args.keywords.is_empty();
    tracer.made_iterator(args, is_known.then_some(State::Chain(further, None)))
}

fn flattened<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    of_sources(tracer, args, 0, |_, mut sources| {
        Some(State::Chain(sources.pop()?, None))
    })
}

fn accumulate<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, _: Site) -> Eval<Value<'a>> {
    let source = match args.at(0) {
        Some(items) => tracer.iterator_of(&items.clone())?,
        None => None,
    };
    let none = |value: &Value<'a>| !matches!(value, Value::None);
    let function = args.at(1).or(args.keyword("func")).cloned().filter(none);
    let total = args.keyword("initial").cloned().filter(none);
    let is_initial = total.is_some();
    let state = source.map(|source| State::Accumulate(source, function, total, is_initial));
    tracer.made_iterator(args, state)
}

fn islice<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    // `Ok(None)` for a bound that is left out, `Err` for an unknown or negative one.
    let bound = |at: usize| match args.at(at) {
        None | Some(Value::None) => Ok(None),
        Some(value) => match value.as_int().and_then(|it| usize::try_from(it).ok()) {
            Some(number) => Ok(Some(number)),
            None => Err(()),
        },
    };
    let bounds = match args.positional.len() {
        2 => (Ok(None), bound(1), Ok(None)),
        3 | 4 => (bound(1), bound(2), bound(3)),
        _ => (Err(()), Err(()), Err(())),
    };
    let source = match args.at(0) {
        Some(items) => tracer.iterator_of(&items.clone())?,
        None => None,
    };
    let state =
        match (source, bounds) {
            // A step of 0 raises.
            (Some(source), (Ok(start), Ok(stop), Ok(step))) if step != Some(0) => Some(
                State::Slice(source, 0, start.unwrap_or(0), stop, step.unwrap_or(1)),
            ),
            _ => None,
        };
    tracer.made_iterator(args, state)
}

fn repeat<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    let state = match (args.at(0), args.at(1).or(args.keyword("times"))) {
        (Some(item), None) => Some(State::Repeat(item.clone())),
        (Some(item), Some(times)) => match times.as_int() {
            // A long finite repetition would take memory; an infinite one is produced on request.
            Some(times) if times <= MAX_ITEMS as i128 => {
                let times = usize::try_from(times).unwrap_or(0);
                tracer.charge(times)?;
                Some(State::Items(vec![item.clone(); times].into()))
            }
            _ => None,
        },
        _ => None,
    };
    tracer.made_iterator(args, state)
}

fn count<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    let start = args.at(0).or(args.keyword("start")).cloned();
    let step = args.at(1).or(args.keyword("step")).cloned();
    let numbers = (
        start.unwrap_or(Value::Int(0)),
        step.unwrap_or(Value::Int(1)),
    );
    let state = match numbers {
        // Float counts accumulate rounding errors in a way that depends on the version of CPython.
        (start @ Value::Int(_), step @ Value::Int(_)) => Some(State::Count(start, step)),
        _ => None,
    };
    tracer.made_iterator(args, state)
}

fn combinations<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    let size = args.at(1).and_then(|size| size.as_int());
    // Only pairs are modelled.
    let (Some(items), Some(2)) = (tracer.items_at(args, 0)?, size) else {
        return tracer.lost_call(args);
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
    Ok(iterator(pairs))
}

fn permutations<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    let items = tracer.items_at(args, 0)?;
    let size = match args.at(1) {
        None | Some(Value::None) => items.as_ref().map(Vec::len),
        Some(size) => size.as_int().and_then(|size| usize::try_from(size).ok()),
    };
    let (Some(items), Some(size)) = (items, size) else {
        return tracer.lost_call(args);
    };
    // More items than there are have no arrangement.
    if size > items.len() {
        return Ok(iterator(Vec::new()));
    }
    let mut rows: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..size {
        let extended = rows.iter().flat_map(|row| {
            let free = (0..items.len()).filter(|at| !row.contains(at));
            free.map(|at| row.iter().copied().chain([at]).collect())
        });
        // Stops one row after the bound, so that the excess is noticed without making all rows.
        rows = extended.take(MAX_ITEMS + 1).collect();
        tracer.charge(rows.len().saturating_mul(4))?;
        if rows.len() > MAX_ITEMS {
            return Err(too_many());
        }
    }
    let row = |row: Vec<usize>| Value::tuple(row.into_iter().map(|at| items[at].clone()).collect());
    Ok(iterator(rows.into_iter().map(row).collect()))
}

fn zip_longest<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    let Some(columns) = tracer.columns(args, 0)? else {
        return tracer.lost_call(args);
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
    Ok(iterator((0..count).map(row).collect()))
}
