//! Objects of which a scalar of the program chooses one: `c ? a : b`, `array[i]`.
//!
//! Such an expression names an object: what is stored through it changes the object that the scalar chooses, and what
//! is read through it is what that object holds then. So it gets cells of its own that hold nothing but stand for the
//! objects ([`Phantom::OneOf`]); a store or read of one of them becomes a branch of the program for each object.

use std::rc::Rc;

use a2lint_ir::ScalarId;
use a2lint_source::text::Span;

use super::Eval;
use super::exits::Flow;
use super::frame::inner_path;
use super::memory::Phantom;
use super::types::{Kind, Ty};
use super::values::{CellId, Operand, Place, Pointer, Value};
use crate::library::Evaluated;
use crate::syntax::ast::Expr;

/// The objects that a cell stands for, and which of them is meant.
#[derive(Debug)]
pub(crate) struct Choice {
    /// The conditions under which the objects are meant, asked in order; the last object needs no question.
    conditions: Rc<[ScalarId]>,
    /// The cells, one more than there are conditions.
    cells: Vec<CellId>,
    /// Where it is chosen.
    span: Span,
}

impl Choice {
    /// Returns the cells of the objects.
    pub(crate) fn cells(&self) -> &[CellId] {
        &self.cells
    }
}

impl<'u> Eval<'u> {
    /// Returns the object among several that conditions choose, the first one that holds; the last object is meant
    /// where none does.
    pub(crate) fn chosen_object(
        &mut self,
        ty: Ty,
        conditions: Vec<ScalarId>,
        cells: &[CellId],
        span: Span,
    ) -> Evaluated<Operand> {
        if let [only] = cells {
            return Ok(Operand::cell(ty, *only, span));
        }
        let can_be_named = |cell: &CellId| {
            let cell = self.memory.get(*cell);
            // The type of the whole object decides which virtual function is called.
            cell.ty.is_like(&ty) && !cell.is_base
        };
        // An object with static storage exists before the program, where no scalar has a value.
        if !cells.iter().all(can_be_named) || self.memory.static_depth > 0 {
            return self.one_of_unknown(ty, span);
        }
        let conditions: Rc<[ScalarId]> = conditions.into();
        let chosen = self.temporary(&ty)?;
        for at in 0..self.cells_of(&ty)? {
            let choice = Choice {
                conditions: conditions.clone(),
                cells: cells.iter().map(|cell| cell.plus(at)).collect(),
                span,
            };
            let phantom = Phantom::OneOf(Rc::new(choice), None);
            self.memory.set_phantom(chosen.plus(at), phantom);
        }
        Ok(Operand::cell(ty, chosen, span))
    }

    /// Returns an object of which it is not known which one it is.
    fn one_of_unknown(&mut self, ty: Ty, span: Span) -> Evaluated<Operand> {
        let what = "which of several objects is meant is not known";
        self.builder.note_unknown(span, what.to_owned());
        let cell = self.phantom(&ty)?;
        Ok(Operand::cell(ty, cell, span))
    }

    /// Evaluates `a ? b : c` where both arms name objects of one type, so that the result names one of the objects;
    /// `None` for other arms. `arms` are the arms with their types.
    pub(super) fn conditional_object(
        &mut self,
        expr: &'u Expr,
        condition: (ScalarId, Span),
        ((then, first), (otherwise, second)): ((&'u Expr, &Operand), (&'u Expr, &Operand)),
    ) -> Evaluated<Option<Operand>> {
        let are_objects = [first, second]
            .iter()
            .all(|it| matches!(it.place, Place::Cell(_)) && it.ty.kind != Kind::Unknown);
        if !are_objects {
            return Ok(None);
        }
        if !first.ty.is_like(&second.ty) {
            // A base subobject of one of them may be meant.
            let base = self.common_base(first, second)?;
            return base
                .map(|ty| self.one_of_unknown(ty, expr.span))
                .transpose();
        }
        let ty = match second.ty.is_const {
            true => first.ty.clone().constant(),
            false => first.ty.clone(),
        };
        if self.is_typing {
            let cell = self.phantom(&ty)?;
            return Ok(Some(Operand::cell(ty, cell, expr.span)));
        }
        let mut cells = [None; 2];
        // Names of objects are found outside of the branch, if finding them only computes.
        let pure = self.pure_value(|eval| {
            for (at, part) in [then, otherwise].into_iter().enumerate() {
                let operand = eval.expr(part)?;
                cells[at] = cell_of(&operand);
                // Its conditions would be asked on paths that do not ask them.
                let choice = cells[at].and_then(|cell| eval.choice_of(cell));
                if choice.is_some_and(|it| it.conditions.iter().any(|it| eval.may_fail(*it))) {
                    return Ok(Value::Unknown);
                }
            }
            Ok(Value::Void)
        })?;
        if pure.is_none() {
            let age = self.memory.age();
            let key = self.expression_key(expr, 1);
            self.two_arms(key, condition, |eval, is_then| {
                let operand = eval.expr(if is_then { then } else { otherwise })?;
                // What an arm has made is gone after it.
                cells[usize::from(!is_then)] =
                    cell_of(&operand).filter(|cell| eval.memory.is_older(*cell, age));
                Ok(Flow::Normal)
            })?;
        }
        let [Some(a), Some(b)] = cells else {
            return self.one_of_unknown(ty, expr.span).map(Some);
        };
        self.chosen_object(ty, vec![condition.0], &[a, b], expr.span)
            .map(Some)
    }

