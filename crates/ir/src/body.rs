//! Stores the statements of a program and finds them by number.
//!
//! A [`Body`] is a tree of statements, which walkers see as nested slices, with an index of the position of
//! each statement. The index is built at its first use. It cannot be stale: the statements are private, and
//! they can be changed only through methods that drop the index.

use std::ops::Deref;
use std::slice;
use std::sync::OnceLock;

use crate::{Stmt, StmtId, StmtKind};

/// The statements of a program in order.
#[derive(Clone, Default)]
pub struct Body {
    statements: Vec<Stmt>,
    index: OnceLock<Index>,
}

/// One block of a branch that encloses a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Guard {
    /// The [`StmtKind::If`].
    pub branch: StmtId,
    /// The number of the block: the arms in order, then the block that runs where no arm does.
    pub block: usize,
}

/// A block of statements: the body of a program, or one of those of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockId {
    /// The statement that it belongs to; `None` for the body of the program.
    pub parent: Option<StmtId>,
    /// The number of the block in the order of [`StmtKind::blocks`].
    pub number: usize,
}

/// The positions of the statements of a body.
#[derive(Clone, Debug, Default)]
struct Index {
    /// Positions by number of the statement; `None` for numbers that no statement has.
    places: Vec<Option<Place>>,
    /// Lists of enclosing loops, one after the other.
    loops: Vec<StmtId>,
    /// Lists of enclosing branches, one after the other.
    guards: Vec<Guard>,
}

/// The position of a statement.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// The position among all statements, each one before those inside it.
    order: u32,
    /// The position of the last statement inside it, or its own.
    last: u32,
    /// The position in its block.
    at: u32,
    around: Around,
}

/// The context that all statements of a block share.
#[derive(Clone, Copy, Debug, Default)]
struct Around {
    /// The statement that the block belongs to, and the number of the block in it.
    parent: Option<(StmtId, u32)>,
    /// A part of [`Index::loops`].
    loops: Part,
    /// A part of [`Index::guards`].
    guards: Part,
    region: Option<StmtId>,
    is_atomic: bool,
}

/// The range of [`Index::loops`] or [`Index::guards`] that belongs to one block.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    start: u32,
    end: u32,
}

impl Part {
    fn of<T>(self, list: &[T]) -> &[T] {
        &list[self.start as usize..self.end as usize]
    }

    /// Appends the items of this part and one more to the list and returns the range of all of them.
    fn and<T: Copy>(self, list: &mut Vec<T>, last: T) -> Part {
        let start = list.len() as u32;
        // The list of an inner block repeats that of the outer one, so that each is a slice. The copies take
        // space proportional to the nesting depth.
        list.extend_from_within(self.start as usize..self.end as usize);
        list.push(last);
        Part {
            start,
            end: list.len() as u32,
        }
    }
}

impl Index {
    fn of(statements: &[Stmt]) -> Index {
        let mut index = Index::default();
        index.block(statements, Around::default(), 0);
        index
    }

    /// Adds the statements of a block, the first of which has this position; returns the next position.
    fn block(&mut self, block: &[Stmt], around: Around, mut next: u32) -> u32 {
        for (at, stmt) in block.iter().enumerate() {
            let order = next;
            next += 1;
            let (inside, is_branch) = self.inside(stmt, around);
            for (number, body) in stmt.kind.blocks().enumerate() {
                let mut inside = Around {
                    parent: Some((stmt.id, number as u32)),
                    ..inside
                };
                if is_branch {
                    let guard = Guard {
                        branch: stmt.id,
                        block: number,
                    };
                    inside.guards = around.guards.and(&mut self.guards, guard);
                }
                next = self.block(body, inside, next);
            }
            let place = Place {
                order,
                // The positions of the statements inside are contiguous, so that `contains` is a comparison
                // of numbers.
                last: next - 1,
                at: at as u32,
                around,
            };
            self.add(stmt.id, place);
        }
        next
    }

