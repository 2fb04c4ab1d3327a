//! The places of accesses as linear expressions, with what is known of the numbers in them.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::moves::global_window;
use crate::scalar::{Given, Linear, Meaning, Pass, State, Symbol, Symbols, Visitor, walk_within};
use crate::{Analysis, Congruence, Interval};
use a2lint_ir::{
    BinaryOp, LocalView, Program, SpecialScalar, Stmt, StmtId, StmtKind, VariableId, View, Workers,
};

/// The memory that an access touches.
#[derive(Clone, Debug)]
pub enum Extent {
    /// A number of bytes from a start, counted from that of the slot.
    Bytes(Linear, i64),
    /// A window on a global tensor: for each axis, start, viewed extent and extent of the tensor.
    Window(Vec<[Option<Linear>; 3]>),
}

/// One operand of one statement.
#[derive(Clone, Debug)]
pub struct Place {
    /// Whether every element of a window on a global tensor is touched.
    pub is_touched: bool,
    /// The memory that it touches.
    pub extent: Extent,
    /// Expressions that are not negative there.
    pub facts: std::rc::Rc<Vec<Linear>>,
}

/// The places of the operands of some statements.
#[derive(Debug, Default)]
pub struct Places {
    pub(crate) symbols: Symbols,
    of: FxHashMap<(StmtId, usize), Place>,
    pub(super) passes: FxHashMap<StmtId, Pass>,
    /// For each branch, numbers that are all non-negative exactly where its first arm is taken.
    guards: FxHashMap<StmtId, Vec<Linear>>,
    /// The indices of the core, of the vec lane over all cores, and of the vec lane in its core.
    pub(super) lane: [Linear; 3],
    /// The numbers of cores and of vec lanes.
    pub(super) cores: Linear,
    pub(super) vec_lanes: Linear,
}

impl Places {
    /// Collects the places of some statements if some parameters are at least 1.
    pub fn of(
        program: &Program,
        analysis: &Analysis,
        positive: &[VariableId],
        wanted: &FxHashSet<StmtId>,
    ) -> Places {
        let given: Vec<Given> = positive.iter().map(|&id| Given::at_least_one(id)).collect();
        Places::within(program, analysis, &given, wanted)
    }

    /// Collects the places of some statements if parameters lie in the given ranges.
    pub fn within(
        program: &Program,
        analysis: &Analysis,
        given: &[Given],
        wanted: &FxHashSet<StmtId>,
    ) -> Places {
        let mut collect = Collect {
            program,
            analysis,
            wanted,
            of: FxHashMap::default(),
            passes: FxHashMap::default(),
            guards: FxHashMap::default(),
        };
        let symbols = walk_within(program, given, None, &mut collect);
        Places {
            of: collect.of,
            passes: collect.passes,
            guards: collect.guards,
            ..Places::bare(symbols)
        }
    }

    /// Creates an empty collection with symbols alone.
    pub fn bare(mut symbols: Symbols) -> Places {
        let lane = [
            SpecialScalar::CubeIdx,
            SpecialScalar::VecIdx,
            SpecialScalar::SubBlockIdx,
        ];
        let lane = lane.map(|special| symbols.special(special));
        let cores = symbols.special(SpecialScalar::CubeNum);
        let vec_lanes = symbols.special(SpecialScalar::VecNum);
        Places {
            of: FxHashMap::default(),
            passes: FxHashMap::default(),
            guards: FxHashMap::default(),
            symbols,
            lane,
            cores,
            vec_lanes,
        }
    }

    /// Adds the window of an operand on a tensor, with expressions that are not negative there.
    pub fn add_window(
        &mut self,
        at: (StmtId, usize),
        axes: Vec<[Option<Linear>; 3]>,
        facts: std::rc::Rc<Vec<Linear>>,
    ) {
        let place = Place {
            is_touched: false,
            extent: Extent::Window(axes),
            facts,
        };
        self.of.insert(at, place);
    }

