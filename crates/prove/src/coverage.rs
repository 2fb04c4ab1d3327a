//! Every element of an output that is meant to be stored whole is stored.
//!
//! Whole are tensors that are returned and that nothing loads, adds to or hands in. How large they are, signatures,
//! contracts and launches in sight say. Where nobody does, the largest extents that stores are known to reach are a
//! precondition: `y is at most [M, 64]`.

use rustc_hash::FxHashMap;

use super::bounds::{choices, furthest, is_open, text};
use super::ownership::Store;
use super::{Assumption, Base, Extents, Least, Limit, Precondition, Subject};
use a2lint_analysis::{Apart, Cover, Linear, Places, Stores, sizes};
use a2lint_ir::{GlobalId, Program, Stmt, StmtId, StmtKind, VariableId, View};
use a2lint_isa::Side;
use a2lint_machine::Contents;

/// What outputs are stored whole by.
#[derive(Default)]
pub(super) struct Covered {
    /// Shapes that launches in sight say.
    pub seen: Vec<Assumption>,
    /// What is asked of launches.
    pub asked: Vec<Precondition>,
}

/// How stores reach all of one output.
type Reached = (Option<Assumption>, Option<Precondition>);

/// Whether outputs are stored whole; one that may not be.
pub(super) fn covered(
    subject: &Subject,
    stores: &[Store],
    places: &Places,
) -> Result<Covered, GlobalId> {
    let mut covered = Covered::default();
    let branches = Branches::of(subject.program);
    for &output in &subject.program.outputs {
        if !is_meant_whole(subject, stores, output) {
            continue;
        }
        let groups = groups(subject, stores, &branches, output, places).into_iter();
        let reached = groups.filter_map(|group| reached(subject, &group, output, places));
        let Some((seen, asked)) = reached.into_iter().next() else {
            return Err(output);
        };
        covered.seen.extend(seen);
        covered.asked.extend(asked);
    }
    Ok(covered)
}

/// Whether every element of an output has to be stored: nothing loads it, adds to it or hands it in.
fn is_meant_whole(subject: &Subject, stores: &[Store], output: GlobalId) -> bool {
    let program = subject.program;
    let is_loaded = program.instructions().iter().any(|(_, instr)| {
        let mut operands = instr.operands();
        operands.any(|(_, operand, view)| {
            let is_own = View::global(view).is_some_and(|view| view.global == output);
            is_own && operand.access.reads()
        })
    });
    let is_added_to = stores
        .iter()
        .any(|store| store.global == output && store.is_atomic);
    let mut launches = subject.launches.iter();
    let is_handed_in = launches
        .any(|launch| !matches!(launch.globals[output.index()].contents, Contents::Undefined));
    !is_loaded && !is_added_to && !is_handed_in
}

