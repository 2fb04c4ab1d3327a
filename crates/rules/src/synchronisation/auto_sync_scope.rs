use crate::declare_rule;
use crate::{Facts, Sink};
use a2lint_ir::{Stmt, StmtKind};

declare_rule! {
    /// ## What it does
    /// Reports `auto_sync()` inside the loop that it should enclose, inside another `auto_sync()`, or
    /// around no instruction.
    ///
    /// ## Why is this bad?
    /// The handshakes of a region begin and end with it. Around the body of a loop they do not span two
    /// iterations: a load of the next iteration is not held back by the last reader of this one, and a
    /// handshake that is left open at the end of the region blocks a later iteration. Of nested regions,
    /// the outer one does not order the accesses around the inner one.
    ///
    /// ## Example
    /// ```python
    /// for m0 in range(0, M, 64):
    ///     with auto_sync():
    ///         ub <<= x[m0:m0 + 64, 0:64]
    ///         y[m0:m0 + 64, 0:64] <<= ub
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// with auto_sync():
    ///     for m0 in range(0, M, 64):
    ///         ub <<= x[m0:m0 + 64, 0:64]
    ///         y[m0:m0 + 64, 0:64] <<= ub
    /// ```
    ///
    /// ## Source
    /// The DSL's pass for automatic synchronisation; observed in its public version of 2026-02.
    "SYN014" "auto-sync-scope" Warning, basis = Shape, evidence = Read
}

fn check(facts: &Facts, sink: &mut Sink) {
    // If the toolchain joins all regions, their borders do not matter.
    if facts.program.toolchain.auto_sync.joins_regions {
        return;
    }
    facts.program.walk(&mut |stmt| {
        if let StmtKind::AutoSync { body, .. } = &stmt.kind {
            region(facts, stmt, body, sink);
        }
    });
}

fn region(facts: &Facts, stmt: &Stmt, body: &[Stmt], sink: &mut Sink) {
    let innermost = |is_meant: fn(&StmtKind) -> bool| {
        let mut around = facts.program.ancestors(stmt.id);
        around
            .find(|stmt| is_meant(&stmt.kind))
            .map(|stmt| stmt.span)
    };
    let outer = innermost(|kind| matches!(kind, StmtKind::AutoSync { .. }));
    let device_loop = innermost(|kind| matches!(kind, StmtKind::Loop { .. }));
    if let Some(outer) = outer {
        let message =
            "auto_sync() inside auto_sync(): what surrounds the inner region is left without order";
        sink.report_from(stmt.origin, stmt.span, message)
            .label(outer, "the outer region")
            .help("keep the outer one alone");
    } else if is_empty(body) {
        let message = "auto_sync() around no instruction orders nothing";
        sink.report_from(stmt.origin, stmt.span, message)
            .help("move the instructions that it should order into its block");
    } else if let Some(device_loop) = device_loop {
        let message =
            "auto_sync() inside a loop: its handshakes do not reach from one iteration to the next";
        sink.report_from(stmt.origin, stmt.span, message)
            .label(device_loop, "the loop")
            .help("put `with auto_sync():` around the loop");
    }
}

/// Returns whether a block emits no instruction; unknown statements may emit some.
fn is_empty(body: &[Stmt]) -> bool {
    let mut empty = true;
    for stmt in body {
        stmt.walk(&mut |stmt| {
            empty &= !matches!(
                stmt.kind,
                StmtKind::Instr(_) | StmtKind::Opaque | StmtKind::Havoc(_)
            );
        });
    }
    empty
}