    /// Reads an object that a reference to `const` is bound to, so that later reads of it only compute, as long as it
    /// does not change.
    pub(super) fn read_ahead(&mut self, object: &Operand, of: &Ty) -> Evaluated<()> {
        let chosen = object.object().filter(|it| self.choice_of(*it).is_some());
        let Some(cell) = chosen.filter(|_| of.is_const && !self.is_typing) else {
            return Ok(());
        };
        for leaf in self.leaves(cell)? {
            self.load_cell(leaf)?;
        }
        Ok(())
    }

    /// Reads the object that is chosen.
    pub(crate) fn load_choice(
        &mut self,
        id: CellId,
        choice: &Choice,
        seen: Option<Rc<[Value]>>,
    ) -> Evaluated<Value> {
        if self.is_typing {
            return Ok(Value::Unknown);
        }
        let mut values = Vec::with_capacity(choice.cells.len());
        for &cell in &choice.cells {
            values.push(self.load_cell(cell)?);
        }
        let is_same = |all: &[Value]| all.iter().zip(&values).all(|(a, b)| a.is_same(b));
        // What was read before is read again, so that comparisons with it are recognised.
        if seen.is_some_and(|seen| is_same(seen.as_ref())) {
            return Ok(self.memory.get(id).value.clone());
        }
        let first = values.first().cloned().unwrap_or(Value::Unknown);
        let value = match values.iter().all(|value| value.is_same(&first)) {
            true => first,
            false => self.chosen_value(id, choice, &values)?,
        };
        self.memory.set(id, value.clone(), false);
        let seen = Some(Rc::from(values));
        self.memory.see(id, seen);
        Ok(value)
    }

    fn chosen_value(&mut self, id: CellId, choice: &Choice, values: &[Value]) -> Evaluated<Value> {
        let ty = self.memory.get(id).ty.clone();
        if let (Kind::Int(of), [condition], [then, otherwise]) =
            (&ty.kind, &*choice.conditions, values)
            // A minimum or maximum operator keeps bounds that a branch would lose.
            && let Some(value) = self.smaller_or_larger(*condition, *of, then, otherwise)
        {
            return Ok(value);
        }
        let result = self.temporary(&ty)?;
        self.in_choice(choice, 0, &mut |eval, at| {
            eval.store_cell(result, values[at].clone())
        })?;
        self.load_cell(result)
    }

    /// Stores a value in the object that is chosen.
    pub(crate) fn store_choice(&mut self, choice: &Choice, value: &Value) -> Evaluated<()> {
        let is_object = choice.cells.iter().any(|cell| {
            let cell = self.memory.get(*cell);
            matches!(cell.ty.kind, Kind::Library(_))
        });
        if self.memory.static_depth > 0 || is_object || value.is_unknown() {
            if !value.is_unknown() {
                let what = "which of several objects is changed is not known";
                let place = self.builder.statement;
                self.builder.note_unknown(place, what.to_owned());
            }
            for &cell in &choice.cells {
                self.store_cell(cell, Value::Unknown)?;
                self.forget_union_siblings(cell)?;
            }
            return Ok(());
        }
        self.in_choice(choice, 0, &mut |eval, at| {
            let cell = choice.cells[at];
            eval.store_cell(cell, value.clone())?;
            eval.forget_union_siblings(cell)
        })
    }

    /// Copies the object that is chosen.
    pub(crate) fn copy_choice(&mut self, to: CellId, choice: &Choice) -> Evaluated<()> {
        self.in_choice(choice, 0, &mut |eval, at| {
            eval.copy_cells(to, choice.cells[at])
        })
    }

    /// Calls `work` for each of the objects from index `at` on, on the paths where the conditions choose that object.
    fn in_choice(
        &mut self,
        choice: &Choice,
        at: usize,
        work: &mut dyn FnMut(&mut Self, usize) -> Evaluated<()>,
    ) -> Evaluated<()> {
        let Some(&condition) = choice.conditions.get(at) else {
            return work(self, at);
        };
        // The same choice may be used in several statements, and several choices in one.
        let place = self.builder.statement.start;
        let path = inner_path(self.path, (place, at));
        let key = (choice.span.start, 15, path);
        self.nested(|eval| {
            eval.two_arms(key, (condition, choice.span), |eval, is_then| {
                match is_then {
                    true => work(eval, at)?,
                    false => eval.in_choice(choice, at + 1, work)?,
                }
                Ok(Flow::Normal)
            })
        })?;
        Ok(())
    }

    /// Returns the objects that a cell stands for, if it stands for one of several.
    pub(crate) fn choice_of(&self, cell: CellId) -> Option<Rc<Choice>> {
        match &self.memory.get(cell).phantom {
            Some(Phantom::OneOf(choice, _)) => Some(choice.clone()),
            _ => None,
        }
    }

    /// Returns whether a pointer points to an object that is not a single known one: it may be equal to a pointer to
    /// another cell.
    pub(crate) fn is_chosen(&self, value: &Value) -> bool {
        match value {
            Value::Pointer(Pointer::To(cell) | Pointer::End(cell)) => {
                self.memory.exists(*cell) && self.memory.get(*cell).phantom.is_some()
            }
            _ => false,
        }
    }
}

/// Returns the cell of an operand that names an object.
fn cell_of(operand: &Operand) -> Option<CellId> {
    match operand.place {
        Place::Cell(cell) => Some(cell),
        _ => None,
    }
}
