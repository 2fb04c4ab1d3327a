//! Selects the kernel of a file that runs.

use super::error::RunError;
use super::snippet::instructions_on;
use super::spec::Lines;
use crate::target::Target;
use a2lint_ir::{Launch, Program, StmtKind};
use a2lint_source::text::SourceText;

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
pub fn kernel_at(target: &Target, lines: Lines) -> Result<&Program, RunError> {
    let programs = target.programs()?;
    let source = &target.report.source;
    let has = |program: &&&Program| !instructions_on(source, program, lines).is_empty();
    let found = programs.iter().find(has).copied();
    found.ok_or_else(|| {
        let path = target.report.path.clone();
        let reason = no_statements(source, &programs, lines);
        RunError::NoStatements { path, reason }
    })
}

/// Formats where the lines are: `line 3 is outside every kernel; `softmax` spans lines 5–20`.
fn no_statements(source: &SourceText, programs: &[&Program], lines: Lines) -> String {
    let number = |offset: u32| source.line_column(offset).line;
    let extent = |program: &Program| (number(program.span.start), number(program.span.end));
    let inside = programs.iter().find(|program| {
        let (first, last) = extent(program);
        lines.meet(first, last)
    });
    let Some(program) = inside else {
        let spans = programs.iter().map(|program| {
            let (first, last) = extent(program);
            format!("`{}` spans lines {first}–{last}", program.name)
        });
        let spans: Vec<String> = spans.collect();
        return format!(
            "{} outside every kernel; {}",
            lines.subject(),
            spans.join(", ")
        );
    };
    let mut executed: Vec<usize> = Vec::new();
    program.walk(&mut |stmt| {
        if matches!(stmt.kind, StmtKind::Instr(_)) {
            executed.push(number(stmt.span.start));
        }
    });
    let distance = |line: usize| match line < lines.first {
        true => lines.first - line,
        false => line.saturating_sub(lines.last),
    };
    let nearest = executed
        .into_iter()
        .min_by_key(|&line| (distance(line), line));
    let nearest = nearest.map_or("the kernel has none".to_owned(), |line| {
        format!("the nearest is on line {line}")
    });
    let name = &program.name;
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
