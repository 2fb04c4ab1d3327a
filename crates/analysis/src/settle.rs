//! Products that add to an accumulator before the product before them may be complete.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Analysis, Followed, Follower, Interval, PathState, SlotKey, follow_with, slot_key};
use a2lint_ir::sync::{Token, call as call_of, calls, pipe_of};
use a2lint_ir::{
    ArgValue, BufferId, Instr, LocalView, Program, ScalarId, Stmt, StmtId, StmtKind, VariableId,
};
use a2lint_isa::device::FRACTAL;
use a2lint_isa::{Act, Class, DST, Layout, Pipe};

/// Number of fractals from which on a tile needs no barrier between products.
pub const SAFE_FRACTALS: i64 = 10;

/// How a wait is treated if it is not known which set ends it, and code that may contain a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waits {
    /// Products before it count as complete, so that only certain mistakes are found.
    Settle,
    /// It orders nothing, so that a proof may rely on all products that are not found.
    Count,
}

/// A product into an accumulator whose last product may not be complete.
#[derive(Clone, Copy, Debug)]
pub struct HastyProduct<'p> {
    /// The statement.
    pub stmt: &'p Stmt,
    /// The product.
    pub instr: &'p Instr,
    /// The accumulator.
    pub dst: &'p LocalView,
    /// The product before it.
    pub before: StmtId,
}

/// Returns the products that add to an accumulator without a barrier or an event of M after the one before them,
/// whatever their sizes; `None` if the program has too many paths.
pub fn hasty_products(program: &Program, waits: Waits) -> Option<Vec<HastyProduct<'_>>> {
    let (mut pairs, start) = Pairs::of(program, waits);
    let end = follow_with(&program.body, start, &mut pairs);
    match end {
        Followed::TooFar => None,
        Followed::End(_) | Followed::Nowhere => Some(pairs.found),
    }
}

/// Returns the first product that is not shown to find the sums that it adds to complete.
pub fn unsettled(analysis: &Analysis, program: &Program) -> Option<StmtId> {
    if program.toolchain.lowering.settles_accumulators {
        return None;
    }
    let is_safe = |product: &HastyProduct| {
        let count = fractals(analysis, program, product.stmt, product.instr, product.dst);
        count.is_some_and(|count| count.min >= SAFE_FRACTALS)
    };
    let is_split = |stmt: &Stmt, instr: &Instr| {
        let Some(step) = instr.scalar_named("splitk").map(|id| program.size(id)) else {
            return false;
        };
        let depth = instr.row().index_named("k");
        let depth = depth.and_then(|at| analysis.argument(program, stmt.id, instr, at));
        step.is_none_or(|step| step > 0 && depth.is_none_or(|depth| depth.max > step))
    };
    let split = program
        .instructions()
        .into_iter()
        .find_map(|(stmt, instr)| {
            let dst = instr.local(DST).filter(|_| is_split(stmt, instr))?;
            let product = HastyProduct {
                stmt,
                instr,
                dst,
                before: stmt.id,
            };
            (!is_safe(&product)).then_some(stmt.id)
        });
    if split.is_some() {
        return split;
    }
    match hasty_products(program, Waits::Count) {
        Some(found) => found.iter().find(|it| !is_safe(it)).map(|it| it.stmt.id),
        None => {
            let products = program.instructions().into_iter();
            let mut products = products.filter(|(_, it)| it.row().class == Class::Matmul);
            products.next().map(|(stmt, _)| stmt.id)
        }
    }
}

/// An accumulator: buffer, slot, and start in the slot, `None` if that is not constant.
type Tile = (BufferId, SlotKey, Option<i64>);

/// Returns whether two accumulators may be the same.
fn may_be_same(a: Tile, b: Tile) -> bool {
    let slots_differ = match (a.1, b.1) {
        (SlotKey::Constant(a), SlotKey::Constant(b)) => a != b,
        _ => false,
    };
    let starts_differ = a.2.zip(b.2).is_some_and(|(a, b)| a != b);
    a.0 == b.0 && !slots_differ && !starts_differ
}

/// Accumulators whose last product an observer does not know to be complete.
type Tiles = FxHashSet<Tile>;

/// The products that are not known to be complete on some path.
#[derive(Clone, Debug, PartialEq)]
struct Unsettled {
    /// The last product of each accumulator.
    products: FxHashMap<Tile, StmtId>,
    /// By pipe. On the heap: the walk keeps states of all open loops on the stack.
    seen: Vec<Tiles>,
    /// By token, oldest set first; `None` if which set is awaited next depends on the path.
    tokens: Vec<Option<VecDeque<Tiles>>>,
    waits: Waits,
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
    fn start(preset: impl Iterator<Item = usize>, waits: Waits) -> Unsettled {
        Unsettled {
            products: FxHashMap::default(),
            seen: vec![Tiles::default(); Pipe::ALL.len()],
            tokens: preset
                .map(|sets| Some(vec![Tiles::default(); sets].into()))
                .collect(),
            waits,
        }
    }

