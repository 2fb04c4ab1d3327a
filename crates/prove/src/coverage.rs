//! Proves that every element of an output is stored, if the output is meant to be stored whole.
//!
//! That applies to tensors that are returned and that nothing loads, adds to or initialises. Their extents come
//! from the signature, the contract or the known launches. Otherwise the largest extents that the stores are
//! known to cover become a precondition: `y is at most [M, 64]`.

use std::cmp::Reverse;

use rustc_hash::FxHashSet;

use super::bounds::{choices, furthest, is_open, text};
use super::demands;
use super::ownership::Store;
use super::{Assumption, Base, Extents, Least, Limit, Precondition, Subject};
use a2lint_analysis::{
    Cover, Disjointness, Factor, Linear, Places, StoredKind, StoredPart, StoredRow, Stores, Sum,
    sizes,
};
use a2lint_ir::{GlobalId, Guard, Program, Scalar, Stmt, StmtId, StmtKind, VariableId, View};
use a2lint_isa::Side;
use a2lint_machine::Contents;

/// The assumptions and preconditions under which outputs are stored whole.
#[derive(Default)]
pub(super) struct Covered {
    /// Shapes that the known launches have in common.
    pub seen: Vec<Assumption>,
    /// Preconditions on shapes.
    pub asked: Vec<Precondition>,
}

/// The assumption and the precondition under which stores cover one output.
type Reached = (Option<Assumption>, Option<Precondition>);

/// Returns the assumptions and preconditions under which all outputs are stored whole.
///
/// # Errors
/// An output that may not be stored whole.
pub(super) fn covered(
    subject: &Subject,
    stores: &[Store],
    places: &Places,
) -> Result<Covered, GlobalId> {
    let mut covered = Covered::default();
    let left_out = left_out(subject.program);
    for &output in &subject.program.outputs {
        if !is_meant_whole(subject, stores, output) {
            continue;
        }
        let groups = groups(subject, stores, &left_out, output, places).into_iter();
        let mut reached = groups.filter_map(|group| reached(subject, &group, output, places));
        let reached = reached
            .next()
            .or_else(|| reached_flat(subject, stores, &left_out, output, places));
        let Some((seen, asked)) = reached else {
            return Err(output);
        };
        covered.seen.extend(seen);
        covered.asked.extend(asked);
    }
    Ok(covered)
}

/// Returns what a proof says about tensors that a kernel changes in place, which it need not store whole: the shape
/// with which all of it is stored, or that the other elements keep their values.
pub(super) fn kept(subject: &Subject, stores: &[Store], places: &Places) -> Vec<Assumption> {
    let program = subject.program;
    let left_out = left_out(program);
    let mut changed: Vec<GlobalId> = stores.iter().map(|store| store.global).collect();
    changed.sort_unstable();
    changed.dedup();
    changed.retain(|&global| {
        if program.is_scratch(global) {
            return false;
        }
        let is_added_to = stores.iter().any(|it| it.global == global && it.is_atomic);
        !is_added_to && !is_meant_whole(subject, stores, global) && is_loaded(program, global)
    });
    let said = changed.into_iter().filter_map(|global| {
        let groups = groups(subject, stores, &left_out, global, places).into_iter();
        let mut reached = groups.filter_map(|group| reached(subject, &group, global, places));
        match reached.find(|(_, asked)| asked.is_none()) {
            Some((seen, _)) => seen,
            None => Some(Assumption::kept(&program.global(global).name)),
        }
    });
    said.collect()
}

/// Returns whether an instruction loads a global tensor.
fn is_loaded(program: &Program, global: GlobalId) -> bool {
    program.instructions().iter().any(|(_, instr)| {
        let mut operands = instr.operands();
        operands.any(|(_, operand, view)| {
            let is_own = View::global(view).is_some_and(|view| view.global == global);
            is_own && operand.access.reads()
        })
    })
}

/// Returns whether an output must be stored completely: the kernel does not load, accumulate into or initialise it.
fn is_meant_whole(subject: &Subject, stores: &[Store], output: GlobalId) -> bool {
    let is_added_to = stores
        .iter()
        .any(|store| store.global == output && store.is_atomic);
    // An output with given contents may keep them where nothing is stored.
    let mut launches = subject.launches.iter();
    let is_handed_in = launches
        .any(|launch| !matches!(launch.globals[output.index()].contents, Contents::Undefined));
    !is_loaded(subject.program, output) && !is_added_to && !is_handed_in
}

