//! Selects the kernel of a file that runs.

use super::error::RunError;
use super::snippet::instructions_on;
use super::spec::Lines;
use crate::target::Target;
use a2lint_ir::{Launch, Program, StmtKind};
use a2lint_project::SourceMap;

/// Returns the selected kernel; of several, the one that the file launches first.
pub fn kernel(target: &Target) -> Result<&Program, RunError> {
    let programs = target.programs()?;
    let launches = &target.module.launches;
    let launched = |launch: &Launch| {
        programs
            .iter()
            .find(|program| program.name == launch.kernel)
    };
    let first = launches.iter().find_map(launched);
    match (first, &programs[..]) {
        (Some(program), _) => Ok(program),
        (None, [program]) => Ok(program),
        _ => Err(RunError::SeveralKernels {
            path: target.report.path.clone(),
            names: names(&programs),
        }),
    }
}

/// Returns the kernel that executes statements on these lines.
pub fn kernel_at<'t>(target: &'t Target, lines: &Lines) -> Result<&'t Program, RunError> {
    let programs = target.programs()?;
    let has = |program: &&&Program| !instructions_on(&target.map, program, lines).is_empty();
    let found = programs.iter().find(has).copied();
    found.ok_or_else(|| {
        let path = target.report.path.clone();
        let reason = no_statements(&target.map, &programs, lines);
        RunError::NoStatements { path, reason }
    })
}

/// Formats where the lines are: `line 3 is outside every kernel; `softmax` spans lines 5–20`.
fn no_statements(map: &SourceMap, programs: &[&Program], lines: &Lines) -> String {
    let file = lines.file.as_deref();
    // A kernel in C++ also consists of the functions that its entry calls.
    let of = |program: &Program| {
        let mut executed = Vec::new();
        program.walk(&mut |stmt| {
            if matches!(stmt.kind, StmtKind::Instr(_)) {
                executed.extend(map.lines_in(file, stmt.span).map(|[first, _]| first));
            }
        });
        let entry = map.lines_in(file, program.span);
        let all = || executed.iter().copied().chain(entry.into_iter().flatten());
        let extent = all().min().zip(all().max());
        (extent, executed)
    };
    let known: Vec<_> = programs
        .iter()
        .map(|program| (&program.name, of(program)))
        .collect();
    let inside = known
        .iter()
        .find(|(_, (extent, _))| extent.is_some_and(|(first, last)| lines.meet(first, last)));
    let Some((name, (_, executed))) = inside else {
        let spans = known.iter().filter_map(|(name, (extent, _))| {
            let (first, last) = (*extent)?;
            Some(format!("`{name}` spans lines {first}–{last}"))
        });
        let spans: Vec<String> = spans.collect();
        let spans = if spans.is_empty() {
            String::new()
        } else {
            format!("; {}", spans.join(", "))
        };
        return format!("{} outside every kernel{spans}", lines.subject());
    };
    let distance = |line: usize| match line < lines.first {
        true => lines.first - line,
        false => line.saturating_sub(lines.last),
    };
    let executed = executed.iter().copied();
    let nearest = executed.min_by_key(|&line| (distance(line), line));
    let nearest = nearest.map_or("the kernel has none".to_owned(), |line| {
        format!("the nearest is on line {line}")
    });
    format!(
        "`{name}` executes no instruction on {}; {nearest}",
        lines.text()
    )
}

fn names(programs: &[&Program]) -> String {
    let names: Vec<&str> = programs
        .iter()
        .map(|program| program.name.as_str())
        .collect();
    names.join(", ")
}
