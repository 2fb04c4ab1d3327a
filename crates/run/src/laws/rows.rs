//! The law that all rows of a result are computed in the same way.
//!
//! The dependence of result rows on input rows is measured: groups of rows get other values, and results that
//! change depend on them. If nearly every row of a result depends on its own row alone, the exceptions are
//! faults; and equal input rows have to give equal result rows. Rows are all axes but the last one.

use super::dependence::{self, Dependence, GROUPS, Shape, other, shape};
use super::subject::{Cut, MAX_WORK_OF_MANY_RUNS, Subject, Watch};
use super::tensors::{Input, has_integers, inputs, rows_of};
use super::{Attempt, Breach, Note, Request};
use a2lint_ir::GlobalId;
use a2lint_machine::memory::Memory;
use a2lint_machine::{BoundLaunch, End, Options, Outcome};

/// At most one row in this many may deviate for the others to be the rule.
const RULE: usize = 4;

/// Tries the law.
pub fn of(subject: &Subject, request: &Request, watch: &mut Watch) -> Result<Attempt, Cut> {
    let inputs: Vec<Input> = inputs(subject.job);
    let inputs: Vec<Input> = inputs.into_iter().filter(|input| input.rows > 1).collect();
    if inputs.is_empty() {
        let has_axes = subject.job.program.dialect.has_rows();
        return Ok(Attempt::not_run(match has_axes {
            true => "no float input has rows",
            false => "tensors have one axis in this language, so what a row is cannot be known",
        }));
    }
    if subject.outcome.work > MAX_WORK_OF_MANY_RUNS {
        return Ok(Attempt::not_run("it takes too much work to be run often"));
    }
    let mut attempt = Attempt::held("what rows depend on was measured");
    let mut per_row = Vec::new();
    for input in &inputs {
        let maps = maps(subject, input, watch)?;
        for &output in &subject.outputs {
            let groups = groups_of(&maps, output, subject);
            let mut shape = shape(&groups);
            if rows(subject, output) == input.rows && is_sparse(&groups) {
                match exact(subject, input, output, watch)? {
                    Exact::PerRow => {
                        shape = Shape::PerRow;
                        per_row.push((input.id, output));
                    }
                    Exact::Permuted(text) => attempt.notes.push(Note::plain(text)),
                    Exact::Exception(breach) => return Ok(Attempt::violated(breach)),
                    Exact::Otherwise => {}
                }
            }
            attempt.dependence.push(Dependence {
                input: subject.name(input.id).to_owned(),
                output: subject.name(output).to_owned(),
                axes: None,
                shape,
                map: groups,
            });
        }
        if request.dependence {
            let maps = dependence::by_axis(subject, input, watch)?;
            attempt.dependence.extend(maps);
        }
    }
    alike(subject, &inputs, &per_row, attempt, watch)
}

/// Returns the number of rows of a tensor.
fn rows(subject: &Subject, id: GlobalId) -> usize {
    rows_of(&subject.job.bound.launch.globals[id.index()].shape).0
}

/// Returns the launch with other values in some rows of an input.
fn changed(
    subject: &Subject,
    input: &Input,
    rows: impl Fn(usize) -> bool,
) -> (BoundLaunch, Options) {
    let mut launch = subject.job.bound.launch.clone();
    let columns = input.columns.max(1);
    input.change(&mut launch, |index, value| match rows(index / columns) {
        true => other(value),
        false => value,
    });
    (launch, subject.job.options())
}

/// Returns the rows of a result that differ in a run.
fn touched(subject: &Subject, id: GlobalId, outcome: &Outcome) -> Vec<bool> {
    let global = &subject.job.bound.launch.globals[id.index()];
    let (rows, columns) = rows_of(&global.shape);
    let pitch = global.dtype.bytes_of(columns as i64) as usize;
    let [one, other]: [&Memory; 2] =
        [&subject.outcome, outcome].map(|outcome| &outcome.globals[id.index()]);
    let differs = |row: usize| {
        let range = row * pitch..(row + 1) * pitch;
        one.bytes(range.clone()) != other.bytes(range)
    };
    (0..rows).map(differs).collect()
}