/// Groups the stores to one output by the loops and branches around them.
fn groups<'s>(
    subject: &'s Subject,
    stores: &[Store],
    left_out: &FxHashSet<StmtId>,
    output: GlobalId,
    places: &Places,
) -> Vec<Stores<'s>> {
    let mut groups: Vec<(Vec<Guard>, Stores)> = Vec::new();
    let own = stores.iter().filter(|store| store.global == output);
    for (arms, store) in joined(subject.program, left_out, own, places) {
        // Guards are known for first arms only (`Places::guard`).
        let first = arms.iter().all(|arm| arm.block == 0);
        let guards: Option<Vec<&[Linear]>> =
            arms.iter().map(|arm| places.guard(arm.branch)).collect();
        let Some(guards) = guards.filter(|_| first && store.side != Side::Both) else {
            continue;
        };
        let at = (store.stmt, store.operand);
        let loops = subject.program.loops(store.stmt);
        let same = groups.iter_mut().find(|(others, group)| {
            (others, group.loops, group.side) == (&arms, loops, store.side)
        });
        match same {
            Some((_, group)) => group.all.push(at),
            None => {
                let group = Stores {
                    all: vec![at],
                    loops,
                    side: store.side,
                    guards: guards.concat(),
                };
                groups.push((arms, group));
            }
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Returns the assumption and the precondition under which some stores cover all of an output.
fn reached(
    subject: &Subject,
    stores: &Stores,
    output: GlobalId,
    places: &Places,
) -> Option<Reached> {
    let program = subject.program;
    let &(stmt, operand) = stores.all.first()?;
    let axes = program.global(output).shape.len();
    let apart = Disjointness::new(places);
    let cover = apart.cover(stores, axes).filter(|_| axes > 0)?;
    let (mut shape, mut most) = (Vec::new(), Vec::new());
    for axis in 0..axes {
        let own = places.extent(stmt, operand, axis)?;
        let (mut seen, mut asked) = (None, None);
        if !places.is_open_extent(&own) && cover.reaches(axis, &own) {
            // No assumption is needed.
        } else if is_open(subject, output, axis) {
            asked = Some(longest(subject, &cover, (stmt, operand, axis), places)?);
        } else if !places.is_open_extent(&own) {
            return None;
        } else {
            let ends = stores.all.iter();
            let ends = ends.map(|&(stmt, operand)| places.end(stmt, operand, axis));
            let said = choices(subject, (output, axis), furthest(ends, places));
            let said = said.into_iter().flatten();
            let mut said = said.filter(|same| {
                let number = same.number(places);
                number.is_some_and(|number| cover.reaches(axis, &number))
            });
            seen = Some(said.next()?);
        }
        shape.push(seen);
        most.push(asked);
    }
    let asked = most.iter().any(Option::is_some).then(|| {
        Precondition::Extents(Extents {
            global: output,
            name: program.global(output).name.to_string(),
            limit: Limit::AtMost,
            least: most,
        })
    });
    Some((text(subject, output, &shape), asked))
}

/// Stores to an output with one axis, whose length no contract gives.
struct Flat {
    stored: StoredRow,
    /// The lengths that stores reach, as far as launches have them.
    lengths: Vec<Sum>,
}

impl Flat {
    fn new(
        subject: &Subject,
        stores: &[Store],
        left_out: &FxHashSet<StmtId>,
        output: GlobalId,
        places: &Places,
    ) -> Option<Flat> {
        let program = subject.program;
        let [axis] = program.global(output).shape[..] else {
            return None;
        };
        let is_extent = matches!(program.scalars.get(axis), Scalar::Extent(..));
        let contract = program.contract.tensor(&program.global(output).name);
        (is_extent && contract.is_none()).then_some(())?;
        let own: Vec<&Store> = stores.iter().filter(|it| it.global == output).collect();
        let side = own.first()?.side;
        let is_one = side != Side::Both && own.iter().all(|store| store.side == side);
        is_one.then_some(())?;
        let row = Row {
            own: &own,
            left_out,
            places,
        };
        let stored = StoredRow {
            parts: row.parts(&program.body, &[])?,
            side,
        };
        let apart = Disjointness::new(places);
        let mut lengths: Vec<Sum> = Vec::new();
        for store in &own {
            for end in apart.ends((store.stmt, store.operand), 0, &|_| true)? {
                let condition = at_most(subject, output, &end);
                let mut launches = subject.launches.iter();
                let is_kept = launches.all(|launch| condition.holds_in(launch));
                if is_kept && !lengths.contains(&end) {
                    lengths.push(end);
                }
            }
        }
        // Bounds ask for a tensor that has all of them, so the longest comes first.
        lengths.sort_by_cached_key(|length| Reverse(demands::value(&program.demands, length)));
        Some(Flat { stored, lengths })
    }
}

/// Returns the precondition that an output with one axis is no longer than this.
fn at_most(subject: &Subject, output: GlobalId, length: &Sum) -> Precondition {
    let program = subject.program;
    Precondition::Extents(Extents {
        global: output,
        name: program.global(output).name.to_string(),
        limit: Limit::AtMost,
        least: vec![Some(Least::of_sum(program, length.clone()))],
    })
}

/// Returns the precondition under which the stores cover all of an output with one axis: it is no longer than they
/// reach, as in the known launches.
fn reached_flat(
    subject: &Subject,
    stores: &[Store],
    left_out: &FxHashSet<StmtId>,
    output: GlobalId,
    places: &Places,
) -> Option<Reached> {
    let flat = Flat::new(subject, stores, left_out, output, places)?;
    let apart = Disjointness::new(places);
    let groups = groups(subject, stores, left_out, output, places);
    let covers: Vec<Cover> = groups
        .iter()
        .filter_map(|group| apart.cover(group, 1))
        .collect();
    let is_covered = |length: &Sum| {
        let number = linear(places, length);
        number.is_some_and(|number| covers.iter().any(|cover| cover.reaches(0, &number)))
    };
    let mut lengths = flat.lengths.iter();
    let length = lengths.find(|it| is_covered(it) || apart.reaches(&flat.stored, it))?;
    Some((None, Some(at_most(subject, output, length))))
}

/// Returns a sum as a linear expression, if it has no products.
fn linear(places: &Places, sum: &Sum) -> Option<Linear> {
    let start = Linear::constant(sum.constant);
    sum.terms.iter().try_fold(start, |all, (factors, by)| {
        let number = match factors[..] {
            [Factor::Parameter(id)] => places.parameter(id)?,
            [Factor::Workers(of)] => places.workers(of).clone(),
            _ => return None,
        };
        all.plus_times(&number, *by)
    })
}

/// The stores to an output with one axis.
struct Row<'a> {
    own: &'a [&'a Store],
    left_out: &'a FxHashSet<StmtId>,
    places: &'a Places,
}

