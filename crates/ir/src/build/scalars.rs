//! Variables and scalar expressions.

use rustc_hash::FxHashSet;

use super::builder::{Builder, TooLarge};
use crate::{
    BinaryOp, CompareOp, Number, Scalar, ScalarId, ScalarType, StmtKind, Variable, VariableId,
    VariableKind,
};
use a2lint_source::text::Span;

impl Builder {
    /// Makes a variable.
    pub fn variable(
        &mut self,
        kind: VariableKind,
        name: &str,
        of: ScalarType,
        span: Span,
    ) -> VariableId {
        self.program.variables.push(Variable {
            name: name.into(),
            dtype: of.known(),
            kind,
            span,
            copy_of: None,
            assignments: 0,
            folded: None,
        });
        let id = VariableId(self.program.variables.len() as u32 - 1);
        self.program.scalars.declare(id, of);
        if kind == VariableKind::Param && of.or_float {
            self.typed_by.insert(id, vec![id]);
        }
        id
    }

    /// Emits `variable = value`.
    ///
    /// # Errors
    /// The program is too large.
    pub fn assign(&mut self, variable: VariableId, value: ScalarId) -> Result<(), TooLarge> {
        self.unset.remove(&variable);
        let declared = &mut self.program.variables[variable.index()];
        declared.assignments += 1;
        // What nothing can change later may be looked into.
        let kind = declared.kind;
        if kind == VariableKind::Temporary && self.is_lasting(value) {
            self.made_of.insert(variable, value);
        }
        let declared = &mut self.program.variables[variable.index()];
        if declared.dtype.is_none() && declared.assignments == 1 {
            let mut params = Vec::new();
            if self.collect_params(value, &mut params) {
                self.typed_by.insert(variable, params);
            }
        }
        self.emit(StmtKind::Assign { variable, value })
    }

    /// Makes a variable that the source declares and may update. `initial` is its first value; without one, it has
    /// none.
    ///
    /// # Errors
    /// The program is too large.
    pub fn declare(
        &mut self,
        name: &str,
        of: ScalarType,
        initial: Option<ScalarId>,
        span: Span,
    ) -> Result<VariableId, TooLarge> {
        let variable = self.declare_unassigned(name, of, span);
        match initial {
            Some(initial) => self.assign(variable, initial)?,
            None => {
                self.unset.insert(variable);
            }
        }
        Ok(variable)
    }

    /// Makes a variable that the source declares, and that each path assigns on its own.
    pub fn declare_unassigned(&mut self, name: &str, of: ScalarType, span: Span) -> VariableId {
        let variable = self.variable(VariableKind::Declared, name, of, span);
        self.declared_in.insert(variable, self.loops.len());
        variable
    }

    /// Whether the innermost device loop that is open stands inside of what declares a variable: each of its iterations
    /// updates the same one.
    pub fn is_declared_outside_loop(&self, variable: VariableId) -> bool {
        let around = self.declared_in.get(&variable);
        around.is_some_and(|&around| around < self.loops.len())
    }

    /// Holds the value of an expression in a new temporary, whatever it is. [`Builder::capture`] does so where it has
    /// to be.
    ///
    /// # Errors
    /// The program is too large.
    pub fn temporary(&mut self, value: ScalarId, of: ScalarType) -> Result<VariableId, TooLarge> {
        let span = self.statement;
        let temporary = self.variable(VariableKind::Temporary, "", of, span);
        self.assign(temporary, value)?;
        Ok(temporary)
    }

    /// The parameters that decide the type of a variable; nothing where its type is known, or follows
    /// from what is not.
    pub fn typed_by(&self, variable: VariableId) -> &[VariableId] {
        match self.typed_by.get(&variable) {
            Some(params) => params,
            None => &[],
        }
    }

    /// Adds the parameters that decide the type of an expression; `false` if something unknown does.
    fn collect_params(&self, value: ScalarId, params: &mut Vec<VariableId>) -> bool {
        if !self.type_of(value).or_float {
            return true;
        }
        match self.program.scalars.get(value) {
            Scalar::Variable(id) => {
                let own = self.typed_by(id);
                let new = own.iter().filter(|id| !params.contains(id)).copied();
                let new: Vec<VariableId> = new.collect();
                params.extend(new);
                !own.is_empty()
            }
            Scalar::Unary(_, a) => self.collect_params(a, params),
            Scalar::Binary(_, a, b) => {
                self.collect_params(a, params) && self.collect_params(b, params)
            }
            _ => false,
        }
    }

