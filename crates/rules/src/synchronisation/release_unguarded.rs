use rustc_hash::{FxHashMap, FxHashSet};

use crate::declare_rule;
use crate::tokens::{Act, Call, Token, call_text, calls, may_have_unknown_tokens};
use crate::{Facts, Sink};
use a2lint_analysis::Dependence;
use a2lint_ir::{Program, SpecialScalar, Stmt, StmtId, StmtKind};
use a2lint_source::text::Span;

declare_rule! {
    /// ## What it does
    /// Reports a `set()`, `ready()` or `free()` outside of the branch that keeps cores without work
    /// away from the `wait()` or `lock()` that belongs to it.
    ///
    /// ## Why is this bad?
    /// A core without work makes a token that is never acquired, or gives back one that it never took.
    /// From there on the two sides are a step apart: data is overwritten, or the next kernel finds
    /// an event set.
    ///
    /// ## Example
    /// ```python
    /// if core < units:
    ///     bridge.wait()
    ///     tile <<= ws[core, half_row:half_row + HALF_M, 0:N]
    /// bridge.free()
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// if core < units:
    ///     bridge.wait()
    ///     tile <<= ws[core, half_row:half_row + HALF_M, 0:N]
    ///     bridge.free()
    /// ```
    ///
    /// ## Source
    /// Public DSL documentation on synchronisation, section 7: guard the whole region.
    "SYN017" "release-unguarded" Warning, basis = Shape, property = Progress
}

const CORES: &[SpecialScalar] = &[SpecialScalar::CubeIdx, SpecialScalar::VecIdx];

fn check(facts: &Facts, sink: &mut Sink) {
    if may_have_unknown_tokens(facts.program) {
        return;
    }
    let core = Dependence::on(facts.program, CORES);
    let around = |call: &Call| around(facts.program, &core, call.stmt.id);
    let calls = calls(facts.program);
    let mut guarded: FxHashMap<Token, Option<(Call, StmtId, Span)>> = FxHashMap::default();
    for wait in calls.iter().filter(|call| call.act == Act::Wait) {
        let own = match around(wait) {
            Around::Guard(id, span) => Some((*wait, id, span)),
            _ => None,
        };
        let known = guarded.entry(wait.token).or_insert(own);
        if known.as_ref().map(|known| known.1) != own.map(|own| own.1) {
            *known = None;
        }
    }
    let mut reported: FxHashSet<Token> = FxHashSet::default();
    for release in calls.iter().filter(|call| call.act == Act::Set) {
        let opening = opening(release.token).and_then(|token| guarded.get(&token).copied()?);
        let is_outside = around(release) == Around::Nothing;
        let Some((wait, _, guard)) = opening.filter(|_| is_outside) else {
            continue;
        };
        if !reported.insert(release.token) {
            continue;
        }
        let message = format!(
            "{} is outside of the branch that {} is in: cores that skip the branch release a token they never acquired",
            call_text(facts, release),
            call_text(facts, &wait)
        );
        sink.report_from(release.stmt.origin, release.stmt.span, message)
            .label(guard, "cores without work skip this branch")
            .label(wait.stmt.span, "what it answers")
            .help("move it into the branch");
    }
}

/// Returns the token that a core awaits before it sets the given one.
fn opening(released: Token) -> Option<Token> {
    match released {
        Token::Credit(mutex) => Some(Token::Data(mutex)),
        Token::Data(mutex) => Some(Token::Credit(mutex)),
        Token::Event(_) | Token::Raw(..) => Some(released),
        Token::Flag(..) => None,
    }
}

/// The control flow around a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Around {
    Nothing,
    /// A branch that depends on the core, in no loop.
    Guard(StmtId, Span),
    /// A loop that is in no branch that depends on the core.
    Loop,
}

/// Returns the outermost loop or branch on the core around a statement.
fn around(program: &Program, core: &Dependence, id: StmtId) -> Around {
    let outside: Vec<&Stmt> = program.ancestors(id).collect();
    let mut outside = outside.into_iter().rev();
    let found = outside.find_map(|stmt| match &stmt.kind {
        StmtKind::If { arms, .. } if arms.iter().any(|arm| core.of(arm.condition)) => {
            Some(Around::Guard(stmt.id, arms[0].condition_span))
        }
        // In a loop, a branch on the core may only distinguish the first iteration.
        StmtKind::Loop { .. } | StmtKind::UnknownLoop { .. } => Some(Around::Loop),
        _ => None,
    });
    found.unwrap_or(Around::Nothing)
}
