//! Builds variables and scalar expressions.

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
        // Only an expression whose operands keep their values may be used in place of the temporary later
        // (`Builder::divided`).
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

    /// Makes a variable that the source declares and may update. Without `initial`, the variable has no value
    /// so far.
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

    /// Makes a variable that the source declares and that each path assigns itself.
    pub fn declare_unassigned(&mut self, name: &str, of: ScalarType, span: Span) -> VariableId {
        let variable = self.variable(VariableKind::Declared, name, of, span);
        self.declared_in.insert(variable, self.loops.len());
        variable
    }

    /// Returns whether a variable is declared outside the innermost open device loop, so that all iterations
    /// update the same variable.
    pub fn is_declared_outside_loop(&self, variable: VariableId) -> bool {
        let around = self.declared_in.get(&variable);
        around.is_some_and(|&around| around < self.loops.len())
    }

    /// Stores the value of an expression in a new temporary. [`Builder::capture`] does so only where the
    /// value may change.
    ///
    /// # Errors
    /// The program is too large.
    pub fn temporary(&mut self, value: ScalarId, of: ScalarType) -> Result<VariableId, TooLarge> {
        let span = self.statement;
        let temporary = self.variable(VariableKind::Temporary, "", of, span);
        self.assign(temporary, value)?;
        Ok(temporary)
    }

    /// Returns the parameters that determine the type of a variable; empty where its type is known, or
    /// depends on an unknown value.
    pub fn typed_by(&self, variable: VariableId) -> &[VariableId] {
        match self.typed_by.get(&variable) {
            Some(params) => params,
            None => &[],
        }
    }

    /// Adds the parameters that determine the type of an expression; returns `false` if an unknown value
    /// does.
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

    /// Stores the current value of an expression in a temporary, so that later changes of variables do not
    /// affect it. Constants and device queries are returned as they are.
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

    /// Returns whether an expression has the same value at every place of an iteration.
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

    /// Returns the expression of a temporary whose operands do not change in an iteration; `None` for other variables.
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

    /// Returns the scalar of the value of a variable at this place.
    pub fn read(&mut self, variable: VariableId) -> ScalarId {
        self.program.scalars.intern(Scalar::Variable(variable))
    }

    /// Returns whether a variable that is read here has no value so far. The variable counts as assigned
    /// afterwards, so that the front end reports it once.
    pub fn take_unset(&mut self, variable: VariableId) -> bool {
        self.unset.remove(&variable)
    }

    /// Returns the variables without a value at this place.
    pub fn unset(&self) -> &FxHashSet<VariableId> {
        &self.unset
    }

    /// Restores the set of variables that had no value at an earlier place, and returns the set of this
    /// place.
    pub fn replace_unset(&mut self, unset: FxHashSet<VariableId>) -> FxHashSet<VariableId> {
        std::mem::replace(&mut self.unset, unset)
    }

    /// Joins two paths: a variable has no value if it has none on one of the paths.
    pub fn join_unset(&mut self, unset: FxHashSet<VariableId>) {
        self.unset.extend(unset);
    }

    /// Returns the type of a variable that is initialised with an expression.
    pub fn type_of(&self, value: ScalarId) -> ScalarType {
        self.program
            .scalars
            .type_of(value)
            .unwrap_or(ScalarType::INT)
    }
}
