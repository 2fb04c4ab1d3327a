use rustc_hash::{FxHashMap, FxHashSet};

use crate::declare_rule;
use crate::tokens::{Act, Call, Token, call_text, calls, may_have_unknown_tokens};
use crate::{Facts, Sink};
use a2lint_ir::{
    BinaryOp, CompareOp, MutexKind, Program, Scalar, ScalarId, SpecialScalar, Stmt, StmtId,
    StmtKind,
};
use a2lint_machine::Route;
use a2lint_source::text::Span;

declare_rule! {
    /// ## What it does
    /// Reports a token for the cube that only one of the two vec lanes hands over: a `ready()`,
    /// `free()` or `vec_ready()` in a branch that the other sub-block does not take.
    ///
    /// ## Why is this bad?
    /// The cube waits for both vec lanes of its core. With a token from only one of them it waits for ever,
    /// and so does everything after it.
    ///
    /// ## Example
    /// ```python
    /// if GetSubBlockIdx() == 0:
    ///     ws[core, 0:HALF_M, 0:N] <<= tile
    ///     bridge.ready()                     # vec1 never gets here
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// if GetSubBlockIdx() == 0:
    ///     ws[core, 0:HALF_M, 0:N] <<= tile
    /// bridge.ready()
    /// ```
    ///
    /// ## Source
    /// A2 device constraints, section 3: `wait_vec` succeeds after both vec lanes have produced
    /// their tokens.
    "SYN013" "one-lane-token" Error, basis = AnyLaunch, property = Progress
}

fn check(facts: &Facts, sink: &mut Sink) {
    let program = facts.program;
    if may_have_unknown_tokens(program) {
        return;
    }
    let signals: Vec<Call> = calls(program)
        .into_iter()
        .filter(|call| call.act == Act::Set && goes_to_cube(program, call.token))
        .collect();
    let mut lanes = FxHashMap::default();
    only_lanes(program, &program.body, None, &mut lanes);
    let alone = |call: &Call| lanes.get(&call.stmt.id).copied();
    let reached: FxHashSet<(Token, i64)> = signals
        .iter()
        .filter_map(|call| Some((call.token, alone(call)?.0)))
        .collect();
    for call in &signals {
        let Some((lane, guard)) = alone(call) else {
            continue;
        };
        if reached.contains(&(call.token, 1 - lane)) {
            continue;
        }
        let message = format!(
            "only vec{lane} reaches {}: the cube waits for both vec lanes",
            call_text(facts, call)
        );
        sink.report_from(call.stmt.origin, call.stmt.span, message)
            .label(guard, format!("vec{} does not take this branch", 1 - lane))
            .help("move the call out of the branch, so that both lanes hand their token over");
    }
}

/// Returns whether the cube waits for a token, which both vec lanes have to set.
fn goes_to_cube(program: &Program, token: Token) -> bool {
    match token {
        Token::Data(id) => program.mutex(id).kind == MutexKind::VecToCube,
        Token::Credit(id) => program.mutex(id).kind == MutexKind::CubeToVec,
        Token::Flag(route, _) => route == Route::VecToCube,
        Token::Event(_) | Token::Raw(..) => false,
    }
}

/// The only sub-block that takes a branch, and the condition that excludes the other.
type Alone = (i64, Span);

/// Collects the statements that only one sub-block can reach.
fn only_lanes(
    program: &Program,
    block: &[Stmt],
    around: Option<Alone>,
    found: &mut FxHashMap<StmtId, Alone>,
) {
    for stmt in block {
        found.extend(around.map(|alone| (stmt.id, alone)));
        let StmtKind::If { arms, otherwise } = &stmt.kind else {
            for inner in stmt.kind.blocks() {
                only_lanes(program, inner, around, found);
            }
            continue;
        };
        // Lanes that can reach the next arm.
        let mut left = [true; 2];
        for arm in arms {
            let takes = [0, 1].map(|lane| value(program, arm.condition, lane));
            let reach = [0, 1].map(|lane: usize| left[lane] && takes[lane] != Some(false));
            let inside = around.or(alone(reach, arm.condition_span));
            only_lanes(program, &arm.body, inside, found);
            left = [0, 1].map(|lane: usize| left[lane] && takes[lane] != Some(true));
        }
        let last = arms.last().map_or(stmt.span, |arm| arm.condition_span);
        only_lanes(program, otherwise, around.or(alone(left, last)), found);
    }
}

/// Returns the lane, if exactly one of them can reach a place.
fn alone(reach: [bool; 2], guard: Span) -> Option<Alone> {
    match reach {
        [true, false] => Some((0, guard)),
        [false, true] => Some((1, guard)),
        _ => None,
    }
}

/// Returns whether a condition holds on a lane, if it depends on the sub-block index alone.
fn value(program: &Program, condition: ScalarId, lane: i64) -> Option<bool> {
    let number = |id| number(program, id, lane);
    match program.scalars.get(condition) {
        Scalar::Compare(op, a, b) => {
            let (a, b) = (number(a)?, number(b)?);
            Some(match op {
                CompareOp::Eq => a == b,
                CompareOp::Ne => a != b,
                CompareOp::Lt => a < b,
                CompareOp::Le => a <= b,
                CompareOp::Gt => a > b,
                CompareOp::Ge => a >= b,
            })
        }
        _ => Some(number(condition)? != 0),
    }
}

/// Returns the value of an expression on a lane, if it depends on the sub-block index alone.
fn number(program: &Program, id: ScalarId, lane: i64) -> Option<i64> {
    match program.scalars.get(id) {
        Scalar::Special(SpecialScalar::SubBlockIdx) => Some(lane),
        Scalar::Int(value) => Some(value),
        Scalar::Binary(op, a, b) => {
            let (a, b) = (number(program, a, lane)?, number(program, b, lane)?);
            match op {
                BinaryOp::Add => a.checked_add(b),
                BinaryOp::Sub => a.checked_sub(b),
                BinaryOp::Mul => a.checked_mul(b),
                _ => None,
            }
        }
        _ => None,
    }
}
