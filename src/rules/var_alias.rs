use super::{Facts, Sink};
use crate::declare_rule;
use crate::ir::{Program, Stmt, StmtKind, VariableId};
use crate::text::Span;

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
    "TRC005" "var-alias" Warning
}

fn check(facts: &Facts, sink: &mut Sink) {
    let variables = &facts.program.variables;
    for (index, variable) in variables.iter().enumerate() {
        let copy = VariableId(index as u32);
        let Some(of) = variable.copy_of.filter(|_| variable.assignments == 1) else {
            continue;
        };
        let name = facts.program.variable(of).name.as_str();
        let Some(update) = update_behind(facts.program, copy, of).filter(|_| !name.is_empty()) else {
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

/// An update of `of` behind the place where `copy` was made from it. Forward substitution has left
/// the copy in the program only if something reads it behind a change.
fn update_behind(program: &Program, copy: VariableId, of: VariableId) -> Option<Span> {
    let mut assignments: Vec<(&Stmt, VariableId)> = Vec::new();
    program.walk(&mut |stmt| {
        if let StmtKind::Assign { variable, .. } = stmt.kind
            && (variable == copy || variable == of)
        {
            assignments.push((stmt, variable));
        }
    });
    let made = assignments.iter().position(|&(_, variable)| variable == copy)?;
    let behind = assignments[made..].iter().find(|&&(_, variable)| variable == of);
    behind.map(|(stmt, _)| stmt.span)
}
