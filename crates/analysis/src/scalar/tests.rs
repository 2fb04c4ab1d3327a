//! The domain proves what kernels rely on, and never more than concrete runs show.

use proptest::prelude::*;

use super::*;
use a2lint_frontend::dsl::trace;
use a2lint_ir::{
    BinaryOp, Branch, CompareOp, OriginId, Program, Scalar, ScalarId, SpecialScalar, Stmt, StmtId,
    StmtKind, Variable, VariableId, VariableKind, fold_int,
};
use a2lint_isa::{DType, Opcode};
use a2lint_source::text::{SourceText, Span};

/// Ranges and comparisons of the scalars that `t[a:b, c:d] <<= …` uses, per destination view.
struct Seen {
    rows: Vec<(Interval, Interval)>,
    ends_inside: Vec<bool>,
    slots: Vec<Congruence>,
}

struct Watch<'a> {
    program: &'a Program,
    extent: i64,
    seen: Seen,
}

impl<'p> Visitor<'p> for Watch<'_> {
    fn statement(&mut self, state: &mut State<'p>, stmt: &'p Stmt) {
        let StmtKind::Instr(instr) = &stmt.kind else {
            return;
        };
        // Each test body marks the place to look at by a `dup`.
        if instr.opcode != Opcode::Dup {
            return;
        }
        let Some(view) = instr.local(0) else { return };
        let _ = self.program;
        let start = state.number(view.offset[0]);
        let span = state.number(view.span[0]);
        let end = state.binary(BinaryOp::Add, start.clone(), span.clone());
        let range = |number: &Option<Linear>| {
            number
                .as_ref()
                .map_or(Interval::ANY, |number| state.range_of(number))
        };
        self.seen.rows.push((range(&start), range(&span)));
        let inside =
            end.is_some_and(|end| state.is_not_above(&end, &Linear::constant(self.extent)));
        self.seen.ends_inside.push(inside);
        let slot = state.number(view.slot);
        let class = slot.map_or(Congruence::ANY, |slot| state.congruence_of(&slot));
        self.seen.slots.push(class);
    }
}

/// Traces a kernel body and looks at the destination of each `dup`.
fn look(body: &str) -> Seen {
    let mut text = String::from(
        "from easyasc.a2 import *\n\n@kernel()\ndef k(x: GMTensor, y: GMTensor, N: Var):\n    \
         t = Tensor(DT.float, [128, 64], Position.UB)\n    d = DBuff(DT.float, [128, 64], Position.UB)\n",
    );
    for line in body.lines() {
        text.push_str("    ");
        text.push_str(line);
        text.push('\n');
    }
    text.push_str("    return y\n");
    let module = trace(&SourceText::new(text));
    let program = &module.programs[0];
    let mut watch = Watch {
        program,
        extent: 128,
        seen: Seen {
            rows: Vec::new(),
            ends_inside: Vec::new(),
            slots: Vec::new(),
        },
    };
    walk(program, &mut watch);
    watch.seen
}

#[test]
fn the_smaller_of_tile_and_rest_fits_the_tile() {
    let seen = look(
        "for nt in range(CeilDiv(N, 128)):\n    n0 = Var(nt * 128)\n    valid = Min(128, N - n0)\n    \
         dup(t[0:valid, 0:64], 0.0)",
    );
    let span = seen.rows[0].1;
    // A tile that is reached has at least one row.
    assert_eq!((span.min, span.max), (1, 128));
    assert_eq!(seen.ends_inside, [true]);
}

#[test]
fn both_halves_of_a_tile_fit_the_tile() {
    let seen = look("sb = GetSubBlockIdx()\ndup(t[sb * 64:sb * 64 + 64, 0:64], 0.0)");
    assert_eq!(seen.rows[0].0, Interval { min: 0, max: 64 });
    assert_eq!(seen.ends_inside, [true]);
}