impl Row<'_> {
    /// Returns what a block stores, where some numbers are not negative; `None` if it is not known whether it is
    /// stored.
    fn parts(&self, block: &[Stmt], guards: &[Linear]) -> Option<Vec<StoredPart>> {
        let mut all = Vec::new();
        for stmt in block {
            let kind = match &stmt.kind {
                StmtKind::Instr(_) => {
                    let own = self.own.iter().filter(|store| store.stmt == stmt.id);
                    let own = own.map(|store| StoredKind::Store((store.stmt, store.operand)));
                    own.collect()
                }
                StmtKind::Loop { body, .. } => match self.parts(body, &[])? {
                    parts if parts.is_empty() => Vec::new(),
                    _ if self.left_out.contains(&stmt.id) => return None,
                    parts => vec![StoredKind::Loop(stmt.id, parts)],
                },
                StmtKind::If { .. } => {
                    all.extend(self.branch(stmt, guards)?);
                    continue;
                }
                StmtKind::UnknownLoop { body } => {
                    self.parts(body, &[])?.is_empty().then_some(())?;
                    Vec::new()
                }
                kind => {
                    for inner in kind.blocks() {
                        all.extend(self.parts(inner, guards)?);
                    }
                    continue;
                }
            };
            all.extend(kind.into_iter().map(|kind| StoredPart {
                guards: guards.to_vec(),
                kind,
            }));
        }
        Some(all)
    }

    /// Returns what a branch stores: what its first block stores where the condition holds, and what the other one
    /// stores where it does not.
    fn branch(&self, stmt: &Stmt, guards: &[Linear]) -> Option<Vec<StoredPart>> {
        let blocks = stmt.kind.blocks().map(|block| self.parts(block, &[]));
        let blocks: Option<Vec<Vec<StoredPart>>> = blocks.collect();
        let mut blocks = blocks?;
        if blocks.iter().all(Vec::is_empty) {
            return Some(Vec::new());
        }
        let own = self.places.guard(stmt.id)?;
        let guarded = |parts: Vec<StoredPart>, more: &[Linear]| -> Vec<StoredPart> {
            let parts = parts.into_iter().map(|part| StoredPart {
                guards: [guards, more, &part.guards].concat(),
                kind: part.kind,
            });
            parts.collect()
        };
        let first = guarded(std::mem::take(blocks.first_mut()?), own);
        if blocks.iter().all(Vec::is_empty) {
            return Some(first);
        }
        // Of a condition that is a conjunction, the contrary is none.
        let ([_, otherwise], [condition]) = (&mut blocks[..], own) else {
            return None;
        };
        let fails = condition.times(-1)?.plus(-1)?;
        let second = guarded(std::mem::take(otherwise), &[fails]);
        Some(first.into_iter().chain(second).collect())
    }
}