/// For each group of rows of an input, the rows of each result that depend on it.
type Maps = Vec<Vec<Vec<bool>>>;

fn maps(subject: &Subject, input: &Input, watch: &mut Watch) -> Result<Maps, Cut> {
    let groups = GROUPS.min(input.rows);
    let variant = |group: usize| changed(subject, input, |row| row * groups / input.rows == group);
    let variants: Vec<_> = (0..groups).map(variant).collect();
    let outcomes = subject.runs(&variants, watch)?;
    let of_group = |outcome: &Outcome| {
        let outputs = subject.outputs.iter();
        outputs.map(|&id| touched(subject, id, outcome)).collect()
    };
    Ok(outcomes.iter().map(of_group).collect())
}

fn groups_of(maps: &Maps, output: GlobalId, subject: &Subject) -> Vec<Vec<bool>> {
    let outputs = &subject.outputs;
    let at = outputs.iter().position(|&id| id == output).unwrap_or(0);
    let of_input = |rows: &Vec<Vec<bool>>| {
        let rows = &rows[at];
        let groups = GROUPS.min(rows.len());
        let mut touched = vec![false; groups];
        for (row, &is_touched) in rows.iter().enumerate() {
            touched[row * groups / rows.len()] |= is_touched;
        }
        touched
    };
    maps.iter().map(of_input).collect()
}

/// Returns whether groups of results depend on few groups of an input, so that single rows may depend on single rows.
fn is_sparse(map: &[Vec<bool>]) -> bool {
    let all: usize = map.iter().flatten().filter(|&&is| is).count();
    all > 0 && 2 * all <= 5 * map.len()
}

/// The input rows that a row of a result depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    None,
    One(usize),
    Several,
}

enum Exact {
    PerRow,
    Exception(Breach),
    /// Each row depends on one row, but not on its own.
    Permuted(String),
    Otherwise,
}

/// Finds the only input row that each row of a result depends on. For each bit of the row index, one run changes
/// the rows with this bit set and another one the rest.
fn exact(
    subject: &Subject,
    input: &Input,
    output: GlobalId,
    watch: &mut Watch,
) -> Result<Exact, Cut> {
    let mut sources = vec![Some(0_usize); input.rows];
    let mut is_touched = vec![false; input.rows];
    let bits = usize::BITS - (input.rows - 1).leading_zeros();
    let sides = (0..bits).flat_map(|bit| [(bit, 0), (bit, 1)]);
    let variant = |(bit, wanted)| changed(subject, input, |row| row >> bit & 1 == wanted);
    let variants: Vec<_> = sides.map(variant).collect();
    let outcomes = subject.runs(&variants, watch)?;
    if outcomes.iter().any(|outcome| outcome.end != End::Finished) {
        return Ok(Exact::Otherwise);
    }
    for (bit, sides) in outcomes.as_chunks::<2>().0.iter().enumerate() {
        let seen = sides
            .each_ref()
            .map(|outcome| touched(subject, output, outcome));
        for (row, source) in sources.iter_mut().enumerate() {
            is_touched[row] |= seen[0][row] || seen[1][row];
            match (seen[0][row], seen[1][row]) {
                (true, true) => *source = None,
                (false, true) => *source = source.map(|number| number | 1 << bit),
                _ => {}
            }
        }
    }
    let sources = sources.into_iter().zip(is_touched);
    let sources: Vec<Source> = sources
        .map(|(source, is_touched)| match source {
            _ if !is_touched => Source::None,
            Some(number) => Source::One(number),
            None => Source::Several,
        })
        .collect();
    Ok(judged(subject, input, output, &sources))
}