/// Found by fuzzing: 2^32 - 6 is -6 in 32 bits.
#[test]
fn conversion_to_a_narrower_type_is_not_trusted_to_keep_a_number() {
    let seen = look(
        "s = Var(4294967295, DT.uint64)\nfor i in range(N):\n    s += 1\nr = Var(0)\n\
         r <<= s - Min(s, N)\ndup(t[r:r + 1, 0:64], 0.0)",
    );
    assert_eq!(seen.rows[0].0, Interval::of(DType::Int));
}

/// Found by random programs: 2 - 75 is beyond all bounds without a sign, and -73 with one.
#[test]
fn a_constant_beyond_all_bounds_has_a_value_in_a_signed_type() {
    let seen = look(
        "s = Var(2, DT.uint64)\nr = Var(0, DT.int64)\nr <<= s - 75\ndup(t[r:r + 1, 0:64], 0.0)",
    );
    assert_eq!(seen.rows[0].0, Interval::exact(-73));
}

#[test]
fn counters_keep_their_parity() {
    let seen = look(
        "cnt = Var(0)\nfor i in range(N):\n    dup(d[2 * cnt + 1], 0.0)\n    dup(d[cnt], 0.0)\n    cnt += 2",
    );
    assert_eq!(seen.slots[0], Congruence::new(4, 1));
    assert_eq!(seen.slots[1], Congruence::new(2, 0));
}

#[test]
fn counters_of_nested_loops_do_not_fall() {
    let seen = look(
        "cnt = Var(0)\nfor i in range(N):\n    for j in range(i):\n        cnt += 1\n    \
         dup(t[cnt:cnt + 1, 0:64], 0.0)",
    );
    assert_eq!(seen.rows[0].0.min, 0);
}

#[test]
fn branches_refine_and_join() {
    let seen = look(
        "rows = Var(64)\nif N < 64:\n    rows <<= N\ndup(t[0:rows, 0:64], 0.0)\n\
         if N > 3:\n    if N <= 9:\n        dup(t[0:N, 0:64], 0.0)\ndup(t[0:N, 0:64], 0.0)",
    );
    let spans: Vec<Interval> = seen.rows.iter().map(|row| row.1).collect();
    assert_eq!(spans[0].max, 64);
    assert_eq!(spans[1], Interval { min: 4, max: 9 });
    assert_eq!(spans[2], Interval::ANY);
}

#[test]
fn bounds_below_zero_are_not_rounded_towards_it() {
    // From -9 on.
    let seen = look("if (N + 10) * 7 > 3:\n    dup(t[0:N, 0:64], 0.0)");
    assert_eq!(seen.rows[0].1.min, -9);
}

#[test]
fn a_known_trip_count_gives_the_values_after_the_loop() {
    let seen = look(
        "cnt = Var(3)\nfor i in range(0, 20, 2):\n    cnt += 5\ndup(t[cnt:cnt + 1, 0:64], 0.0)",
    );
    assert_eq!(seen.rows[0].0, Interval::exact(53));
}

#[test]
fn shares_of_cores_do_not_overlap() {
    let program = Program::default();
    let mut state = State::new(&program);
    let core = state.symbols.special(SpecialScalar::CubeIdx);
    let tile = 128;
    let other = state.fresh(
        super::symbols::Meaning::Some,
        Interval::from(0),
        Congruence::ANY,
    );
    state.symbols.assume_below(&core, &other);
    let end = core.times(tile).and_then(|start| start.plus(tile)).unwrap();
    let next = other.times(tile).unwrap();
    assert!(state.is_not_above(&end, &next));
    assert!(!state.is_not_above(&end.plus(1).unwrap(), &next));
}

// Random programs of assignments, branches and loops, run beside the analysis.

const VARIABLES: u32 = 5;
/// The first two variables are parameters.
const PARAMETERS: u32 = 2;

#[derive(Clone, Debug)]
enum Node {
    Assign(u32, Expr),
    Loop(u32, Expr, Expr, i64, Vec<Node>),
    If(CompareOp, Expr, Expr, Vec<Node>, Vec<Node>),
    Break,
    Continue,
}

