use crate::declare_rule;
use crate::loaded;
use crate::observations::witnessed;
use crate::wording::call;
use crate::{Facts, Sink};
use a2lint_ir::{Stmt, StmtKind};
use a2lint_machine::FindingKind;

declare_rule! {
    /// ## What it does
    /// Reports an integer scalar that has wrapped around when it becomes an address, a size or the
    /// bound of a loop.
    ///
    /// ## Why is this bad?
    /// An integer Var has 32 bits, or as many as its `dtype` says. A value that does not fit silently loses
    /// its upper bits: 200 in an int8 is -56, and 65536 * 65536 in an int32 is 0. The kernel then works on
    /// the wrong rows, or on none.
    ///
    /// A value that wraps and comes back is not reported: the low bits of a product, or a difference
    /// below zero that is added to again.
    ///
    /// ## Example
    /// ```python
    /// rows = Var(200, DT.int8)                     # -56
    /// dup(t[0:rows, 0:64], 0.0)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// rows = Var(200)                              # int32
    /// dup(t[0:rows, 0:64], 0.0)
    /// ```
    ///
    /// ## Severity
    /// An error where a launch of the file shows it, or where nothing had to be guessed because the
    /// kernel takes no number. A warning where sizes were guessed and every guess shows it.
    ///
    /// ## Source
    /// Decided for this tool: types of device scalars are those of C.
    "DEV014" "scalar-overflow" Error, basis = Replayed, property = Scalars, causes = []
}

fn check(facts: &Facts, sink: &mut Sink) {
    let loaded = loaded::variables(facts.program);
    for observation in &facts.replay.observations {
        let Some(FindingKind::ScalarOverflow(wrap)) = observation.kind() else {
            continue;
        };
        let Some(stmt) = observation.stmt.and_then(|id| facts.program.statement(id)) else {
            continue;
        };
        // What a tensor holds in a replay says nothing of what it holds on the device.
        let scalars = &facts.program.scalars;
        if loaded.iter().any(|&it| scalars.mentions(wrap.scalar, it)) {
            continue;
        }
        let text = facts.names.text(wrap.scalar);
        let message = match wrap.exact {
            Some(exact) => format!(
                "`{text}` is {exact}, wraps to {} and {}",
                wrap.value,
                role(facts, stmt)
            ),
            None => format!("`{text}` wraps to {} and {}", wrap.value, role(facts, stmt)),
        };
        let report = sink.report_seen(stmt.origin, stmt.span, message);
        witnessed(report, facts, observation).help(
            "hold what it is made of in a wider Var: DT.int64, or DT.int where it is narrower",
        );
    }
}

/// Formats what a statement uses the number for.
fn role(facts: &Facts, stmt: &Stmt) -> String {
    match &stmt.kind {
        StmtKind::Instr(instr) => format!("is an address or size of {}", call(facts, instr)),
        _ => "bounds this loop".to_owned(),
    }
}
