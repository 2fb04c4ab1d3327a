use rustc_hash::FxHashMap;

use crate::declare_rule;
use crate::{Facts, Sink};
use a2lint_ir::{Program, StmtKind, VariableId};
use a2lint_source::text::Span;

declare_rule! {
    /// ## What it does
    /// Warns about `Var(v)` that is meant as a copy of `v`: `v` is updated later, and the copy read
    /// after that.
    ///
    /// ## Why is this bad?
    /// Versions of the DSL differ: in the older one `Var(v)` is another name of the same variable, and
    /// the copy changes with it. An expression gives a variable of its own in every version.
    ///
    /// ## Example
    /// ```python
    /// before = Var(count)
    /// count += 1
    /// ub <<= ring[before]
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// before = Var(count + 0)
    /// count += 1
    /// ub <<= ring[before]
    /// ```
    ///
    /// ## Source
    /// Observed in the public version of the DSL of 2026-02.
    "TRC005" "var-alias" Warning, basis = Shape, evidence = Read
}

fn check(facts: &Facts, sink: &mut Sink) {
    if !facts.program.toolchain.lowering.aliases_copies {
        return;
    }
    let copies: Vec<_> = copies(facts.program).collect();
    if copies.is_empty() {
        return;
    }
    let assignments = assignments(facts.program);
    for (copy, of) in copies {
        let variable = facts.program.variable(copy);
        let name = facts.program.variable(of).name.as_str();
        let update = update_behind(&assignments, copy, of).filter(|_| !name.is_empty());
        let Some(update) = update else {
            continue;
        };
        let message = format!(
            "`Var({name})` need not be a copy: `{name}` is updated before `{}` is read again",
            variable.name
        );
        sink.report(variable.span, message)
            .label(update, format!("`{name}` is updated here"))
            .help(format!("compute a value of its own: `Var({name} + 0)`"));
    }
}

/// Iterates over the variables that copy another one and are never updated, in pairs with the copied variable.
fn copies(program: &Program) -> impl Iterator<Item = (VariableId, VariableId)> {
    let variables = program.variables.iter().enumerate();
    variables.filter_map(|(index, variable)| {
        let of = variable.copy_of.filter(|_| variable.assignments == 1)?;
        Some((VariableId(index as u32), of))
    })
}

/// Positions in the program at which each variable is assigned, with their spans.
type Assignments = FxHashMap<VariableId, Vec<(usize, Span)>>;

fn assignments(program: &Program) -> Assignments {
    let mut assignments = Assignments::default();
    let mut position = 0;
    program.walk(&mut |stmt| {
        position += 1;
        if let StmtKind::Assign { variable, .. } = stmt.kind {
            let places = assignments.entry(variable).or_default();
            places.push((position, stmt.span));
        }
    });
    assignments
}

/// Returns an update of `of` after the point where `copy` was made from it. Forward substitution keeps the copy
/// in the program only if something reads it after a change.
fn update_behind(assignments: &Assignments, copy: VariableId, of: VariableId) -> Option<Span> {
    let (made, _) = *assignments.get(&copy)?.first()?;
    let updates = assignments.get(&of)?;
    let behind = updates.partition_point(|&(position, _)| position < made);
    updates.get(behind).map(|&(_, span)| span)
}