fn judged(subject: &Subject, input: &Input, output: GlobalId, sources: &[Source]) -> Exact {
    // A row may depend on nothing: the softmax of one number is always 1.
    let is_own =
        |it: &(usize, &Source)| matches!(*it.1, Source::None) || *it.1 == Source::One(it.0);
    let mut others = sources.iter().enumerate().filter(|it| !is_own(it));
    let count = others.clone().count();
    let Some((row, source)) = others.next() else {
        return Exact::PerRow;
    };
    let (input, output) = (subject.name(input.id), subject.name(output));
    if count * RULE > sources.len() {
        let is_one = |source: &Source| matches!(source, Source::One(_));
        return match *source {
            Source::One(other) if sources.iter().all(is_one) => Exact::Permuted(format!(
                "{count} of {} rows of `{output}` come from another row of `{input}`: row {row} \
                 from row {other}",
                sources.len()
            )),
            _ => Exact::Otherwise,
        };
    }
    let source = match source {
        Source::None => "on nothing".to_owned(),
        Source::One(other) => format!("on row {other} of `{input}`"),
        Source::Several => format!("on several rows of `{input}`"),
    };
    let what = format!(
        "row {row} of `{output}` depends {source}; {} of {} rows depend on their own row alone",
        sources.len() - count,
        sources.len()
    );
    Exact::Exception(subject.breach(what))
}

/// Gives all rows equal values in the inputs that results depend on row by row, and compares the result rows.
fn alike(
    subject: &Subject,
    inputs: &[Input],
    per_row: &[(GlobalId, GlobalId)],
    mut attempt: Attempt,
    watch: &mut Watch,
) -> Result<Attempt, Cut> {
    let Some(&(_, output)) = per_row.first() else {
        return Ok(attempt);
    };
    let count = rows(subject, output);
    let matching = || inputs.iter().filter(|input| input.rows == count);
    // Inputs with other numbers of rows have to affect all rows equally.
    let is_even = |input: &Input| {
        let name = subject.name(input.id);
        let known = attempt.dependence.iter();
        let mut shapes = known
            .filter(|it| it.input == name && it.axes.is_none())
            .map(|it| it.shape);
        match input.rows == count {
            true => per_row.contains(&(input.id, output)),
            false => shapes.all(|it| matches!(it, Shape::Nothing | Shape::All)),
        }
    };
    // Integers may be offsets or masks that distinguish rows.
    if has_integers(subject.job) || !inputs.iter().all(is_even) {
        return Ok(attempt);
    }
    let mut launch = subject.job.bound.launch.clone();
    for input in matching() {
        let columns = input.columns.max(1);
        input.change(&mut launch, |index, _| input.values[index % columns]);
    }
    let outcome = subject.run(&launch, &subject.job.options(), watch)?;
    let global = &launch.globals[output.index()];
    let memory = &outcome.globals[output.index()];
    let pitch = memory.capacity() / count.max(1);
    let row = |row: usize| memory.bytes(row * pitch..(row + 1) * pitch);
    let common = (0..count)
        .map(|one| (0..count).filter(|&other| row(one) == row(other)).count())
        .enumerate()
        .max_by_key(|&(at, many)| (many, count - at));
    let Some((rule, many)) = common.filter(|_| outcome.end == End::Finished) else {
        return Ok(attempt);
    };
    let Some(exception) = (0..count).find(|&at| row(at) != row(rule)) else {
        attempt.verdict = super::Verdict::Held("equal rows come out equal".to_owned());
        return Ok(attempt);
    };
    if (count - many) * RULE > count {
        attempt.notes.push(Note::plain(format!(
            "rows of `{}` depend on where they are",
            global.name
        )));
        return Ok(attempt);
    }
    let what = format!(
        "row {exception} of `{}` comes out otherwise than row {rule} of equal inputs; {many} of \
         {count} rows come out alike",
        global.name
    );
    let element = |at: usize| {
        let size = global.dtype.bytes_of(1).max(1) as usize;
        let value = |row: usize| {
            let place = row * pitch + at * size;
            a2lint_machine::number(memory, global.dtype, place, 0)
        };
        (value(exception), value(rule))
    };
    let columns = pitch / global.dtype.bytes_of(1).max(1) as usize;
    let first = (0..columns)
        .find(|&at| element(at).0 != element(at).1)
        .unwrap_or(0);
    let (wrong, right) = element(first);
    let values = vec![
        (format!("in row {exception}"), Some(wrong)),
        (format!("in row {rule}"), Some(right)),
    ];
    let at = (output, exception * columns + first);
    Ok(Attempt::violated(
        subject.breach_at(what, at, values, &launch, watch),
    ))
}
