//! Loops over ranges: their items are known, so that each is evaluated.

use super::Eval;
use super::branches::known_truth;
use super::exits::{Exit, Flow};
use super::frame::{LoopFrame, inner_path};
use super::loops::Loop;
use super::types::{Kind, Ty};
use super::values::{Operand, Place};
use crate::library::Evaluated;
use crate::syntax::ast::{BinaryOp, RangeFor, Stmt};

impl<'u> Eval<'u> {
    /// Evaluates `for (T x : range) body`.
    pub(crate) fn range_for(&mut self, stmt: &'u Stmt, header: &'u RangeFor) -> Evaluated<Flow> {
        let scope = self.frame.open_scope();
        let range = self.expr(&header.range)?;
        let range = self.materialised(range)?;
        if let Place::Temporary(cell) = range.place {
            // The range lives as long as the loop.
            self.forget_temporary(cell);
            self.own(cell, &range.ty.clone(), range.span);
        }
        let broken = self.flag()?;
        let owned = self.frame.owned.len();
        self.frame.loops.push(LoopFrame::new(broken, owned));
        let path = self.path;
        let items = self.range_items(&range)?;
        let flow = match items {
            Some(items) => self.each_item(stmt, header, &items, 0)?,
            None => {
                let what = "what this loop runs over is not known";
                self.builder
                    .note_unknown(header.range.span, what.to_owned());
                // The body may run any number of times, so every cell that it can change is unknown afterwards.
                self.unknown_statement("a loop over this range", stmt.span)?;
                Flow::Normal
            }
        };
        self.path = path;
        let flow = self.consumed(flow, Exit::Break)?;
        self.frame.loops.pop();
        self.end_scope(scope, flow)
    }

    /// Returns the items of a range: the elements of an array, or those that the iterators of a class yield.
    pub(super) fn range_items(&mut self, range: &Operand) -> Evaluated<Option<Vec<Operand>>> {
        if let (Kind::Array(of, Some(length)), Some(array)) = (&range.ty.kind, range.object()) {
            let (of, length) = (of.clone(), *length);
            let of: Ty = match range.ty.is_const {
                true => of.as_ref().clone().constant(),
                false => of.as_ref().clone(),
            };
            let mut items = Vec::new();
            for at in 0..length {
                if let Some(cell) = self.element(array, at)? {
                    items.push(Operand::cell(of.clone(), cell, range.span));
                }
            }
            return Ok(Some(items));
        }
        let Some(class) = range.ty.class() else {
            return Ok(None);
        };
        let [begin, end] = ["begin", "end"].map(|name| {
            let found = self.find_in_class(class, &name.into())?;
            let functions = found
                .map(|found| self.functions_of(&found))
                .unwrap_or_default();
            let spans = (range.span, range.span);
            match self.choose(&functions, None, Some(range), &[])? {
                Ok(chosen) => self
                    .call_method(chosen, range.clone(), Vec::new(), true, spans)
                    .map(Some),
                Err(_) => Ok(None),
            }
        });
        let (Some(begin), Some(end)) = (begin?, end?) else {
            return Ok(None);
        };
        let ty = begin.ty.clone().unqualified();
        // The iterator is stepped, and `begin()` may have returned a reference to a member.
        let at = self.temporary(&ty)?;
        self.initialise_from(at, &ty, begin)?;
        let iterator = Operand::cell(ty, at, range.span);
        let mut items = Vec::new();
        loop {
            self.step()?;
            let differs = self.binary(BinaryOp::Ne, iterator.clone(), end.clone(), range.span)?;
            let differs = self.condition_of(differs, range.span)?;
            match known_truth(&differs) {
                Some(true) => {}
                Some(false) => return Ok(Some(items)),
                // A range whose end depends on data would need a loop of the program over iterators.
                None => return Ok(None),
            }
            let item = self.unary(
                crate::syntax::ast::UnaryOp::Dereference,
                iterator.clone(),
                range.span,
            )?;
            items.push(self.materialised(item)?);
            let stepped = self.overloaded("++", std::slice::from_ref(&iterator), range.span)?;
            if stepped.is_none() {
                let one = self.one_of(&iterator.ty, range.span);
                self.assign_with(iterator.clone(), Some(BinaryOp::Add), one, range.span)?;
            }
        }
    }

    pub(super) fn each_item(
        &mut self,
        stmt: &'u Stmt,
        header: &'u RangeFor,
        items: &[Operand],
        first: usize,
    ) -> Evaluated<Flow> {
        let path = self.path;
        for (at, item) in items.iter().enumerate().skip(first) {
            self.step()?;
            self.path = inner_path(path, (stmt.id.0, at));
            let scope = self.frame.open_scope();
            self.declare_item(&header.variable, item.clone())?;
            let of = Loop {
                stmt,
                condition: None,
                step: None,
                body: &header.body,
                body_first: false,
            };
            let flow = self.iteration(of)?;
            let flow = self.end_scope(scope, flow)?;
            match flow {
                Flow::Normal => {}
                Flow::Left(_) => {
                    self.path = path;
                    return Ok(flow);
                }
                Flow::Partly(goes_on, exits) => {
                    let key = (stmt.id.0, 7, self.path);
                    let flow = self.guarded(key, (goes_on, exits), |eval| {
                        eval.nested(|eval| eval.each_item(stmt, header, items, at + 1))
                    })?;
                    self.path = path;
                    return Ok(flow);
                }
            }
        }
        self.path = path;
        Ok(Flow::Normal)
    }

    /// Declares the variable of a loop over a range.
    pub(super) fn declare_item(
        &mut self,
        variable: &'u crate::syntax::ast::Variable,
        item: Operand,
    ) -> Evaluated<()> {
        use super::names::Local;
        let ty = match Self::is_placeholder(&variable.ty) {
            true => self.deduced_type(&variable.ty, &item)?,
            false => self.ty(&variable.ty)?,
        };
        let ty = match variable.is_const {
            true => ty.constant(),
            false => ty,
        };
        let local = match ty.is_reference() {
            true => {
                let bound = self.convert(item, &ty, false)?;
                let bound = self.materialised(bound)?;
                Local::Object(bound.ty, super::calls::named(bound.place))
            }
            false => {
                let span = variable.name_span;
                let cell = self.new_object(&ty, &variable.name, span)?;
                self.initialise_from(cell, &ty.clone().unqualified(), item)?;
                self.own(cell, &ty, span);
                Local::Object(ty, Place::Cell(cell))
            }
        };
        self.add_local(&variable.name, local);
        Ok(())
    }
}