/// Returns the largest extent, in terms of a parameter or a constant, that the stores cover.
fn longest(
    subject: &Subject,
    cover: &Cover,
    (stmt, operand, axis): (StmtId, usize, usize),
    places: &Places,
) -> Option<Least> {
    let program = subject.program;
    let number = |plus: i64| Least { base: None, plus };
    let name = |id: VariableId| program.variable(id).name.to_string();
    let of = |base: Base| Least {
        base: Some(base),
        plus: 0,
    };
    let reaches = |least: &Least| {
        let length = least.number(places).and_then(|length| length.exact());
        length.is_some_and(|length| cover.reaches(axis, &length))
    };
    let end = places.end(stmt, operand, axis)?;
    let most = places.symbols_range(&end).max;
    let numbers = (most != i64::MAX).then(|| number(most));
    let rounded = places.rounded().into_iter();
    let rounded = rounded.map(|(id, tile, _)| of(Base::Rounded(id, name(id), tile)));
    let plain = sizes(program).into_iter();
    let plain = plain.map(|id| of(Base::Parameter(id, name(id))));
    // Largest first: the end of accesses over all launches, then rounded parameters, then parameters.
    let mut all = numbers.into_iter().chain(rounded).chain(plain);
    all.find(reaches)
}

/// Returns the loops that may skip iterations, or parts of them.
fn left_out(program: &Program) -> FxHashSet<StmtId> {
    let mut found = FxHashSet::default();
    program.walk(&mut |stmt| match stmt.kind {
        StmtKind::Break | StmtKind::Continue => found.extend(program.loops(stmt.id)),
        StmtKind::UnknownLoop { .. } => found.extend([stmt.id]),
        _ => {}
    });
    found
}

/// Returns the stores with the branches around them, except for those in loops that may skip iterations. If all
/// blocks of a branch store the same window, one of the stores replaces them, outside of the branch.
fn joined<'a>(
    program: &Program,
    left_out: &FxHashSet<StmtId>,
    stores: impl Iterator<Item = &'a Store>,
    places: &Places,
) -> Vec<(Vec<Guard>, &'a Store)> {
    let loops = |store: &Store| program.loops(store.stmt);
    let known = stores.filter(|store| !loops(store).iter().any(|id| left_out.contains(id)));
    let known = known.map(|store| (program.guards(store.stmt).to_vec(), store));
    let mut all: Vec<(Vec<Guard>, &Store)> = known.collect();
    let place = |store: &Store| (store.stmt, store.operand);
    let mut at = 0;
    while at < all.len() {
        let (arms, first) = all[at].clone();
        let Some((&Guard { branch, block: 0 }, outside)) = arms.split_last() else {
            at += 1;
            continue;
        };
        let same = |block: usize| {
            all.iter().position(|(others, store)| {
                others.split_last() == Some((&Guard { branch, block }, outside))
                    && store.side == first.side
                    && loops(store) == loops(first)
                    && places.is_same_window(place(store), place(first))
            })
        };
        let branch = program.statement(branch);
        let blocks = branch.map_or(0, |branch| branch.kind.blocks().count());
        let others: Option<Vec<usize>> = (1..blocks).map(same).collect();
        match others {
            Some(mut others) => {
                all[at].0.pop();
                others.sort_unstable();
                others.into_iter().rev().for_each(|other| {
                    all.remove(other);
                });
                // A merged store may now match stores in the blocks of an outer branch, so the search starts
                // again.
                at = 0;
            }
            None => at += 1,
        }
    }
    all
}
