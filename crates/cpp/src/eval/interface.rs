//! What a library and the entry points of kernels use of an evaluation.

use a2lint_ir::{NamedValue, Number, ScalarId};
use a2lint_source::text::Span;

use super::names::{ContextKind, Entity, NamespaceId};
use super::types::{Kind, TemplateArg, Ty};
use super::values::{CellId, FloatValue, FunctionId, IntValue, Operand, Value};
use super::{Eval, Place};
use crate::library::Evaluated;
use crate::syntax::ast::{Function, Name};

/// A data member of a class.
#[derive(Clone, Debug)]
pub struct FieldOf {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Ty,
    /// Its offset in bytes.
    pub offset: u64,
    /// The place of its declaration.
    pub span: Span,
}

impl<'u> Eval<'u> {
    /// Returns how many blocks (loops, branches) of the program are open.
    pub fn depth(&self) -> usize {
        self.blocks.len()
    }

    /// Returns the names of the variables of the functions that are being evaluated.
    pub fn local_names(&self) -> impl Iterator<Item = &str> {
        self.frame.locals.iter().map(|(name, _)| &**name)
    }

    /// Returns the functions of all namespaces, in order of their declaration.
    pub fn all_functions(&mut self) -> Vec<(FunctionId, &'u Function)> {
        let mut found: Vec<&'u Function> = Vec::new();
        let mut contexts = Vec::new();
        for namespace in &self.namespaces {
            for entity in namespace.names.values().flatten() {
                if let Entity::Function(decl) = entity {
                    found.push(decl);
                    contexts.push(namespace.context.clone());
                }
            }
        }
        let mut all: Vec<(FunctionId, &'u Function)> = found
            .into_iter()
            .zip(contexts)
            .map(|(decl, context)| (self.function(decl, &context, None), decl))
            .collect();
        all.sort_by_key(|(_, decl)| decl.id);
        all
    }

    /// Returns the function of a name in the global namespace that has a body.
    pub fn function_named(&mut self, name: &str) -> Option<FunctionId> {
        let all = self.all_functions();
        let found = all.iter().find(|(id, decl)| {
            let is_global = matches!(
                self.info(*id).context.kind,
                ContextKind::Namespace(NamespaceId(0))
            );
            let last = decl.path.segments.last();
            is_global && decl.body.is_some() && last.is_some_and(|last| &*last.name == name)
        });
        found.map(|(id, _)| *id)
    }

    /// Returns the syntax of a function.
    pub fn declaration(&self, function: FunctionId) -> &'u Function {
        self.info(function).decl
    }

    /// Returns the template arguments of an instance of a function template; an empty list for other functions.
    pub fn arguments_of(&self, function: FunctionId) -> Vec<TemplateArg> {
        let mut instances = self.function_instances.iter();
        let found = instances.find(|(_, instance)| **instance == function);
        found.map_or_else(Vec::new, |((_, arguments), _)| arguments.clone())
    }

