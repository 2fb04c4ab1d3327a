//! The law that results do not depend on the order in which lanes and pipes proceed.
//!
//! If synchronisation orders every two conflicting accesses, all legal orders give the same results. `hazards`
//! finds accesses without an order, whatever order the machine took. Random orders of lanes and pipes test this,
//! and show how a race affects results.

use super::difference::{self, Difference};
use super::subject::{Cut, Subject, Watch};
use super::{Attempt, Breach, Element, Note, Place, Request};
use crate::coordinates;
use a2lint_isa::Pipe;
use a2lint_machine::hazards::{End as Access, Hazard, HazardKind};
use a2lint_machine::{End, MemoryId, Options, Outcome, Stepping};

/// Tries the law.
pub fn of(subject: &Subject, request: &Request, watch: &mut Watch) -> Result<Attempt, Cut> {
    let launch = &subject.job.bound.launch;
    let outcomes = drawn(subject, request, watch)?;
    // A race violates the law even if all drawn orders agree: one that was not drawn may not.
    if let Some(hazard) = subject.base.hazards.iter().find(|hazard| counts(hazard)) {
        let outcomes = outcomes.iter().enumerate();
        let mut shown = outcomes.filter_map(|it| difference(subject, it));
        let element = shown.find(|(_, found)| !found.is_rounding);
        return Ok(Attempt::violated(Breach {
            element: element.map(|(number, found)| element_of(subject, &found, number)),
            ..race(subject, hazard)
        }));
    }
    let mut rounding = None;
    for (number, outcome) in outcomes.iter().enumerate() {
        if let End::Deadlock(deadlock) = &outcome.end {
            let lines = deadlock.lines(subject.job.program);
            let waits = lines.first().map_or("", String::as_str);
            let what = format!("it hangs in another order of its lanes: {waits}");
            return Ok(Attempt::violated(subject.breach(what)));
        }
        if outcome.end != End::Finished {
            return Ok(Attempt::not_run(
                "another order of its lanes takes too much",
            ));
        }
        let Some((_, found)) = difference(subject, (number, outcome)) else {
            continue;
        };
        if found.is_rounding {
            rounding.get_or_insert(found);
            continue;
        }
        let name = subject.name(found.global);
        let what = format!(
            "{} of {} elements of `{name}` depend on the order of lanes and pipes",
            found.count, found.all
        );
        let at = (found.global, found.element);
        let values = values(&found, number);
        return Ok(Attempt::violated(
            subject.breach_at(what, at, values, launch, watch),
        ));
    }
    Ok(held(subject, request, rounding))
}

/// Runs the launch in random orders.
fn drawn(subject: &Subject, request: &Request, watch: &mut Watch) -> Result<Vec<Outcome>, Cut> {
    let variant = |number: u32| {
        let seed = request
            .seed
            .wrapping_mul(1 << 20)
            .wrapping_add(number.into());
        let options = Options {
            stepping: Stepping::Drawn(seed),
            ..subject.job.options()
        };
        (subject.job.bound.launch.clone(), options)
    };
    let variants: Vec<_> = (0..request.schedules).map(variant).collect();
    subject.runs(&variants, watch)
}

/// Returns how the results of a run in another order differ.
fn difference(
    subject: &Subject,
    (number, outcome): (usize, &Outcome),
) -> Option<(usize, Difference)> {
    let Subject { job, .. } = subject;
    let found = difference::first(
        &subject.params(),
        &job.bound.launch,
        &subject.outcome,
        outcome,
    )?;
    Some((number, found)).filter(|_| outcome.end == End::Finished)
}

/// Returns an element in the normal order and in another one.
fn values(found: &Difference, number: usize) -> Vec<(String, Option<f64>)> {
    vec![
        ("in turn".to_owned(), found.values[0]),
        (format!("in order {number}"), found.values[1]),
    ]
}

fn element_of(subject: &Subject, found: &Difference, number: usize) -> Element {
    let global = &subject.job.bound.launch.globals[found.global.index()];
    Element {
        tensor: global.name.clone(),
        dtype: global.dtype,
        at: coordinates(found.element, &global.shape),
        values: values(found, number),
    }
}

fn held(subject: &Subject, request: &Request, rounding: Option<Difference>) -> Attempt {
    let drawn = match request.schedules {
        0 => String::new(),
        count => format!("; {count} drawn orders of lanes and pipes agree"),
    };
    let base = &subject.base;
    let mut attempt = Attempt::held(match (&base.forgotten, base.hazards.is_empty()) {
        (Some(what), _) => format!("no race among the accesses that are kept ({what}){drawn}"),
        (None, true) => format!("all conflicting accesses are ordered{drawn}"),
        (None, false) => format!("no race but of scalar writes{drawn}"),
    });
    attempt.notes.extend(rounding.map(|found| {
        let name = subject.name(found.global);
        Note::plain(format!(
            "{} of {} elements of `{name}` are rounded otherwise in another order: atomic sums",
            found.count, found.all
        ))
    }));
    attempt
}

/// Returns whether a hazard is reported. The scalar unit often writes data long before its use.
fn counts(hazard: &Hazard) -> bool {
    hazard.second.pipe != Pipe::S || hazard.kind == HazardKind::ReadAfterWrite
}

fn race(subject: &Subject, hazard: &Hazard) -> Breach {
    let what = match hazard.kind {
        HazardKind::ReadAfterWrite => "a read may come before the write that it needs",
        HazardKind::WriteAfterRead => "a write may come before the read of what was there",
        HazardKind::WriteAfterWrite => "two writes may come in either order",
        HazardKind::RingOverrun => "a slot of a ring is filled again before it is read",
    };
    let memory = match hazard.memory {
        MemoryId::Global(id) => format!("`{}`", subject.name(id)),
        MemoryId::Local(position) => position.name().to_owned(),
    };
    let (start, end) = hazard.bytes;
    let mut breach = subject.breach(format!("{what} (bytes {start} to {end} of {memory})"));
    breach.places = vec![
        ("first", place(&hazard.first)),
        ("second", place(&hazard.second)),
    ];
    breach
}

fn place(access: &Access) -> Place {
    Place {
        stmt: access.stmt,
        lane: access.lane,
        iterations: access.iterations.clone(),
    }
}