    /// Returns the context of the blocks of a statement, and whether the statement is a branch.
    fn inside(&mut self, stmt: &Stmt, around: Around) -> (Around, bool) {
        let mut inside = around;
        match stmt.kind {
            StmtKind::Loop { .. } | StmtKind::UnknownLoop { .. } => {
                inside.loops = around.loops.and(&mut self.loops, stmt.id);
            }
            // The outermost region counts: a nested one is a part of it.
            StmtKind::AutoSync { .. } => inside.region = around.region.or(Some(stmt.id)),
            StmtKind::Atomic { .. } => inside.is_atomic = true,
            _ => {}
        }
        (inside, matches!(stmt.kind, StmtKind::If { .. }))
    }

    fn add(&mut self, id: StmtId, place: Place) {
        if self.places.len() <= id.index() {
            self.places.resize(id.index() + 1, None);
        }
        self.places[id.index()] = Some(place);
    }

    fn place(&self, id: StmtId) -> Option<&Place> {
        self.places.get(id.index())?.as_ref()
    }

    /// Returns the path to a statement from the outermost block: numbers of blocks and positions in them.
    fn path(&self, id: StmtId) -> Option<Vec<(usize, usize)>> {
        let mut path = Vec::new();
        let mut next = Some((id, 0));
        while let Some((id, _)) = next {
            let place = self.place(id)?;
            next = place.around.parent;
            let block = next.map_or(0, |(_, block)| block as usize);
            path.push((block, place.at as usize));
        }
        path.reverse();
        Some(path)
    }
}

impl Body {
    /// Returns the statements for a change and drops the index.
    pub fn change(&mut self) -> &mut Vec<Stmt> {
        self.index.take();
        &mut self.statements
    }

    /// Returns the statement of this number for a change and drops the index.
    pub fn statement_mut(&mut self, id: StmtId) -> Option<&mut Stmt> {
        let path = self.index().path(id)?;
        let ((_, first), rest) = path.split_first()?;
        // The path is found before `change` drops the index.
        let mut stmt = self.change().get_mut(*first)?;
        for &(block, at) in rest {
            let body = stmt.kind.blocks_mut().into_iter().nth(block)?;
            stmt = body.get_mut(at)?;
        }
        Some(stmt)
    }

    /// Returns the statements without the index.
    pub fn into_statements(self) -> Vec<Stmt> {
        self.statements
    }

    /// Returns the statement of this number, in a time proportional to its nesting depth.
    pub(crate) fn statement(&self, id: StmtId) -> Option<&Stmt> {
        let place = self.index().place(id)?;
        let block = match place.around.parent {
            Some((parent, block)) => self.statement(parent)?.kind.blocks().nth(block as usize)?,
            None => &self.statements,
        };
        block.get(place.at as usize)
    }

    pub(crate) fn block(&self, id: StmtId) -> Option<BlockId> {
        let parent = self.index().place(id)?.around.parent;
        Some(BlockId {
            parent: parent.map(|(parent, _)| parent),
            number: parent.map_or(0, |(_, number)| number as usize),
        })
    }

    pub(crate) fn parent(&self, id: StmtId) -> Option<StmtId> {
        self.around(id).parent.map(|(parent, _)| parent)
    }

    pub(crate) fn loops(&self, id: StmtId) -> &[StmtId] {
        self.around(id).loops.of(&self.index().loops)
    }

    pub(crate) fn guards(&self, id: StmtId) -> &[Guard] {
        self.around(id).guards.of(&self.index().guards)
    }

    pub(crate) fn region(&self, id: StmtId) -> Option<StmtId> {
        self.around(id).region
    }

    pub(crate) fn is_atomic(&self, id: StmtId) -> bool {
        self.around(id).is_atomic
    }

    pub(crate) fn order(&self, id: StmtId) -> Option<u32> {
        Some(self.index().place(id)?.order)
    }

    pub(crate) fn contains(&self, outer: StmtId, inner: StmtId) -> bool {
        let places = [outer, inner].map(|id| self.index().place(id));
        matches!(places, [Some(outer), Some(inner)] if (outer.order..=outer.last).contains(&inner.order))
    }

    /// Returns the block, loops, guards and region around a statement; an empty context for a number that no
    /// statement has.
    fn around(&self, id: StmtId) -> Around {
        let place = self.index().place(id);
        place.map_or_else(Around::default, |place| place.around)
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::of(&self.statements))
    }
}

impl From<Vec<Stmt>> for Body {
    fn from(statements: Vec<Stmt>) -> Body {
        Body {
            statements,
            index: OnceLock::new(),
        }
    }
}