    fn each(&mut self) -> impl Iterator<Item = &mut Tiles> {
        let tokens = self.tokens.iter_mut().flatten().flatten();
        self.seen.iter_mut().chain(tokens)
    }

    /// Begins a product.
    fn begin(&mut self, tile: Tile, stmt: StmtId) {
        self.products.insert(tile, stmt);
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

    /// Treats all products as complete, if what may order them counts.
    fn settle_perhaps(&mut self) {
        if self.waits == Waits::Settle {
            self.settle();
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
                self.settle_perhaps();
            }
        }
    }

    /// Returns a product that may not be complete and to whose sums another one adds, or may add if whatever is not
    /// found has to be in order.
    fn before(&self, tile: Tile) -> Option<StmtId> {
        let mut pending = self.seen[Pipe::M as usize].iter().copied();
        let found = pending.find(|&it| match self.waits {
            Waits::Settle => it == tile,
            Waits::Count => may_be_same(it, tile),
        });
        self.products.get(&found?).copied()
    }

    /// Keeps the accumulators in constant slots, and those in slots that an expression picks as before.
    fn keep_slots(&mut self, is_steady: impl Fn(ScalarId) -> bool) {
        // A product that is forgotten counts as complete.
        if self.waits == Waits::Count {
            return;
        }
        let is_kept = |(_, slot, _): &Tile| match slot {
            SlotKey::Symbolic(id) => is_steady(*id),
            SlotKey::Constant(_) => true,
        };
        self.each().for_each(|tiles| tiles.retain(is_kept));
    }
}

/// The products that follow another one into their accumulator before it may be complete.
struct Pairs<'p> {
    program: &'p Program,
    /// The index of each event and raw flag.
    tokens: FxHashMap<Token, usize>,
    waits: Waits,
    found: Vec<HastyProduct<'p>>,
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
            StmtKind::Opaque | StmtKind::Havoc(_) => state.settle_perhaps(),
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
    fn of(program: &'p Program, waits: Waits) -> (Pairs<'p>, Unsettled) {
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
            waits,
            found: Vec::new(),
            seen: FxHashSet::default(),
        };
        (pairs, Unsettled::start(preset.into_iter(), waits))
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
            Class::CrossFlag | Class::Mutex => state.settle_perhaps(),
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
                state.settle_perhaps();
            }
        }
    }

    fn product(&mut self, stmt: &'p Stmt, instr: &'p Instr, state: &mut Unsettled) {
        let Some(dst) = instr.local(DST) else { return };
        let start = start(self.program, dst);
        // It may be any part of its slot.
        if start.is_none() && self.waits == Waits::Settle {
            return;
        }
        let tile = (dst.buffer, slot_key(self.program, dst), start);
        if let Some(before) = state.before(tile)
            && instr.flag_named(self.program, "is_init") != Some(true)
            && self.seen.insert(stmt.id)
        {
            self.found.push(HastyProduct {
                stmt,
                instr,
                dst,
                before,
            });
        }
        state.begin(tile, stmt.id);
    }

    /// Returns whether a slot expression picks the same slot after a variable has changed. An unknown value may have
    /// changed with it.
    fn is_steady(&self, slot: ScalarId, changed: VariableId) -> bool {
        let scalars = &self.program.scalars;
        !scalars.mentions(slot, changed) && !scalars.has_unknown(slot)
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

/// Returns the numbers of fractals that the result of a product can have, if its extents are known.
pub fn fractals(
    analysis: &Analysis,
    program: &Program,
    stmt: &Stmt,
    instr: &Instr,
    dst: &LocalView,
) -> Option<Interval> {
    let given = |names: [&str; 2], axis: usize| {
        let at = names
            .into_iter()
            .find_map(|name| instr.row().index_named(name))?;
        match &instr.args.get(at)?.value {
            ArgValue::Scalar(_) => analysis.argument(program, stmt.id, instr, at),
            ArgValue::None => program.size(dst.span[axis]).map(Interval::exact),
            _ => None,
        }
    };
    let [m, n] = [given(["m", "M"], 0)?, given(["n", "N"], 1)?];
    let count = |m: i64, n: i64| {
        let [m, n] = [m, n].map(|extent| (extent.max(1) - 1) / FRACTAL + 1);
        m.saturating_mul(n)
    };
    Some(Interval {
        min: count(m.min, n.min),
        max: count(m.max, n.max),
    })
}
