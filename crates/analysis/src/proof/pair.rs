//! Systems about two accesses at different times or of different lanes, by which they are shown to touch
//! nothing in common.
//!
//! Every number that may differ between the accesses has two unknowns, one for each; parameters have one.
//! What is known of both places, their relation, and that they overlap form one system: if it has no
//! solution, the accesses are apart. Minimum and maximum are split into cases. A quotient is described as the
//! number of whole parts, and products as in `products`: that suffices for `u // m, u % m`.

use rustc_hash::{FxHashMap, FxHashSet};

use super::places::{Extent, Place, Places};
use super::products::grows;
use super::system::{Cases, Form, System, Unknown};
use crate::scalar::{Linear, Meaning, Symbol};
use a2lint_ir::{BinaryOp, SpecialScalar, StmtId};
use a2lint_isa::Side;

/// The relation of two accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// Made by one lane in the same iteration of all common loops.
    SameIteration,
    /// Made by one lane in different iterations of a common loop, and in the same ones of the loops around
    /// that.
    Across(StmtId),
    /// Made by lanes of two cores.
    Cores(Side, Side),
    /// Made by the two vec lanes of a core.
    SubBlocks,
}

/// Maximum number of quantities that are split into cases.
const MOST_SPLITS: usize = 10;

/// The meaning of an unknown: a symbol, the product of a quotient and its divisor, the multiple of its
/// modulus that a symbol contains, or the number of tiles that something is rounded up to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Quantity {
    Symbol(Symbol),
    Whole(Linear, Linear),
    Times(Symbol),
    Tiles,
}

/// Two copies of the numbers of a kernel.
pub(super) struct Pair<'a> {
    pub(super) places: &'a Places,
    relation: Relation,
    pub(super) unknowns: FxHashMap<(Quantity, u8), Unknown>,
    private: FxHashMap<Symbol, bool>,
    /// The symbols that occur, in the order of their first use.
    pub(super) order: Vec<Symbol>,
    seen: FxHashSet<Symbol>,
}

impl<'a> Pair<'a> {
    pub fn new(places: &'a Places, relation: Relation) -> Self {
        Pair {
            places,
            relation,
            unknowns: FxHashMap::default(),
            private: FxHashMap::default(),
            order: Vec::new(),
            seen: FxHashSet::default(),
        }
    }

    /// Makes both copies share a symbol.
    pub(super) fn fix(&mut self, symbol: Symbol) {
        self.private.insert(symbol, false);
    }

    /// Returns whether each copy has a value of its own for a symbol.
    pub(super) fn is_private(&mut self, symbol: Symbol) -> bool {
        if let Some(&known) = self.private.get(&symbol) {
            return known;
        }
        let is_private = match self.places.meaning(symbol).clone() {
            Meaning::Parameter(_) | Meaning::Extent(..) => false,
            Meaning::Special(special) => match special {
                SpecialScalar::CubeNum | SpecialScalar::VecNum => false,
                SpecialScalar::CubeIdx => matches!(self.relation, Relation::Cores(..)),
                SpecialScalar::VecIdx | SpecialScalar::SubBlockIdx => {
                    matches!(self.relation, Relation::Cores(..) | Relation::SubBlocks)
                }
            },
            Meaning::Operation(_, a, b) => {
                let mut symbols = a
                    .symbols()
                    .chain(b.symbols())
                    .collect::<Vec<_>>()
                    .into_iter();
                symbols.any(|symbol| self.is_private(symbol))
            }
            Meaning::Iteration | Meaning::LoopHead(_) | Meaning::Some | Meaning::Either(..) => {
                match self.relation {
                    Relation::SameIteration => false,
                    Relation::Across(id) => {
                        let pass = self.places.passes.get(&id);
                        // Symbols that were made in the body of the loop differ between its iterations.
                        pass.is_none_or(|pass| symbol.number() >= pass.mark)
                    }
                    Relation::Cores(..) | Relation::SubBlocks => true,
                }
            }
        };
        self.private.insert(symbol, is_private);
        is_private
    }