    /// Returns the same places with the symbols of their numbers.
    pub fn with_symbols(self, symbols: Symbols) -> Places {
        Places {
            of: self.of,
            passes: self.passes,
            guards: self.guards,
            ..Places::bare(symbols)
        }
    }

    /// Returns the place of an operand.
    pub fn at(&self, stmt: StmtId, operand: usize) -> Option<&Place> {
        self.of.get(&(stmt, operand))
    }

    /// Returns whether two operands touch all of the same window on a global tensor.
    pub fn is_same_window(&self, a: (StmtId, usize), b: (StmtId, usize)) -> bool {
        let window = |at: (StmtId, usize)| match self.at(at.0, at.1).filter(|it| it.is_touched) {
            Some(Place {
                extent: Extent::Window(axes),
                ..
            }) => Some(axes),
            _ => None,
        };
        let axis = |[start, span, _]: &[Option<Linear>; 3]| Some((start.clone()?, span.clone()?));
        window(a).zip(window(b)).is_some_and(|(a, b)| {
            a.len() == b.len()
                && a.iter()
                    .zip(b)
                    .all(|(a, b)| axis(a).is_some() && axis(a) == axis(b))
        })
    }

    /// Returns the end of a window on a global tensor on one axis.
    pub fn end(&self, stmt: StmtId, operand: usize, axis: usize) -> Option<Linear> {
        let Extent::Window(axes) = &self.at(stmt, operand)?.extent else {
            return None;
        };
        let [start, span, _] = axes.get(axis)?;
        start.as_ref()?.plus_times(span.as_ref()?, 1)
    }

    /// Returns the workers and the share of an axis that each of them takes, if an access begins at that
    /// multiple of the index of its core or vec lane.
    pub fn share(&self, stmt: StmtId, operand: usize, axis: usize) -> Option<(Workers, i64)> {
        let end = self.end(stmt, operand, axis)?;
        let [core, lane, _] = &self.lane;
        let each = |index: &Linear| index.symbols().next().map(|it| end.coefficient(it));
        let shares = [(Workers::VecLanes, lane), (Workers::Cores, core)];
        let mut shares = shares.into_iter().map(|(of, index)| (of, each(index)));
        shares.find_map(|(of, each)| Some((of, each.filter(|&each| each > 0)?)))
    }

    /// Returns the number of elements that an access takes of an axis, if it is constant.
    pub fn length(&self, stmt: StmtId, operand: usize, axis: usize) -> Option<i64> {
        let Extent::Window(axes) = &self.at(stmt, operand)?.extent else {
            return None;
        };
        axes.get(axis)?[1].as_ref()?.as_constant()
    }

