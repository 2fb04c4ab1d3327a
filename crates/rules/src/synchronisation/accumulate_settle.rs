use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::declare_rule;
use crate::wording::{call, view_text};
use crate::{Facts, Sink};
use a2lint_analysis::{Followed, Follower, Interval, PathState, SlotKey, follow_with, slot_key};
use a2lint_ir::finding::Severity;
use a2lint_ir::sync::{Token, call as call_of, calls, pipe_of};
use a2lint_ir::{
    ArgValue, BufferId, Instr, LocalView, Program, ScalarId, Stmt, StmtId, StmtKind, VariableId,
};
use a2lint_isa::device::FRACTAL;
use a2lint_isa::{Act, Class, DST, Layout, Opcode, Pipe, SRC};
use a2lint_source::text::Span;

declare_rule! {
    /// ## What it does
    /// Reports a product that adds to an accumulator right after another product into it, if the tile has fewer
    /// than ten fractals of 16x16, and neither `bar_m()` nor an event that M sets and the next product awaits stands
    /// between the two.
    ///
    /// `matmul(..., splitk=)` is such a chain by itself: its steps add to one accumulator with no
    /// barrier between them. It is reported unless k is known to be a single step.
    ///
    /// ## Why is this bad?
    /// Short products are not interlocked: the second one reads the accumulator before the first
    /// has written it. Larger tiles take long enough to be safe.
    ///
    /// ## Example
    /// ```python
    /// mmad(l0c, a0, b0, M=16, N=64, is_init=True)
    /// mmad(l0c, a1, b1, M=16, N=64, is_init=False)   # 1 x 4 fractals
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// mmad(l0c, a0, b0, M=16, N=64, is_init=True)
    /// bar_m()
    /// mmad(l0c, a1, b1, M=16, N=64, is_init=False)
    /// ```
    ///
    /// Compilers of Ascriptor put the barriers there by themselves; for `splitk` of two-byte types with fewer
    /// than 64 rows only since 2026-09-18, of which a note reminds.
    ///
    /// In place of `splitk`, load k in parts and call `matmul` for each, with `bar_m()` before it.
    ///
    /// ## Source
    /// Measured on a 910B3, `splitk` of two-byte types: m = 16 wrong in 500 of 500 runs, m = 32 a fault (507015) in
    /// 200 of 200, m = 64 right in 199 of 200; with barriers right in 2,000 of 2,000. These are errors below 64 rows.
    /// Stated by the AscendC manual: consecutive accumulating products need a barrier of M when
    /// (m/16)·(n/16) < 10. Float chains without one did not fail in 2,000 runs: a warning.
    "SYN016" "accumulate-settle" Warning, basis = Assumption, evidence = Measured
}

/// Number of fractals from which on a tile needs no barrier between products.
const SAFE_FRACTALS: i64 = 10;

/// Number of rows from which on split products of two-byte types were right on a device without a barrier.
const SETTLED_ROWS: i64 = 64;

/// An accumulator: buffer, slot and start in the slot.
type Tile = (BufferId, SlotKey, i64);

/// Accumulators whose last product an observer does not know to be complete.
type Tiles = FxHashSet<Tile>;

/// The products that are not known to be complete on some path.
#[derive(Clone, Debug, PartialEq)]
struct Unsettled {
    /// The last product of each accumulator.
    products: FxHashMap<Tile, Span>,
    /// By pipe. On the heap: the walk keeps states of all open loops on the stack.
    seen: Vec<Tiles>,
    /// By token, oldest set first; `None` if which set is awaited next depends on the path.
    tokens: Vec<Option<VecDeque<Tiles>>>,
}

impl PathState for Unsettled {
    fn join(&mut self, other: &Self) {
        for (&tile, &product) in &other.products {
            self.products.entry(tile).or_insert(product);
        }
        for (mine, theirs) in self.seen.iter_mut().zip(&other.seen) {
            mine.extend(theirs);
        }
        for (mine, theirs) in self.tokens.iter_mut().zip(&other.tokens) {
            match (&mut *mine, theirs) {
                (Some(a), Some(b)) if a.len() == b.len() => {
                    a.iter_mut().zip(b).for_each(|(a, b)| a.extend(b));
                }
                _ => *mine = None,
            }
        }
    }
}

impl Unsettled {
    /// Returns the state before the first statement, with the number of sets of each token.
    fn start(preset: impl Iterator<Item = usize>) -> Unsettled {
        Unsettled {
            products: FxHashMap::default(),
            seen: vec![Tiles::default(); Pipe::ALL.len()],
            tokens: preset
                .map(|sets| Some(vec![Tiles::default(); sets].into()))
                .collect(),
        }
    }