    /// Returns the copies that have their own value for a symbol, or 0 for a shared one.
    pub(super) fn copies(&mut self, symbol: Symbol) -> &'static [u8] {
        match self.is_private(symbol) {
            true => &[1, 2],
            false => &[0],
        }
    }

    fn quantity(&mut self, quantity: Quantity, copy: u8) -> Unknown {
        let next = self.unknowns.len() as Unknown;
        *self.unknowns.entry((quantity, copy)).or_insert(next)
    }

    pub(super) fn symbol(&mut self, symbol: Symbol, copy: u8) -> Form {
        if self.seen.insert(symbol) {
            self.order.push(symbol);
        }
        let copy = if self.is_private(symbol) { copy } else { 0 };
        Form::unknown(self.quantity(Quantity::Symbol(symbol), copy))
    }

    /// Returns the number of tiles that something is rounded up to.
    pub fn tiles(&mut self) -> Form {
        Form::unknown(self.quantity(Quantity::Tiles, 0))
    }

    /// Adds the known residue classes of the symbols that occur.
    pub fn classes(&mut self, system: &mut System) {
        for symbol in self.order.clone() {
            let class = self.places.symbols.congruence(&Linear::symbol(symbol));
            if class.modulus <= 1 {
                continue;
            }
            for &copy in self.copies(symbol) {
                let times = Form::unknown(self.quantity(Quantity::Times(symbol), copy));
                let own = self.symbol(symbol, copy).plus_number(-class.remainder);
                let gap = own.plus(&times, -class.modulus);
                gap.into_iter().for_each(|gap| system.add_zero(gap));
            }
        }
    }

    /// Returns a number, as one of the copies has it.
    pub fn form(&mut self, number: &Linear, copy: u8) -> Option<Form> {
        let mut form = Form::constant(number.constant_part());
        for (symbol, coefficient) in number.terms() {
            let symbol = self.symbol(symbol, copy);
            form = form.plus(&symbol, coefficient)?;
        }
        Some(form)
    }

    /// Returns the condition that both touch something in common; empty if it cannot be expressed.
    pub fn overlap(&mut self, a: &Place, b: &Place) -> Vec<Form> {
        match (&a.extent, &b.extent) {
            (Extent::Bytes(start, length), Extent::Bytes(other, others)) => {
                let lengths = [length, others].map(|&length| Form::constant(length));
                let starts = [self.form(start, 1), self.form(other, 2)];
                between(starts, lengths.map(Some))
            }
            (Extent::Window(mine), Extent::Window(theirs)) if mine.len() == theirs.len() => {
                let mut forms = Vec::new();
                for (mine, theirs) in mine.iter().zip(theirs) {
                    let mut number = |axis: &[Option<Linear>; 3], at: usize, copy| {
                        axis[at].as_ref().and_then(|number| self.form(number, copy))
                    };
                    let starts = [number(mine, 0, 1), number(theirs, 0, 2)];
                    let spans = [number(mine, 1, 1), number(theirs, 1, 2)];
                    forms.extend(between(starts, spans));
                }
                forms
            }
            _ => Vec::new(),
        }
    }

    /// Adds the relation of the copies to a system; returns cases of which one holds.
    pub fn relation(&mut self, system: &mut System) -> Vec<Cases> {
        match self.relation {
            Relation::SameIteration => Vec::new(),
            Relation::Across(id) => self.across(id),
            Relation::Cores(first, second) => self.lanes([first, second], 0, system),
            Relation::SubBlocks => self.lanes([Side::Vec; 2], 2, system),
        }
    }

    fn across(&mut self, id: StmtId) -> Vec<Cases> {
        let Some(pass) = self.places.passes.get(&id).cloned() else {
            return Vec::new();
        };
        let number = [1, 2].map(|copy| self.form(&pass.number, copy));
        let counter = [1, 2].map(|copy| pass.counter.as_ref().and_then(|it| self.form(it, copy)));
        let rises = pass.rises;
        // Counters of different iterations differ by at least a step, if that is positive.
        let step = pass.step.as_ref().filter(|_| rises);
        let step = step.and_then(|step| self.form(step, 0));
        let cases = [(0, 1), (1, 0)].map(|(low, high)| {
            let mut case: Vec<Form> = less(&number[low], &number[high]).into_iter().collect();
            if let (Some(step), Some(low), Some(high)) = (&step, &counter[low], &counter[high]) {
                let gap = high.plus(low, -1).and_then(|gap| gap.plus(step, -1));
                case.extend(gap);
            }
            case
        });
        vec![cases.to_vec()]
    }

    /// Adds two lanes that differ in one of their indices.
    fn lanes(&mut self, sides: [Side; 2], differ: usize, system: &mut System) -> Vec<Cases> {
        let lane = self.places.lane.clone();
        for (copy, side) in [(1, sides[0]), (2, sides[1])] {
            let forms = lane.each_ref().map(|number| self.form(number, copy));
            let [Some(core), Some(over_all), Some(own)] = forms else {
                // Fewer inequalities can only make a proof fail, never make it wrong.
                continue;
            };
            let twice = core.plus(&core, 1).and_then(|twice| twice.plus(&own, 1));
            let number = match side {
                // The index of a vec lane is twice that of its core plus its own in the core.
                Side::Vec => twice,
                _ => Some(core.clone()),
            };
            if let Some(gap) = number.and_then(|number| number.plus(&over_all, -1)) {
                system.add_zero(gap);
            }
            for fact in self.places.symbols.facts(&lane) {
                self.form(&fact, copy)
                    .into_iter()
                    .for_each(|form| system.add(form));
            }
        }
        let mut splits = vec![self.differs(&lane[differ].clone(), 1)];
        splits.extend(self.dealt(differ, sides[0] == sides[1]));
        splits
    }

    /// Returns cases for copies of a number that differ by at least `by`.
    fn differs(&mut self, number: &Linear, by: i64) -> Cases {
        let both = [1, 2].map(|copy| self.form(number, copy));
        let cases = [(0, 1), (1, 0)];
        cases
            .map(|(low, high)| apart(&both[low], &both[high], by).into_iter().collect())
            .to_vec()
    }

    /// Returns cases for lanes to which the iterations of a loop are dealt in turn: their counters differ by
    /// at least a share.
    fn dealt(&mut self, differ: usize, is_one_side: bool) -> Vec<Cases> {
        let [core, lane, _] = self.places.lane.clone();
        let (cores, lanes) = (&self.places.cores, &self.places.vec_lanes);
        let mut passes: Vec<_> = self.places.passes.values().collect();
        // Only some cases are kept, so their order must not depend on the hash map.
        passes.sort_by_key(|pass| pass.id);
        let mut splits = Vec::new();
        for pass in passes {
            let (Some(start), Some(step), Some(counter)) = (&pass.start, &pass.step, &pass.counter)
            else {
                continue;
            };
            let by_core = self.share(start, step, [&core, cores]);
            let by_lane = self.share(start, step, [&lane, lanes]);
            let share = by_core
                .filter(|_| differ == 0)
                .or(by_lane.filter(|_| is_one_side));
            let takes_part = counter.symbols().any(|it| self.seen.contains(&it));
            if let Some(share) = share.filter(|_| takes_part) {
                splits.push(self.differs(counter, share));
            }
        }
        splits
    }

    /// Returns the number of iterations that a lane takes in its turn: the start is that number times its
    /// index plus a common part, and the step is that number times the number of lanes.
    pub(super) fn share(
        &mut self,
        start: &Linear,
        step: &Linear,
        [own, all]: [&Linear; 2],
    ) -> Option<i64> {
        let (symbol, of_all) = all.terms().next()?;
        let share = step.coefficient(symbol) / of_all;
        let is_all = share > 0 && all.times(share).as_ref() == Some(step);
        let together = start.minus(&own.times(share).filter(|_| is_all)?)?;
        let mut symbols = together.symbols();
        symbols.all(|it| !self.is_private(it)).then_some(share)
    }

    /// Adds what is known of results that are not linear; returns further cases.
    pub fn operations(&mut self, system: &mut System) -> Vec<Cases> {
        let (mut orders, mut extremes) = (Vec::new(), Vec::new());
        // The list grows while the loop runs: describing an operation adds the symbols of its operands.
        let mut at = 0;
        while let Some(&symbol) = self.order.get(at) {
            at += 1;
            let Meaning::Operation(op, a, b) = self.places.meaning(symbol).clone() else {
                continue;
            };
            let copies = self.copies(symbol);
            match op {
                BinaryOp::Min | BinaryOp::Max => {
                    for &copy in copies {
                        extremes.extend(self.extreme(symbol, op, [&a, &b], copy));
                    }
                }
                BinaryOp::Div | BinaryOp::Mod if b.as_constant().is_none() => {
                    let mut rounds_down = true;
                    for &copy in copies {
                        rounds_down &= self.quotient(symbol, op, [&a, &b], copy, system);
                    }
                    if copies.len() == 2 && rounds_down {
                        orders.extend(self.whole_parts(symbol, op, [&a, &b]));
                    }
                }
                BinaryOp::Mul if copies.len() == 2 => {
                    orders.extend(self.product(symbol, [&a, &b], system));
                }
                BinaryOp::Mul if [&a, &b].iter().any(|it| self.is_quotient(it)) => {
                    // `flags` needs what is known of its factors.
                    self.form(&a, 0).and(self.form(&b, 0));
                }
                _ => {}
            }
        }
        orders.extend(self.shared_factors(system));
        orders.extend(self.flags(system));
        // Cases that are left out can only make a proof fail.
        orders.truncate(MOST_SPLITS);
        extremes.truncate(2 * MOST_SPLITS);
        orders.into_iter().chain(extremes).collect()
    }

    /// Adds what is known of minima, maxima and quotients alone, see [`Pair::operations`].
    pub fn choices(&mut self, system: &mut System) -> Vec<Cases> {
        let mut extremes = Vec::new();
        let mut at = 0;
        while let Some(&symbol) = self.order.get(at) {
            at += 1;
            let Meaning::Operation(op, a, b) = self.places.meaning(symbol).clone() else {
                continue;
            };
            for &copy in self.copies(symbol) {
                match op {
                    BinaryOp::Min | BinaryOp::Max => {
                        extremes.extend(self.extreme(symbol, op, [&a, &b], copy));
                    }
                    BinaryOp::Div | BinaryOp::Mod if b.as_constant().is_none() => {
                        self.quotient(symbol, op, [&a, &b], copy, system);
                    }
                    BinaryOp::Mul => {
                        // A product with a quotient needs what is known of that quotient.
                        for factor in [&a, &b] {
                            if self.is_quotient(factor) {
                                self.form(factor, copy);
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        extremes.truncate(2 * MOST_SPLITS);
        extremes
    }

    /// Returns the cases of a minimum or maximum: it is one of the two numbers.
    fn extreme(
        &mut self,
        symbol: Symbol,
        op: BinaryOp,
        of: [&Linear; 2],
        copy: u8,
    ) -> Option<Cases> {
        let result = self.symbol(symbol, copy);
        let numbers = [self.form(of[0], copy)?, self.form(of[1], copy)?];
        let mut cases = Vec::new();
        for (mine, other) in [(0, 1), (1, 0)] {
            let gap = numbers[mine].plus(&result, -1)?;
            let negated = Form::default().plus(&gap, -1)?;
            let order = match op {
                BinaryOp::Min => numbers[other].plus(&numbers[mine], -1)?,
                _ => numbers[mine].plus(&numbers[other], -1)?,
            };
            cases.push(vec![gap, negated, order]);
        }
        Some(cases)
    }

    /// Adds `a = whole + rest`, where `whole` is the quotient times the divisor and `rest` is less than the
    /// divisor. Returns `false`, and adds nothing, if the division may not round down.
    fn quotient(
        &mut self,
        symbol: Symbol,
        op: BinaryOp,
        [a, b]: [&Linear; 2],
        copy: u8,
        system: &mut System,
    ) -> bool {
        if !self.divides_well(a, b, copy, system) {
            return false;
        }
        let whole = self.whole(a, b, copy);
        let forms = (self.form(a, copy), self.form(b, copy));
        let (Some(a), Some(b)) = forms else {
            return false;
        };
        let Some(rest) = a.plus(&whole, -1) else {
            return false;
        };
        if op == BinaryOp::Mod {
            let result = self.symbol(symbol, copy);
            rest.plus(&result, -1)
                .into_iter()
                .for_each(|gap| system.add_zero(gap));
        }
        if let Some(room) = b.plus(&rest, -1) {
            system.add(room.plus_number(-1));
        }
        system.add(rest);
        true
    }

    /// Returns whether a division rounds down: its dividend is not negative, and its divisor is positive.
    pub(super) fn divides_well(
        &mut self,
        a: &Linear,
        b: &Linear,
        copy: u8,
        system: &System,
    ) -> bool {
        let one_less = self.form(b, copy).map(|b| b.plus_number(-1));
        system.implies(self.form(a, copy)) && system.implies(one_less)
    }

    /// Returns the product of a quotient and its divisor, which the kernel may compute itself.
    fn whole(&mut self, a: &Linear, b: &Linear, copy: u8) -> Form {
        let quotient = Meaning::Operation(BinaryOp::Div, a.clone(), b.clone());
        let symbols = &self.places.symbols;
        let product = symbols.named_as(&quotient).and_then(|quotient| {
            let quotient = Linear::symbol(quotient);
            let one = Meaning::Operation(BinaryOp::Mul, quotient.clone(), b.clone());
            let other = Meaning::Operation(BinaryOp::Mul, b.clone(), quotient);
            symbols.named_as(&one).or(symbols.named_as(&other))
        });
        match product {
            Some(product) => self.symbol(product, copy),
            None => Form::unknown(self.quantity(Quantity::Whole(a.clone(), b.clone()), copy)),
        }
    }

    /// Returns cases for the quotients of both copies: a smaller quotient has a whole part that is smaller by
    /// at least a divisor.
    fn whole_parts(&mut self, symbol: Symbol, op: BinaryOp, [a, b]: [&Linear; 2]) -> Option<Cases> {
        let is_shared = b.symbols().all(|symbol| !self.is_private(symbol));
        if op != BinaryOp::Div || !is_shared {
            return None;
        }
        let quotients = [self.symbol(symbol, 1), self.symbol(symbol, 2)];
        let wholes = [self.whole(a, b, 1), self.whole(a, b, 2)];
        let divisor = self.form(b, 0)?;
        grows(&quotients, &wholes, &divisor)
    }
}

/// Returns the condition that two ranges overlap and are not empty.
fn between(starts: [Option<Form>; 2], lengths: [Option<Form>; 2]) -> Vec<Form> {
    let ([Some(a), Some(b)], [Some(x), Some(y)]) = (&starts, &lengths) else {
        return Vec::new();
    };
    let ends = [(a, x, b), (b, y, a)].map(|(start, length, other)| {
        let end = start.plus(length, 1)?;
        Some(end.plus(other, -1)?.plus_number(-1))
    });
    let filled = [x, y].map(|length| Some(length.clone().plus_number(-1)));
    ends.into_iter().chain(filled).flatten().collect()
}

/// Returns the condition that one number is less than another.
fn less(low: &Option<Form>, high: &Option<Form>) -> Option<Form> {
    apart(low, high, 1)
}

/// Returns the condition that one number is less than another by at least `by`.
fn apart(low: &Option<Form>, high: &Option<Form>, by: i64) -> Option<Form> {
    let gap = high.as_ref()?.plus(low.as_ref()?, -1)?;
    Some(gap.plus_number(-by))
}
