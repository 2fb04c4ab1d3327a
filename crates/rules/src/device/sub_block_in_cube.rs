use crate::declare_rule;
use crate::wording::{call, snippet};
use crate::{Facts, Sink};
use a2lint_analysis::Dependence;
use a2lint_ir::{ArgValue, Instr, Stmt, StmtKind};
use a2lint_isa::Side;
use a2lint_source::text::Span;

declare_rule! {
    /// ## What it does
    /// Reports cube instructions that are guarded, repeated or indexed by `GetSubBlockIdx()`.
    ///
    /// ## Why is this bad?
    /// The sub-blocks are the two vector lanes beside a cube core. The cube itself has no such
    /// number: it runs the instruction once for both, or not at all.
    ///
    /// ## Example
    /// ```python
    /// if GetSubBlockIdx() == 0:
    ///     matmul(acc, l1_a, l1_b, m=128, n=128, k=64)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// matmul(acc, l1_a, l1_b, m=128, n=128, k=64)
    /// ```
    ///
    /// ## Source
    /// A2 device constraints, section 4: the sub-block execution model.
    "DEV013" "sub-block-in-cube" Error, basis = AnyLaunch
}

fn check(facts: &Facts, sink: &mut Sink) {
    let mut walk = Walk {
        facts,
        sub_block: Dependence::on(facts.program, facts.program.toolchain.launches.lane_queries),
        sink,
    };
    walk.block(&facts.program.body, None);
}

struct Walk<'f, 's, 'r> {
    facts: &'f Facts<'f>,
    sub_block: Dependence<'f>,
    sink: &'s mut Sink<'r>,
}

impl Walk<'_, '_, '_> {
    /// Visits the statements of a block. `guard` is the place of a condition or bound around it that depends on
    /// the sub-block index.
    fn block(&mut self, block: &[Stmt], guard: Option<Span>) {
        for stmt in block {
            match &stmt.kind {
                StmtKind::Instr(instr) if instr.row().unit.side() == Side::Cube => {
                    self.instruction(stmt, instr, guard);
                }
                StmtKind::If { arms, otherwise } => {
                    let mut inside = guard;
                    for arm in arms {
                        if self.sub_block.of(arm.condition) {
                            inside = inside.or(Some(arm.condition_span));
                        }
                        self.block(&arm.body, inside);
                    }
                    self.block(otherwise, inside);
                }
                StmtKind::Loop {
                    start, stop, step, ..
                } => {
                    let bound = [start, stop, step]
                        .into_iter()
                        .any(|&id| self.sub_block.of(id));
                    let guard = guard.or(bound.then_some(stmt.span));
                    stmt.kind.blocks().for_each(|body| self.block(body, guard));
                }
                // The cube does not execute instructions in a vec scope.
                StmtKind::Scope {
                    side: Side::Vec, ..
                } => {}
                kind => kind.blocks().for_each(|body| self.block(body, guard)),
            }
        }
    }

    fn instruction(&mut self, stmt: &Stmt, instr: &Instr, guard: Option<Span>) {
        let name = call(self.facts, instr);
        if let Some(guard) = guard {
            let message =
                format!("{name} runs on the cube, which has no sub-block index to be guarded by");
            self.sink
                .report_from(stmt.origin, stmt.span, message)
                .label(guard, "depends on GetSubBlockIdx()")
                .help("take it out of the guard; the vec lanes pass over cube instructions anyway");
            return;
        }
        let indexed = instr.args.iter().find_map(|arg| match &arg.value {
            ArgValue::View(view) if self.sub_block.of_view(view) => Some(view.site()),
            ArgValue::Scalar(id) if self.sub_block.of(*id) => arg.span(),
            _ => None,
        });
        if let Some(site) = indexed {
            let text = snippet(self.facts, site);
            let message = format!(
                "{name} runs on the cube, which has no sub-block index: `{text}` depends on GetSubBlockIdx()"
            );
            self.sink
                .report_from(stmt.origin, site, message)
                .help("the cube works on the whole tile; split its rows between the lanes on the vec side only");
        }
    }
}