    fn each(&mut self) -> impl Iterator<Item = &mut Tiles> {
        let tokens = self.tokens.iter_mut().flatten().flatten();
        self.seen.iter_mut().chain(tokens)
    }

    /// Begins a product.
    fn begin(&mut self, tile: Tile, span: Span) {
        self.products.insert(tile, span);
        self.each().for_each(|tiles| {
            tiles.insert(tile);
        });
    }

    /// Makes a pipe wait for work after which only these products may be incomplete.
    fn learn(&mut self, pipe: Pipe, tiles: &Tiles) {
        let seen = match pipe {
            // The scalar unit issues all later instructions.
            Pipe::S | Pipe::All => &mut self.seen[..],
            pipe => std::slice::from_mut(&mut self.seen[pipe as usize]),
        };
        for mine in seen {
            mine.retain(|tile| tiles.contains(tile));
        }
    }

    /// Treats all products as complete.
    fn settle(&mut self) {
        self.each().for_each(Tiles::clear);
    }

    fn set(&mut self, token: usize, pipe: Pipe) {
        let known = match pipe {
            // The event is set once all products before it are complete.
            Pipe::M | Pipe::All => Tiles::default(),
            pipe => self.seen[pipe as usize].clone(),
        };
        if let Some(sets) = &mut self.tokens[token] {
            sets.push_back(known);
        }
    }

    fn wait(&mut self, token: usize, pipe: Pipe) {
        match self.tokens[token].as_mut().map(VecDeque::pop_front) {
            Some(Some(known)) => self.learn(pipe, &known),
            // Which set ends the wait is not known.
            Some(None) | None => {
                self.tokens[token] = None;
                self.settle();
            }
        }
    }

    /// Keeps the accumulators in constant slots, and those in slots that an expression picks as before.
    fn keep_slots(&mut self, is_steady: impl Fn(ScalarId) -> bool) {
        let is_kept = |(_, slot, _): &Tile| match slot {
            SlotKey::Symbolic(id) => is_steady(*id),
            SlotKey::Constant(_) => true,
        };
        self.each().for_each(|tiles| tiles.retain(is_kept));
    }
}

fn check(facts: &Facts, sink: &mut Sink) {
    if facts.program.toolchain.lowering.settles_accumulators {
        for (stmt, instr) in facts.instructions() {
            unsettled_once(facts, stmt, instr, sink);
        }
        return;
    }
    for (stmt, instr) in facts.instructions() {
        split(facts, stmt, instr, sink);
    }
    pairs(facts, sink);
}

/// Reports a product whose own steps accumulate without a barrier between them.
fn split(facts: &Facts, stmt: &Stmt, instr: &Instr, sink: &mut Sink) {
    let Some((dst, step, depth)) = steps(facts, stmt, instr) else {
        return;
    };
    let fractals = fractals(facts.program, instr, dst);
    if fractals.is_some_and(|count| count >= SAFE_FRACTALS) {
        few_rows(facts, stmt, instr, dst, sink);
    }
    let Some(fractals) = fractals.filter(|&count| count < SAFE_FRACTALS) else {
        return;
    };
    let products = match depth.min == depth.max {
        true => format!("{} products", (depth.max + step - 1) / step),
        false => "products".to_owned(),
    };
    let message = format!(
        "{} with splitk={step} adds up {products} in `{}` without bar_m between them: {fractals} fractals \
         of 16x16 take less time than an accumulator needs to settle",
        call(facts, instr),
        view_text(facts, dst)
    );
    let severity = match was_measured(facts, instr, dst) {
        true => Severity::Error,
        false => Severity::Warning,
    };
    sink.report_from(stmt.origin, stmt.span, message)
        .severity(severity)
        .help("loop over parts of k, with `bar_m()` before the product of each; or give the tile ten fractals or more");
}

/// Reports split products of two-byte types that satisfy the size limit of the manual, but have few rows.
fn few_rows(facts: &Facts, stmt: &Stmt, instr: &Instr, dst: &LocalView, sink: &mut Sink) {
    if !was_measured(facts, instr, dst) {
        return;
    }
    let rows = instr.scalar_named("m").unwrap_or(dst.span[0]);
    let (Some(rows), Some(a)) = (facts.program.size(rows), instr.local(SRC)) else {
        return;
    };
    let message = format!(
        "{} has {rows} rows of {}: a board gave wrong sums below {SETTLED_ROWS}, and tiles of {SAFE_FRACTALS} \
         fractals or more were not measured",
        call(facts, instr),
        a.dtype
    );
    sink.report_from(stmt.origin, stmt.span, message)
        .severity(Severity::Info)
        .help("loop over parts of k, with `bar_m()` before the product of each");
}