#[derive(Clone, Debug)]
enum Expr {
    Int(i64),
    Variable(u32),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
}

fn expr() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        (-9_i64..40).prop_map(Expr::Int),
        (0..VARIABLES).prop_map(Expr::Variable),
    ];
    leaf.prop_recursive(3, 12, 2, |inner| {
        use BinaryOp::*;
        let op = proptest::sample::select(vec![
            Add, Add, Sub, Sub, Mul, Div, Mod, CeilDiv, AlignUp, Min, Min, Max, BitAnd, Shr,
        ]);
        (op, inner.clone(), inner).prop_map(|(op, a, b)| Expr::Binary(op, Box::new(a), Box::new(b)))
    })
}

fn nodes() -> impl Strategy<Value = Vec<Node>> {
    // Parameters are never assigned, as the analysis assumes.
    let assigned = PARAMETERS..VARIABLES;
    let leaf = prop_oneof![
        // Jumps are rare, or most loops would end in their first iteration.
        6 => (assigned.clone(), expr()).prop_map(|(variable, value)| Node::Assign(variable, value)),
        4 => (assigned.clone(), -3_i64..4).prop_map(|(variable, step)| {
            let sum = Expr::Binary(
                BinaryOp::Add,
                Box::new(Expr::Variable(variable)),
                Box::new(Expr::Int(step)),
            );
            Node::Assign(variable, sum)
        }),
        1 => Just(Node::Break),
        1 => Just(Node::Continue),
    ];
    let node = leaf.prop_recursive(3, 24, 4, move |inner| {
        let body = || proptest::collection::vec(inner.clone(), 0..4);
        let order = proptest::sample::select(vec![
            CompareOp::Lt,
            CompareOp::Le,
            CompareOp::Gt,
            CompareOp::Eq,
            CompareOp::Ne,
        ]);
        let sum = |variable: u32, by: i64| {
            let parts = (Expr::Variable(variable), Expr::Int(by));
            Expr::Binary(BinaryOp::Add, Box::new(parts.0), Box::new(parts.1))
        };
        let assign = |(variable, value): (u32, Expr)| Node::Assign(variable, value);
        let late = proptest::sample::select(vec![CompareOp::Eq, CompareOp::Ge, CompareOp::Lt]);
        prop_oneof![
            // Something happens in the last iteration, or in the one before it.
            (
                (
                    assigned.clone(),
                    assigned.clone(),
                    expr(),
                    1_i64..3,
                    0_i64..3
                ),
                (late, (assigned.clone(), expr()), body(), any::<bool>()),
            )
                .prop_map(
                    move |((variable, own, stop, step, by), (op, change, body, is_first))| {
                        let end = Node::If(
                            op,
                            sum(variable, by),
                            Expr::Variable(own),
                            vec![assign(change)],
                            Vec::new(),
                        );
                        let mut all = body;
                        all.insert(if is_first { 0 } else { all.len() }, end);
                        let start = Expr::Int(0);
                        let looped = Node::Loop(variable, start, Expr::Variable(own), step, all);
                        // The limit is known before the loop, so that it is one number.
                        Node::If(
                            CompareOp::Eq,
                            Expr::Int(0),
                            Expr::Int(0),
                            vec![Node::Assign(own, stop), looped],
                            Vec::new(),
                        )
                    }
                ),
            // One more where there is a rest.
            (assigned.clone(), assigned.clone(), expr(), 2_i64..9).prop_map(
                |(variable, own, of, by)| {
                    let operation =
                        |op| Expr::Binary(op, Box::new(of.clone()), Box::new(Expr::Int(by)));
                    let rest = |value| vec![Node::Assign(variable, Expr::Int(value))];
                    Node::If(
                        CompareOp::Ne,
                        operation(BinaryOp::Mod),
                        Expr::Int(0),
                        [rest(1), vec![Node::Assign(own, operation(BinaryOp::Div))]].concat(),
                        rest(0),
                    )
                }
            ),
            (assigned.clone(), expr(), expr(), 1_i64..3, body()).prop_map(
                |(variable, start, stop, step, body)| {
                    Node::Loop(variable, start, stop, step, body)
                }
            ),
            (order, expr(), expr(), body(), body())
                .prop_map(|(op, a, b, yes, no)| Node::If(op, a, b, yes, no)),
        ]
    });
    proptest::collection::vec(node, 1..6)
}

