//! Results do not depend on the order in which lanes and pipes go on.
//!
//! Where every two accesses that conflict are ordered by synchronisation, all legal orders give the same
//! results; `hazards` finds those that are not, whatever order the machine happened to take. Drawn orders of
//! the lanes put that to the test.

use super::difference;
use super::subject::{Cut, Subject, Watch};
use super::{Attempt, Note, Place, Request};
use crate::hazards::{End as Access, Hazard, HazardKind};
use crate::isa::Pipe;
use crate::machine::{End, MemoryId, Options, Stepping};

/// Tries the law.
pub fn of(subject: &Subject, request: &Request, watch: &mut Watch) -> Result<Attempt, Cut> {
    if let Some(hazard) = subject.base.hazards.iter().find(|hazard| counts(hazard)) {
        return Ok(race(subject, hazard));
    }
    let launch = &subject.job.bound.launch;
    let variant = |number: u32| {
        let seed = request
            .seed
            .wrapping_mul(1 << 20)
            .wrapping_add(number.into());
        let options = Options {
            stepping: Stepping::Drawn(seed),
            ..subject.job.options()
        };
        (launch.clone(), options)
    };
    let variants: Vec<_> = (0..request.schedules).map(variant).collect();
    let outcomes = subject.runs(&variants, watch)?;
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
        let found = difference::first(subject.job.program, launch, &subject.outcome, outcome);
        let Some(found) = found else { continue };
        if found.is_rounding {
            rounding.get_or_insert(found);
            continue;
        }
        let name = subject.name(found.global);
        let what = format!(
            "{} of {} elements of `{name}` depend on the order of the lanes",
            found.count, found.all
        );
        let values = vec![
            ("in turn".to_owned(), found.values[0]),
            (format!("in order {number}"), found.values[1]),
        ];
        let at = (found.global, found.element);
        return Ok(Attempt::violated(
            subject.breach_at(what, at, values, launch, watch),
        ));
    }
    Ok(held(subject, request, rounding))
}

fn held(subject: &Subject, request: &Request, rounding: Option<difference::Difference>) -> Attempt {
    let drawn = match request.schedules {
        0 => String::new(),
        count => format!("; {count} drawn orders of lanes agree"),
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

/// Whether a hazard is reported: data that the scalar unit writes ahead of its use is common
/// (decision 40).
fn counts(hazard: &Hazard) -> bool {
    hazard.second.pipe != Pipe::S || hazard.kind == HazardKind::ReadAfterWrite
}

fn race(subject: &Subject, hazard: &Hazard) -> Attempt {
    let what = match hazard.kind {
        HazardKind::ReadAfterWrite => "a read may come before the write that it needs",
        HazardKind::WriteAfterRead => "a write may come before the read of what was there",
        HazardKind::WriteAfterWrite => "two writes may come in either order",
        HazardKind::Lapped => "a slot of a ring is filled again before it is read",
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
    Attempt::violated(breach)
}

fn place(access: &Access) -> Place {
    Place {
        stmt: access.stmt,
        lane: access.lane,
        iterations: access.iterations.clone(),
    }
}