    /// Returns the parameters that a path of a branch compares with the index of a core or vec lane.
    pub fn compared_with_index(&self, of: Workers) -> Vec<VariableId> {
        let index = match of {
            Workers::Cores => &self.lane[0],
            Workers::VecLanes => &self.lane[1],
        };
        let index = index.symbols().next();
        let parameter = |fact: &Linear| {
            let others = fact.symbols().filter(|&it| Some(it) != index);
            let others: Vec<Symbol> = others.collect();
            let names_index = fact.symbols().any(|it| Some(it) == index);
            match others[..] {
                [only] if names_index && fact.coefficient(only).abs() == 1 => {
                    match self.meaning(only) {
                        Meaning::Parameter(id) => Some(*id),
                        _ => None,
                    }
                }
                _ => None,
            }
        };
        let joins = self
            .symbols
            .all()
            .filter_map(|symbol| match self.meaning(symbol) {
                Meaning::Either(_, values) => Some(values),
                _ => None,
            });
        let facts = joins.flatten().flat_map(|(_, facts)| facts.iter());
        let mut found: Vec<VariableId> = facts.filter_map(parameter).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns the number of workers.
    pub fn workers(&self, of: Workers) -> &Linear {
        match of {
            Workers::Cores => &self.cores,
            Workers::VecLanes => &self.vec_lanes,
        }
    }

    /// Returns a parameter, if some place depends on it.
    pub fn parameter(&self, id: VariableId) -> Option<Linear> {
        let symbol = self.symbols.named_as(&Meaning::Parameter(id))?;
        Some(Linear::symbol(symbol))
    }

    /// Returns parameters rounded up to whole tiles, if some place depends on such, each with its tile.
    pub fn rounded(&self) -> Vec<(VariableId, i64, Linear)> {
        let rounded = self.symbols.all().filter_map(|symbol| {
            let Meaning::Operation(BinaryOp::CeilDiv, number, tile) = self.meaning(symbol) else {
                return None;
            };
            let tile = tile.as_constant().filter(|&tile| tile > 0)?;
            let mut parameters = number.symbols();
            let (Some(only), None) = (parameters.next(), parameters.next()) else {
                return None;
            };
            let Meaning::Parameter(id) = self.meaning(only) else {
                return None;
            };
            let whole = Linear::symbol(symbol).times(tile)?;
            (*number == Linear::symbol(only)).then_some((*id, tile, whole))
        });
        rounded.collect()
    }

    /// Returns parameters that some place rounds down to whole tiles, each with the least common multiple of
    /// these tiles.
    pub fn cut(&self) -> Vec<(VariableId, i64)> {
        let mut cut: Vec<(VariableId, i64)> = Vec::new();
        for symbol in self.symbols.all() {
            let Meaning::Operation(BinaryOp::Div | BinaryOp::FloorDiv, number, tile) =
                self.meaning(symbol)
            else {
                continue;
            };
            let Some(tile @ 2..) = tile.as_constant() else {
                continue;
            };
            let known = Congruence::new(tile, 0);
            for id in self.parameters_of(number) {
                match cut.iter_mut().find(|known| known.0 == id) {
                    Some((_, all)) => {
                        let both = known.meet(Congruence::new(*all, 0));
                        *all = both.map_or(*all, |both| both.modulus);
                    }
                    None => cut.push((id, tile)),
                }
            }
        }
        cut
    }

    /// Returns the parameters that a number may equal: itself, or its values on the paths of a branch.
    fn parameters_of(&self, number: &Linear) -> Vec<VariableId> {
        let Some(only) = number.symbols().next() else {
            return Vec::new();
        };
        if *number != Linear::symbol(only) {
            return Vec::new();
        }
        match self.meaning(only) {
            Meaning::Parameter(id) => vec![*id],
            Meaning::Either(_, values) => {
                let values = values.iter();
                values
                    .flat_map(|(value, _)| self.parameters_of(value))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns numbers that are all non-negative exactly where the first arm of a branch is taken.
    pub fn guard(&self, branch: StmtId) -> Option<&[Linear]> {
        self.guards.get(&branch).map(Vec::as_slice)
    }

    /// Returns the extent of a tensor along an axis, as the program has it.
    pub fn extent(&self, stmt: StmtId, operand: usize, axis: usize) -> Option<Linear> {
        let Extent::Window(axes) = &self.at(stmt, operand)?.extent else {
            return None;
        };
        axes.get(axis)?[2].clone()
    }

    /// Returns an interval that contains a number.
    pub fn symbols_range(&self, number: &Linear) -> Interval {
        self.symbols.range(number)
    }

    /// Returns whether a number depends on an extent that only the launch fixes.
    pub fn is_open_extent(&self, number: &Linear) -> bool {
        let mut symbols = number.symbols();
        symbols.any(|symbol| matches!(self.meaning(symbol), Meaning::Extent(..)))
    }

    /// Returns the meaning of a symbol.
    pub(super) fn meaning(&self, symbol: Symbol) -> &Meaning {
        self.symbols.meaning(symbol)
    }
}

struct Collect<'a, 'p> {
    program: &'a Program,
    analysis: &'a Analysis<'p>,
    wanted: &'a FxHashSet<StmtId>,
    of: FxHashMap<(StmtId, usize), Place>,
    passes: FxHashMap<StmtId, Pass>,
    guards: FxHashMap<StmtId, Vec<Linear>>,
}

impl<'p> Visitor<'p> for Collect<'_, 'p> {
    fn statement(&mut self, state: &mut State<'p>, stmt: &'p Stmt) {
        if let StmtKind::If { arms, .. } = &stmt.kind {
            // Of the first arm alone: later ones also need that all conditions before them fail.
            let guard = arms.first().and_then(|arm| state.condition(arm.condition));
            self.guards.extend(guard.map(|guard| (stmt.id, guard)));
        }
        let StmtKind::Instr(instr) = &stmt.kind else {
            return;
        };
        if !self.wanted.contains(&stmt.id) {
            return;
        }
        let mut extents: Vec<(usize, Extent)> = Vec::new();
        let mut touched: Vec<usize> = Vec::new();
        for (operand, _, view) in instr.operands() {
            let extent = match view {
                View::Local(view) => self.bytes(state, stmt, operand, view),
                View::Global(_) => global_window(state, instr, operand).map(|window| {
                    touched.extend(window.is_grid.then_some(operand));
                    Extent::Window(window.axes)
                }),
            };
            extents.extend(extent.map(|extent| (operand, extent)));
        }
        let mut numbers = Vec::new();
        for (_, extent) in &extents {
            match extent {
                Extent::Bytes(start, _) => numbers.push(start.clone()),
                Extent::Window(axes) => numbers.extend(axes.iter().flatten().flatten().cloned()),
            }
        }
        for pass in self.program.loops(stmt.id) {
            let Some(pass) = self.passes.get(pass) else {
                continue;
            };
            // Relations between iterations are about these numbers, so facts about them are needed, too.
            numbers.push(pass.number.clone());
            numbers.extend(
                pass.counter
                    .iter()
                    .chain(&pass.step)
                    .chain(&pass.start)
                    .cloned(),
            );
        }
        // Which lanes execute the statement matters even where its places do not depend on them.
        numbers.extend(state.narrowed_lanes());
        // Shared by all operands of the statement.
        let facts = std::rc::Rc::new(state.facts(&numbers));
        for (operand, extent) in extents {
            let facts = facts.clone();
            let is_touched = touched.contains(&operand);
            let place = Place {
                extent,
                is_touched,
                facts,
            };
            self.of.insert((stmt.id, operand), place);
        }
    }

    fn body(&mut self, _state: &State<'p>, pass: Pass) {
        self.passes.insert(pass.id, pass);
    }
}

impl<'p> Collect<'_, 'p> {
    /// Returns the bytes from the first to the last one that an operand touches, as one range from its start.
    fn bytes(
        &self,
        state: &mut State<'p>,
        stmt: &Stmt,
        operand: usize,
        view: &LocalView,
    ) -> Option<Extent> {
        let footprint = &self.analysis.extent(stmt.id, operand)?.footprint;
        let (first, last) = footprint.may()?.hull()?;
        let [row, column] = view.offset.map(|offset| state.number(offset));
        let pitch = state.number(view.shape[1]);
        let row = state.binary(BinaryOp::Mul, row, pitch);
        let start = state.binary(BinaryOp::Add, row, column)?;
        let range = state.range_of(&start);
        let bits = view.dtype.bits();
        // Elements of half a byte may start inside of a byte.
        if bits % 8 != 0 {
            return None;
        }
        // The hull over all starts is that of one start, moved over their range.
        let [least, most] = [range.min, range.max].map(|start| view.dtype.bytes_of(start));
        let length = (last - first).checked_sub(most.checked_sub(least)?)?;
        let start = start.times(bits / 8)?.plus(first.checked_sub(least)?)?;
        (length > 0).then_some(Extent::Bytes(start, length))
    }
}