struct Build {
    program: Program,
}

impl Build {
    fn scalar(&mut self, expr: &Expr) -> ScalarId {
        match expr {
            Expr::Int(value) => self.program.scalars.int(*value),
            Expr::Variable(id) => self
                .program
                .scalars
                .intern(Scalar::Variable(VariableId(*id))),
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.scalar(a), self.scalar(b));
                self.program.scalars.binary(*op, a, b)
            }
        }
    }

    fn block(&mut self, nodes: &[Node], in_loop: bool) -> Vec<Stmt> {
        let mut block = Vec::new();
        for node in nodes {
            let kind = match node {
                Node::Assign(variable, value) => StmtKind::Assign {
                    variable: VariableId(*variable),
                    value: self.scalar(value),
                },
                Node::Loop(variable, start, stop, step, body) => StmtKind::Loop {
                    variable: VariableId(*variable),
                    start: self.scalar(start),
                    stop: self.scalar(stop),
                    step: self.program.scalars.int(*step),
                    body: self.block(body, true),
                },
                Node::If(op, a, b, yes, no) => {
                    let (a, b) = (self.scalar(a), self.scalar(b));
                    StmtKind::If {
                        arms: vec![Branch {
                            condition: self.program.scalars.compare(*op, a, b),
                            condition_span: Span::new(0, 0),
                            body: self.block(yes, in_loop),
                        }],
                        otherwise: self.block(no, in_loop),
                    }
                }
                Node::Break if in_loop => StmtKind::Break,
                Node::Continue if in_loop => StmtKind::Continue,
                // Outside of loops there is nothing to leave.
                Node::Break | Node::Continue => continue,
            };
            let id = StmtId(self.program.stmt_count);
            self.program.stmt_count += 1;
            block.push(Stmt {
                id,
                span: Span::new(0, 0),
                origin: OriginId(0),
                kind,
            });
        }
        block
    }
}

fn build(nodes: &[Node]) -> Program {
    let mut build = Build {
        program: Program::default(),
    };
    for at in 0..VARIABLES {
        build.program.variables.push(Variable {
            name: format!("v{at}").into(),
            dtype: Some(DType::Int),
            kind: match at < PARAMETERS {
                true => VariableKind::Param,
                false => VariableKind::Declared,
            },
            span: Span::new(0, 0),
            copy_of: None,
            assignments: 0,
            folded: None,
        });
    }
    let body = build.block(nodes, false);
    build.program.body = body.into();
    build.program
}

/// For every statement: the range and class of every variable before it, and its value on the first
/// pass where that is a constant.
#[derive(Default)]
struct Facts(rustc_hash::FxHashMap<StmtId, Vec<(Interval, Congruence, Option<i64>)>>);

impl<'p> Visitor<'p> for Facts {
    fn statement(&mut self, state: &mut State<'p>, stmt: &'p Stmt) {
        let facts = (0..VARIABLES)
            .map(|at| match state.variable(VariableId(at)) {
                Some(number) => {
                    let first = state.on_first_pass(&number).as_constant();
                    (state.range_of(&number), state.congruence_of(&number), first)
                }
                None => (Interval::ANY, Congruence::ANY, None),
            })
            .collect();
        // Passes that walk a loop in advance must not reach the visitor.
        assert!(self.0.insert(stmt.id, facts).is_none(), "shown once");
    }
}

enum Flow {
    Next,
    Break,
    Continue,
    /// Arithmetic without a result, or too many steps: the run ends.
    Stop,
}