/// Stores to one output that stand in the same loops and branches.
fn groups<'s>(
    subject: &'s Subject,
    stores: &[Store],
    branches: &Branches,
    output: GlobalId,
    places: &Places,
) -> Vec<Stores<'s>> {
    let mut groups: Vec<(Vec<Arm>, Stores)> = Vec::new();
    let own = stores.iter().filter(|store| store.global == output);
    for (arms, store) in branches.joined(subject, own, places) {
        // Where other arms execute is not followed.
        let first = arms.iter().all(|(_, arm)| *arm == 0);
        let guards: Option<Vec<&[Linear]>> = arms
            .iter()
            .map(|(branch, _)| places.guard(*branch))
            .collect();
        let Some(guards) = guards.filter(|_| first && store.side != Side::Both) else {
            continue;
        };
        let at = (store.stmt, store.operand);
        let loops = subject.structure.around(store.stmt).loops.as_slice();
        let same = groups.iter_mut().find(|(others, group)| {
            (&*others, group.loops, group.side) == (&arms, loops, store.side)
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

/// How some stores reach all of an output.
fn reached(
    subject: &Subject,
    stores: &Stores,
    output: GlobalId,
    places: &Places,
) -> Option<Reached> {
    let program = subject.program;
    let &(stmt, operand) = stores.all.first()?;
    let axes = program.global(output).shape.len();
    let apart = Apart::new(places);
    let cover = apart.cover(stores, axes).filter(|_| axes > 0)?;
    let (mut shape, mut most) = (Vec::new(), Vec::new());
    for axis in 0..axes {
        let own = places.extent(stmt, operand, axis)?;
        let (mut seen, mut asked) = (None, None);
        if !places.is_open_extent(&own) {
            cover.reaches(axis, &own).then_some(())?;
        } else if is_open(subject, output, axis) {
            asked = Some(longest(subject, &cover, (stmt, operand, axis), places)?);
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

/// The largest extent, of those that one parameter or a number says, that stores reach all of.
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
    let mut all = numbers.into_iter().chain(rounded).chain(plain);
    all.find(reaches)
}

/// Whether a statement may leave the loop around it, or its iteration.
fn leaves(stmt: &Stmt) -> bool {
    let mut leaves = false;
    stmt.walk(&mut |inner| {
        leaves |= matches!(inner.kind, StmtKind::Break | StmtKind::Continue);
    });
    leaves
}

/// A branch, and which of its blocks: the arms in order, then what runs where no arm does.
type Arm = (StmtId, usize);

/// The branches around statements.
#[derive(Default)]
struct Branches {
    /// The arms that a statement stands in, outermost first; none of those that loops may leave out.
    around: FxHashMap<StmtId, Vec<Arm>>,
    /// How many blocks a branch has.
    blocks: FxHashMap<StmtId, usize>,
}

impl Branches {
    fn of(program: &Program) -> Branches {
        let mut branches = Branches::default();
        branches.block(&program.body, &[]);
        branches
    }

    fn block(&mut self, block: &[Stmt], around: &[Arm]) {
        for stmt in block {
            match &stmt.kind {
                StmtKind::If { .. } => {
                    for (at, body) in stmt.kind.blocks().enumerate() {
                        let inside: Vec<Arm> =
                            around.iter().copied().chain([(stmt.id, at)]).collect();
                        self.block(body, &inside);
                    }
                    self.blocks.insert(stmt.id, stmt.kind.blocks().count());
                }
                StmtKind::UnknownLoop { .. } => {}
                // Iterations may be left out, or parts of them.
                StmtKind::Loop { body, .. } if body.iter().any(leaves) => {}
                kind => {
                    self.around.insert(stmt.id, around.to_vec());
                    for body in kind.blocks() {
                        self.block(body, around);
                    }
                }
            }
        }
    }

    /// Stores with the arms that they stand in. Where all blocks of a branch store the same window, one store of them
    /// stands for all, outside of the branch.
    fn joined<'a>(
        &self,
        subject: &Subject,
        stores: impl Iterator<Item = &'a Store>,
        places: &Places,
    ) -> Vec<(Vec<Arm>, &'a Store)> {
        let known = stores.filter_map(|store| Some((self.around.get(&store.stmt)?.clone(), store)));
        let mut all: Vec<(Vec<Arm>, &Store)> = known.collect();
        let place = |store: &Store| (store.stmt, store.operand);
        let loops = |store: &Store| &subject.structure.around(store.stmt).loops;
        let mut at = 0;
        while at < all.len() {
            let (arms, first) = all[at].clone();
            let Some((&(branch, 0), outside)) = arms.split_last() else {
                at += 1;
                continue;
            };
            let same = |arm: usize| {
                all.iter().position(|(others, store)| {
                    others.split_last() == Some((&(branch, arm), outside))
                        && store.side == first.side
                        && loops(store) == loops(first)
                        && places.is_same_window(place(store), place(first))
                })
            };
            let others: Option<Vec<usize>> = (1..self.blocks[&branch]).map(same).collect();
            match others {
                Some(mut others) => {
                    all[at].0.pop();
                    others.sort_unstable();
                    others.into_iter().rev().for_each(|other| {
                        all.remove(other);
                    });
                    at = 0;
                }
                None => at += 1,
            }
        }
        all
    }
}
