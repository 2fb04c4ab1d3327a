//! The law that results do not depend on the number of cores.

use super::base::Writes;
use super::difference::{self, Difference};
use super::subject::{Cut, Subject, Watch, obstacle};
use super::{Attempt, Note};
use a2lint_ir::{BLOCK_DIM, GlobalId, Program, Scalar, SpecialScalar};
use a2lint_machine::{BoundLaunch, End, Outcome, adds_atomically};
use a2lint_source::spelling;

/// Numbers of cores that are tried beside that of the launch.
const OTHERS: [u32; 4] = [1, 2, 3, 7];

/// Tries the law.
pub fn of(subject: &Subject, watch: &mut Watch) -> Result<Attempt, Cut> {
    let (program, launch) = (subject.job.program, &subject.job.bound.launch);
    if !asks_for_cores(program) {
        return Ok(Attempt::not_run(
            "the kernel does not ask how many cores there are",
        ));
    }
    if is_told_cores(program) {
        return Ok(Attempt::not_run(
            "the number of cores depends on arguments of the launch",
        ));
    }
    let all = launch.block_dim(program);
    let others: Vec<u32> = OTHERS.into_iter().filter(|&count| count < all).collect();
    if others.is_empty() {
        return Ok(Attempt::not_run("the launch runs on one core"));
    }
    let mut rounding = Vec::new();
    for &count in &others {
        let other = match launch.on_cores(program, count, subject.job.limits.memory) {
            Ok(other) => other,
            Err(cause) => return Ok(Attempt::not_run(format!("on {count} cores {cause}"))),
        };
        let mut writes = Writes::new(subject.job);
        let outcome = subject.run_watched(&other, &subject.job.options(), &mut writes, watch)?;
        if outcome.end == End::Finished
            && program.toolchain.launches.host_chooses_cores
            && let Some(name) = stored_in_part(subject, &writes)
        {
            let on = spelling::count(count as usize, "core");
            return Ok(Attempt::not_run(format!(
                "on {on} `{name}` is stored in part: the launch is made for {all} cores"
            )));
        }
        if let Some(attempt) = broken(subject, &other, &outcome, (count, all), watch) {
            return Ok(attempt);
        }
        let found = difference::first(&compared(subject), launch, &subject.outcome, &outcome);
        rounding.extend(found.map(|found| (count, found)));
    }
    let counts: Vec<String> = others.iter().map(u32::to_string).collect();
    let counts = format!("{} and {all} cores", counts.join(", "));
    let mut attempt = Attempt::held(match rounding.is_empty() {
        true => format!("{counts} give the same bits"),
        false => format!("{counts} agree but for rounding"),
    });
    attempt
        .notes
        .extend(rounding.first().map(|found| note(subject, found)));
    Ok(attempt)
}

/// Returns how a run on `count` cores contradicts that on `all`.
fn broken(
    subject: &Subject,
    other: &BoundLaunch,
    outcome: &Outcome,
    (count, all): (u32, u32),
    watch: &mut Watch,
) -> Option<Attempt> {
    let program = subject.job.program;
    let on = format!("on {}", spelling::count(count as usize, "core"));
    match &outcome.end {
        End::Finished => {}
        End::Deadlock(deadlock) => {
            let lines = deadlock.lines(program);
            let waits = lines.first().map_or("", String::as_str);
            let breach = subject.breach(format!("{on} it hangs: {waits}"));
            return Some(Attempt::violated(breach));
        }
        End::Refused(refusal) => {
            let reason = format!("{on}: {}", refusal.reason);
            return Some(Attempt::not_run(reason));
        }
        _ => return Some(Attempt::not_run(format!("{on} it takes too much"))),
    }
    if let Some(reason) = obstacle(outcome) {
        // Such a run is a fault of the kernel where nothing but the device decides how many cores there are.
        let is_fault = !program.toolchain.launches.host_chooses_cores && outcome.doubt().is_none();
        return Some(match is_fault {
            true => Attempt::violated(subject.breach(format!("{on}: {reason}"))),
            false => Attempt::not_run(format!("{on}: {reason}")),
        });
    }
    let found = difference::first(
        &compared(subject),
        &subject.job.bound.launch,
        &subject.outcome,
        outcome,
    )?;
    if found.is_rounding {
        return None;
    }
    let name = subject.name(found.global);
    let what = format!(
        "{} of {} elements of `{name}` differ between {count} and {all} cores",
        found.count, found.all
    );
    let values = vec![
        (on, found.values[1]),
        (format!("on {all} cores"), found.values[0]),
    ];
    let at = (found.global, found.element);
    Some(Attempt::violated(
        subject.breach_at(what, at, values, other, watch),
    ))
}

/// Returns the tensors that do not depend on the number of cores: all that the caller passes, but for bridges between
/// cores where the kernel does not declare its results.
fn compared(subject: &Subject) -> Vec<GlobalId> {
    match subject.job.program.toolchain.launches.host_chooses_cores {
        true => subject.outputs.clone(),
        false => subject.params(),
    }
}

/// Returns a result of which another run leaves out what the run of the launch stores. A host that chooses the number
/// of cores chooses sizes for them, and no kernel says which of its arguments are such sizes.
fn stored_in_part<'s>(subject: &'s Subject, writes: &Writes) -> Option<&'s str> {
    let stored = |written: &[Vec<bool>], id: GlobalId| {
        let parts = written[id.index()].iter();
        parts.filter(|&&is| is).count()
    };
    let all = &subject.base.written;
    let mut outputs = subject.outputs.iter();
    let id = outputs.find(|&&id| stored(&writes.written, id) < stored(all, id))?;
    Some(subject.name(*id))
}

fn note(subject: &Subject, (count, found): &(u32, Difference)) -> Note {
    let name = subject.name(found.global);
    let reason = match adds_atomically(subject.job.program) {
        true => "atomic sums come in another order",
        false => "sums are split between cores in another way",
    };
    Note::plain(format!(
        "{} of {} elements of `{name}` are rounded otherwise on {count} cores: {reason}",
        found.count, found.all
    ))
}

/// Returns whether a kernel asks for the number of cores. If so, it is meant to run on any number.
fn asks_for_cores(program: &Program) -> bool {
    let counts = [SpecialScalar::CubeNum, SpecialScalar::VecNum].map(Scalar::Special);
    program
        .scalars
        .nodes()
        .any(|scalar| counts.contains(&scalar))
}

/// Returns whether the launch also passes the number of cores as an argument.
fn is_told_cores(program: &Program) -> bool {
    let mut params = program.params.iter();
    program.block_dim_scalar.is_some() || params.any(|param| param.name == BLOCK_DIM)
}