struct Run<'p> {
    program: &'p Program,
    facts: &'p Facts,
    values: Vec<Option<i64>>,
    /// Iterations of the loops around the statement.
    iterations: Vec<u64>,
    steps: u32,
}

impl Run<'_> {
    fn value(&self, id: ScalarId) -> Option<i64> {
        match self.program.scalars.get(id) {
            Scalar::Int(value) => Some(value),
            Scalar::Variable(id) => self.values[id.index()],
            Scalar::Binary(op, a, b) => fold_int(op, self.value(a)?, self.value(b)?),
            Scalar::Compare(op, a, b) => Some(op.holds(self.value(a)?.cmp(&self.value(b)?)) as i64),
            _ => None,
        }
    }

    fn check(&self, stmt: &Stmt) {
        let facts = &self.facts.0[&stmt.id];
        // Facts about the first pass only hold in the first iteration of every surrounding loop.
        let first_pass = self.iterations.iter().all(|&iteration| iteration == 0);
        for (at, value) in self.values.iter().enumerate() {
            let Some(value) = *value else { continue };
            let (interval, class, first) = facts[at];
            assert!(
                interval.contains(value),
                "v{at} = {value} at {:?}: {interval:?}",
                stmt.id
            );
            assert!(
                class.contains(value),
                "v{at} = {value} at {:?}: {class:?}",
                stmt.id
            );
            if let Some(first) = first.filter(|_| first_pass) {
                assert_eq!(first, value, "v{at} at {:?} on the first pass", stmt.id);
            }
        }
    }

    fn block(&mut self, block: &[Stmt]) -> Flow {
        // The body of a loop may be empty, and each iteration counts.
        self.steps += 1;
        for stmt in block {
            self.steps += 1;
            // Random loops may run for very long; what was checked so far counts.
            if self.steps > 3000 {
                return Flow::Stop;
            }
            self.check(stmt);
            match self.stmt(stmt) {
                Flow::Next => {}
                flow => return flow,
            }
        }
        match self.steps > 3000 {
            true => Flow::Stop,
            false => Flow::Next,
        }
    }

    fn stmt(&mut self, stmt: &Stmt) -> Flow {
        match &stmt.kind {
            StmtKind::Assign { variable, value } => match self.value(*value) {
                Some(value) => {
                    self.values[variable.index()] = Some(value);
                    Flow::Next
                }
                // The device stops or does anything here, so the analysis need not hold afterwards.
                None => Flow::Stop,
            },
            StmtKind::Loop {
                variable,
                start,
                stop,
                step,
                body,
            } => {
                let bounds = [*start, *stop, *step].map(|id| self.value(id));
                let [Some(start), Some(stop), Some(step)] = bounds else {
                    return Flow::Stop;
                };
                let mut at = start;
                self.iterations.push(0);
                while at < stop {
                    self.values[variable.index()] = Some(at);
                    match self.block(body) {
                        Flow::Stop => return Flow::Stop,
                        Flow::Break => break,
                        Flow::Next | Flow::Continue => {}
                    }
                    at += step;
                    if let Some(iteration) = self.iterations.last_mut() {
                        *iteration += 1;
                    }
                }
                self.iterations.pop();
                Flow::Next
            }
            StmtKind::If { arms, otherwise } => match self.value(arms[0].condition) {
                Some(0) => self.block(otherwise),
                Some(_) => self.block(&arms[0].body),
                None => Flow::Stop,
            },
            StmtKind::Break => Flow::Break,
            StmtKind::Continue => Flow::Continue,
            _ => Flow::Next,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn concrete_runs_stay_inside_of_what_is_known(nodes in nodes(), n in -5_i64..300, m in -5_i64..20) {
        let program = build(&nodes);
        let mut facts = Facts::default();
        walk(&program, &mut facts);
        let mut values = vec![None; VARIABLES as usize];
        (values[0], values[1]) = (Some(n), Some(m));
        let mut run = Run { program: &program, facts: &facts, values, iterations: Vec::new(), steps: 0 };
        run.block(&program.body);
    }
}