    /// Stores the current value of an expression, so that later changes of variables do not
    /// reach it. Constants and device queries stand for themselves.
    ///
    /// # Errors
    /// The program is too large.
    pub fn capture(&mut self, value: ScalarId) -> Result<ScalarId, TooLarge> {
        if self.is_fixed(value) {
            return Ok(value);
        }
        let of = self.type_of(value);
        let temporary = self.temporary(value, of)?;
        Ok(self.program.scalars.intern(Scalar::Variable(temporary)))
    }

    /// Whether an expression has the same value wherever it is asked for in an iteration.
    fn is_lasting(&self, value: ScalarId) -> bool {
        match self.program.scalars.get(value) {
            Scalar::Variable(id) => self.program.variable(id).kind != VariableKind::Declared,
            Scalar::Binary(_, a, b) => self.is_lasting(a) && self.is_lasting(b),
            Scalar::Unary(_, a) => self.is_lasting(a),
            Scalar::Compare(..) => false,
            _ => true,
        }
    }

    fn is_fixed(&self, value: ScalarId) -> bool {
        match self.program.scalars.get(value) {
            Scalar::Int(_)
            | Scalar::Large(_)
            | Scalar::Float(_)
            | Scalar::Special(_)
            | Scalar::Extent(..)
            | Scalar::Unknown(_) => true,
            Scalar::Variable(id) => {
                let variable = self.program.variable(id);
                variable.kind == VariableKind::Temporary
            }
            Scalar::Unary(_, a) => self.is_fixed(a),
            Scalar::Binary(..) | Scalar::Compare(..) => false,
        }
    }

    /// The expression of a temporary, where that keeps its value.
    pub fn made_of(&self, temporary: VariableId) -> Option<ScalarId> {
        self.made_of.get(&temporary).copied()
    }

    /// Returns the scalar of an integer.
    pub fn int(&mut self, value: i64) -> ScalarId {
        self.program.scalars.int(value)
    }

    /// Returns a new scalar of which nothing is known.
    pub fn unknown(&mut self) -> ScalarId {
        self.program.scalars.unknown()
    }

    /// Returns the result of an operation.
    pub fn binary(&mut self, op: BinaryOp, a: ScalarId, b: ScalarId) -> ScalarId {
        self.program.scalars.binary(op, a, b)
    }

    /// Returns the result of a comparison.
    pub fn compare(&mut self, op: CompareOp, a: ScalarId, b: ScalarId) -> ScalarId {
        self.program.scalars.compare(op, a, b)
    }

    /// Returns the scalar of a number.
    pub fn number(&mut self, number: Number) -> ScalarId {
        match number {
            Number::Int(value) => self.program.scalars.whole(value),
            Number::Float(value) => self.program.scalars.float(value),
        }
    }

    /// Returns the scalar of what a variable holds at this place.
    pub fn read(&mut self, variable: VariableId) -> ScalarId {
        self.program.scalars.intern(Scalar::Variable(variable))
    }

    /// Whether a variable that is read here has no value so far. It counts as having one afterwards, so that the front
    /// end says so once.
    pub fn take_unset(&mut self, variable: VariableId) -> bool {
        self.unset.remove(&variable)
    }

    /// The variables without a value at this place.
    pub fn unset(&self) -> &FxHashSet<VariableId> {
        &self.unset
    }

    /// Goes back to the variables that had no value at an earlier place, and returns those of this one.
    pub fn replace_unset(&mut self, unset: FxHashSet<VariableId>) -> FxHashSet<VariableId> {
        std::mem::replace(&mut self.unset, unset)
    }

    /// Joins two paths: what one of them leaves without a value has none.
    pub fn join_unset(&mut self, unset: FxHashSet<VariableId>) {
        self.unset.extend(unset);
    }

    /// The type that a variable has if it is made of an expression.
    pub fn type_of(&self, value: ScalarId) -> ScalarType {
        self.program
            .scalars
            .type_of(value)
            .unwrap_or(ScalarType::INT)
    }
}