    /// Returns the types of a function's parameters; of a template, with these arguments. `None` where those do not
    /// fit.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    pub fn parameter_types_of(
        &mut self,
        function: FunctionId,
        template: &[TemplateArg],
    ) -> Evaluated<Option<Vec<Ty>>> {
        let Some(bound) = self.bound_for(function, template)? else {
            return Ok(None);
        };
        let signature = self.signature(function, &bound)?;
        Ok(Some(signature.parameters.clone()))
    }

    fn bound_for(
        &mut self,
        function: FunctionId,
        template: &[TemplateArg],
    ) -> Evaluated<Option<super::templates::Bound>> {
        let info = self.info(function);
        let (decl, context) = (info.decl, info.context.clone());
        match super::functions::own_template(decl) {
            None => Ok(template.is_empty().then(Vec::new)),
            Some(own) => {
                let arguments = template.to_vec();
                self.in_context(context, |eval| eval.bind_parameters(own, arguments))
            }
        }
    }

    /// Calls a function from outside of the sources: the entry of a kernel.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    pub fn run(
        &mut self,
        function: FunctionId,
        template: &[TemplateArg],
        arguments: Vec<Operand>,
        span: Span,
    ) -> Evaluated<Operand> {
        let Some(bound) = self.bound_for(function, template)? else {
            return Ok(self.unknown(span, "the template arguments of the kernel do not fit"));
        };
        self.call_function(function, bound, None, arguments, (span, span))
    }

    /// Returns the data members of a class, those of its bases excluded.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    pub fn fields_of(&mut self, ty: &Ty) -> Evaluated<Vec<FieldOf>> {
        let Kind::Class(class) = ty.kind else {
            return Ok(Vec::new());
        };
        self.complete(class)?;
        let fields = self.classes[class.index()].fields.iter();
        Ok(fields
            .map(|field| FieldOf {
                name: field.name.clone(),
                ty: field.ty.clone(),
                offset: field.byte,
                span: field.decl.name_span,
            })
            .collect())
    }

    /// Returns the name of a class or library type without its arguments, and these.
    pub fn name_of(&self, ty: &Ty) -> Option<(Name, Vec<TemplateArg>)> {
        match &ty.kind {
            Kind::Class(class) => {
                let info = &self.classes[class.index()];
                Some((info.name.clone(), info.arguments.clone()))
            }
            Kind::Library(of) => Some((of.name.clone(), of.arguments.clone())),
            Kind::Enum(id) => Some((self.enums[id.index()].name.clone(), Vec::new())),
            _ => None,
        }
    }

    /// Returns the cell of a data member of an object.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    pub fn field_cell(&mut self, object: CellId, name: &str) -> Evaluated<Option<CellId>> {
        let Some(class) = self.cell_type(object).class() else {
            return Ok(None);
        };
        let field = self.field(class, name)?;
        Ok(field.map(|field| object.plus(field.cell)))
    }

    /// Returns the cell of an element of an array.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    pub fn element_cell(&mut self, array: CellId, at: u64) -> Evaluated<Option<CellId>> {
        self.element(array, at)
    }

    /// Returns the size of a type in bytes.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    pub fn size_of(&mut self, ty: &Ty) -> Evaluated<Option<u64>> {
        Ok(self.size_and_align(ty)?.map(|(size, _)| size))
    }

    /// Converts an operand to a type implicitly: numbers, lists in braces, objects of the sources.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    pub fn converted(&mut self, operand: &Operand, to: &Ty) -> Evaluated<Operand> {
        self.convert(operand.clone(), to, false)
    }

    /// Computes `a op b` as C++ does.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    pub fn computed(
        &mut self,
        op: crate::syntax::ast::BinaryOp,
        a: &Operand,
        b: &Operand,
        span: Span,
    ) -> Evaluated<Operand> {
        self.binary(op, a.clone(), b.clone(), span)
    }

    /// Returns the value that an operand has: of an object, what its cell holds.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    pub fn value_of(&mut self, operand: &Operand) -> Evaluated<Value> {
        match &operand.place {
            Place::Value(value) => Ok(value.clone()),
            Place::Cell(cell) | Place::Moved(cell) | Place::Temporary(cell) => {
                let value = self.read(*cell)?;
                self.name_value(operand.span, &value);
                Ok(value)
            }
            Place::Remote(address) => {
                let library = self.library;
                let loaded = library.load(self, address, &operand.ty, operand.span)?;
                Ok(loaded.unwrap_or(Value::Unknown))
            }
            Place::Braces(_) | Place::Overloads(_) => Ok(Value::Unknown),
        }
    }

    /// Returns what a cell holds.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    pub fn read(&mut self, cell: CellId) -> Evaluated<Value> {
        self.load_cell(cell)
    }

    /// Records the number that a name stands for, which editors show.
    pub(super) fn name_value(&mut self, span: Span, value: &Value) {
        let value = match value {
            Value::Int(_, IntValue::Known(value)) => NamedValue::Known(Number::Int(*value)),
            Value::Float(_, FloatValue::Known(value)) => NamedValue::Known(Number::Float(*value)),
            Value::Int(_, IntValue::Scalar(id)) | Value::Float(_, FloatValue::Scalar(id)) => {
                NamedValue::Scalar(*id)
            }
            _ => return,
        };
        self.builder.name(span, value);
    }

    /// Changes what a cell holds.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    pub fn write(&mut self, cell: CellId, value: Value) -> Evaluated<()> {
        self.store_cell(cell, value)
    }

    /// Returns the scalar of a number; a new unknown one where it is not known.
    pub fn scalar(&mut self, value: &Value) -> ScalarId {
        self.number_scalar(value)
    }

    /// Notes a place that could not be evaluated, and returns an operand of which nothing is known; `what` is a clause.
    pub fn unknown(&mut self, span: Span, what: impl Into<String>) -> Operand {
        self.builder.note_unknown(span, what.into());
        Operand::unknown(span)
    }
}