/// Returns whether split products of this type and number of rows gave wrong sums or faults on a board.
fn was_measured(facts: &Facts, instr: &Instr, dst: &LocalView) -> bool {
    let rows = instr.scalar_named("m").unwrap_or(dst.span[0]);
    let is_short = facts
        .program
        .size(rows)
        .is_some_and(|rows| rows < SETTLED_ROWS);
    is_short && instr.local(SRC).is_some_and(|a| a.dtype.bits() == 16)
}

/// Reports a product of two-byte types with few rows, which compilers of Ascriptor did not settle until 2026-09.
fn unsettled_once(facts: &Facts, stmt: &Stmt, instr: &Instr, sink: &mut Sink) {
    let (Some((dst, step, _)), Some(a)) = (steps(facts, stmt, instr), instr.local(SRC)) else {
        return;
    };
    let rows = instr.scalar_named("m").unwrap_or(dst.span[0]);
    let Some(rows) = facts.program.size(rows).filter(|&rows| rows < SETTLED_ROWS) else {
        return;
    };
    if a.dtype.bits() != 16 {
        return;
    }
    let message = format!(
        "{} with splitk={step} has {rows} rows of {}: compilers before 2026-09-18 put no barrier between its steps",
        call(facts, instr),
        a.dtype
    );
    sink.report_from(stmt.origin, stmt.span, message)
        .severity(Severity::Info)
        .help(format!(
            "with such a compiler give it {SETTLED_ROWS} rows or more, or loop over k with `barrier(Pipe.M)`"
        ));
}

/// Returns the accumulator, the step and the range of the depth of a product that may take several steps.
fn steps<'a>(
    facts: &Facts,
    stmt: &Stmt,
    instr: &'a Instr,
) -> Option<(&'a LocalView, i64, Interval)> {
    let step = facts.program.size(instr.scalar_named("splitk")?)?;
    let at = instr.row().index_named("k")?;
    let depth = facts.analysis.argument(facts.program, stmt.id, instr, at)?;
    (step > 0 && depth.max > step).then_some((instr.local(DST)?, step, depth))
}

/// The products that follow another one into their accumulator before it may be complete.
struct Pairs<'p> {
    program: &'p Program,
    /// The index of each event and raw flag.
    tokens: FxHashMap<Token, usize>,
    /// Each such product, with its accumulator, the number of its fractals and the span of the product before it.
    found: Vec<(&'p Stmt, &'p LocalView, i64, Span)>,
    seen: FxHashSet<StmtId>,
}

impl<'p> Follower<'p, Unsettled> for Pairs<'p> {
    fn step(&mut self, stmt: &'p Stmt, state: &mut Unsettled) {
        match &stmt.kind {
            StmtKind::Instr(instr) => self.instruction(stmt, instr, state),
            StmtKind::Assign { variable, .. } => {
                state.keep_slots(|id| self.is_steady(id, *variable))
            }
            // It may contain a barrier.
            StmtKind::Opaque | StmtKind::Havoc(_) => state.settle(),
            _ => {}
        }
    }

    fn again(&mut self, stmt: &'p Stmt, state: &mut Unsettled) {
        match &stmt.kind {
            StmtKind::Loop { variable, .. } => state.keep_slots(|id| self.is_steady(id, *variable)),
            _ => state.keep_slots(|id| !self.program.scalars.has_unknown(id)),
        }
    }
}

impl<'p> Pairs<'p> {
    /// Returns the follower of a program and its first state.
    fn of(program: &'p Program) -> (Pairs<'p>, Unsettled) {
        let (mut tokens, mut preset) = (FxHashMap::default(), Vec::new());
        for call in calls(program) {
            let sets = match call.token {
                Token::Event(id) => {
                    let event = program.event(id);
                    if event.preset {
                        event.ids.max(1) as usize
                    } else {
                        0
                    }
                }
                Token::Raw(..) => 0,
                Token::Data(_) | Token::Credit(_) | Token::Flag(..) => continue,
            };
            tokens.entry(call.token).or_insert_with(|| {
                preset.push(sets);
                preset.len() - 1
            });
        }
        let pairs = Pairs {
            program,
            tokens,
            found: Vec::new(),
            seen: FxHashSet::default(),
        };
        (pairs, Unsettled::start(preset.into_iter()))
    }