impl Deref for Body {
    type Target = [Stmt];

    fn deref(&self) -> &[Stmt] {
        &self.statements
    }
}

impl<'a> IntoIterator for &'a Body {
    type Item = &'a Stmt;
    type IntoIter = slice::Iter<'a, Stmt>;

    fn into_iter(self) -> Self::IntoIter {
        self.statements.iter()
    }
}

impl std::fmt::Debug for Body {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.statements.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AtomicKind, Branch, OriginId, Program, ScalarId, VariableId};
    use a2lint_source::text::Span;

    fn stmt(id: u32, kind: StmtKind) -> Stmt {
        Stmt {
            id: StmtId(id),
            span: Span::default(),
            origin: OriginId(0),
            kind,
        }
    }

    fn leaf(id: u32) -> Stmt {
        stmt(id, StmtKind::Break)
    }

    fn repeated(id: u32, body: Vec<Stmt>) -> Stmt {
        let [start, stop, step] = [0, 1, 2].map(ScalarId);
        let kind = StmtKind::Loop {
            variable: VariableId(0),
            start,
            stop,
            step,
            body,
        };
        stmt(id, kind)
    }

    /// Numbered when they end, as by the front end, without a statement 3.
    fn program() -> Program {
        let arm = Branch {
            condition: ScalarId(0),
            condition_span: Span::default(),
            body: vec![leaf(1)],
        };
        let branch = StmtKind::If {
            arms: vec![arm],
            otherwise: vec![leaf(2), leaf(4)],
        };
        let region = StmtKind::AutoSync {
            body: vec![repeated(6, vec![stmt(5, branch)])],
        };
        let atomic = StmtKind::Atomic {
            kind: AtomicKind::Add,
            body: vec![stmt(7, region)],
        };
        Program {
            body: vec![leaf(0), repeated(9, vec![stmt(8, atomic)]), leaf(10)].into(),
            ..Program::default()
        }
    }

    #[test]
    fn every_statement_is_found_with_what_stands_around_it() {
        let program = program();
        program.walk(&mut |stmt| {
            let found = program.statement(stmt.id).expect("a statement");
            assert!(std::ptr::eq(found, stmt));
        });
        assert!(program.statement(StmtId(3)).is_none());
        assert!(program.statement(StmtId(11)).is_none());
        let inner = StmtId(4);
        let around: Vec<u32> = program.ancestors(inner).map(|stmt| stmt.id.0).collect();
        assert_eq!(around, [5, 6, 7, 8, 9]);
        assert_eq!(program.loops(inner), [StmtId(9), StmtId(6)]);
        let guard = Guard {
            branch: StmtId(5),
            block: 1,
        };
        assert_eq!(program.guards(inner), [guard]);
        assert_eq!(program.block(inner), program.block(StmtId(2)));
        assert_ne!(program.block(inner), program.block(StmtId(1)));
        assert_eq!(program.region(inner), Some(StmtId(7)));
        assert_eq!(program.region(StmtId(7)), None);
        assert!(program.is_atomic(inner) && !program.is_atomic(StmtId(8)));
    }

    #[test]
    fn order_is_that_of_the_text_whatever_the_numbers() {
        let program = program();
        let mut seen = Vec::new();
        program.walk(&mut |stmt| seen.push(program.order(stmt.id)));
        assert_eq!(seen, (0..10).map(Some).collect::<Vec<_>>());
        assert!(program.contains(StmtId(9), StmtId(4)));
        assert!(program.contains(StmtId(4), StmtId(4)));
        assert!(!program.contains(StmtId(9), StmtId(10)));
        assert!(!program.contains(StmtId(4), StmtId(9)));
        assert!(!program.contains(StmtId(9), StmtId(3)));
    }

    #[test]
    fn a_changed_body_has_another_index() {
        let mut program = program();
        assert_eq!(program.order(StmtId(10)), Some(9));
        program.body.change().remove(0);
        assert_eq!(program.order(StmtId(10)), Some(8));
        let branch = program.body.statement_mut(StmtId(5)).expect("a branch");
        branch.kind = StmtKind::Continue;
        assert!(program.statement(StmtId(4)).is_none());
        assert_eq!(program.order(StmtId(10)), Some(5));
    }
}