    fn instruction(&mut self, stmt: &'p Stmt, instr: &'p Instr, state: &mut Unsettled) {
        match instr.row().class {
            Class::Matmul => self.product(stmt, instr, state),
            Class::Barrier => match instr.pipe() {
                Some(Pipe::All) => state.settle(),
                Some(Pipe::M) => state.seen[Pipe::M as usize].clear(),
                _ => {}
            },
            Class::Event => self.event(stmt, instr, state),
            Class::CrossFlag | Class::Mutex => state.settle(),
            _ => {}
        }
    }

    fn event(&mut self, stmt: &'p Stmt, instr: &'p Instr, state: &mut Unsettled) {
        let found = call_of(self.program, stmt);
        let token = found.and_then(|call| Some((call.act, *self.tokens.get(&call.token)?)));
        let pipe = pipe_of(self.program, instr);
        match token {
            Some((Act::Set, token)) => state.set(token, pipe),
            Some((Act::Wait, token)) => state.wait(token, pipe),
            None => {
                state.tokens.fill(None);
                state.settle();
            }
        }
    }

    fn product(&mut self, stmt: &'p Stmt, instr: &'p Instr, state: &mut Unsettled) {
        let Some(dst) = instr.local(DST) else { return };
        let Some(start) = start(self.program, dst) else {
            return;
        };
        let tile = (dst.buffer, slot_key(self.program, dst), start);
        if state.seen[Pipe::M as usize].contains(&tile)
            && let (Some(&before), Some(fractals)) = (
                state.products.get(&tile),
                fractals(self.program, instr, dst),
            )
            && fractals < SAFE_FRACTALS
            && instr.flag_named(self.program, "is_init") != Some(true)
            && self.seen.insert(stmt.id)
        {
            self.found.push((stmt, dst, fractals, before));
        }
        state.begin(tile, stmt.span);
    }

    /// Returns whether a slot expression picks the same slot after a variable has changed. An unknown value may have
    /// changed with it.
    fn is_steady(&self, slot: ScalarId, changed: VariableId) -> bool {
        let scalars = &self.program.scalars;
        !scalars.mentions(slot, changed) && !scalars.has_unknown(slot)
    }
}

/// Reports products that follow each other without a barrier.
fn pairs(facts: &Facts, sink: &mut Sink) {
    let program = facts.program;
    let (mut pairs, start) = Pairs::of(program);
    let end = follow_with(&program.body, start, &mut pairs);
    let is_whole = matches!(end, Followed::End(_));
    let barrier = program.name_of(Opcode::BarM);
    for (stmt, dst, fractals, before) in pairs.found.into_iter().filter(|_| is_whole) {
        let tile = view_text(facts, dst);
        let message = format!(
            "this product adds to `{tile}` before the one before it may be complete: {fractals} fractals of 16x16 \
             (fewer than {SAFE_FRACTALS}), and neither {barrier} nor an event of M stands between them"
        );
        let report = sink
            .report_from(stmt.origin, stmt.span, message)
            .advice(format!(
                "put `{barrier}()` before the product that accumulates"
            ));
        match before == stmt.span {
            true => drop(report.label(before, "its own last iteration is the one before it")),
            false => drop(report.label(before, "the product before it")),
        }
    }
}

/// Returns where in its slot an accumulator starts: everywhere the same, unless several lie in one slot by address.
/// `None` if that is not constant.
fn start(program: &Program, dst: &LocalView) -> Option<i64> {
    match program.buffer(dst.buffer).layout {
        Layout::Linear => program.size(dst.offset[1]),
        Layout::Nd | Layout::Nz => Some(0),
    }
}

/// Returns the number of fractals of the result, if its extents are constant.
fn fractals(program: &Program, instr: &Instr, dst: &LocalView) -> Option<i64> {
    let given = |names: [&str; 2], axis: usize| {
        let arg = names.into_iter().find_map(|name| instr.named(name))?;
        match &arg.value {
            ArgValue::Scalar(id) => program.size(*id),
            ArgValue::None => program.size(dst.span[axis]),
            _ => None,
        }
    };
    let [m, n] = [given(["m", "M"], 0)?, given(["n", "N"], 1)?];
    Some((m + FRACTAL - 1) / FRACTAL * ((n + FRACTAL - 1) / FRACTAL))
}
