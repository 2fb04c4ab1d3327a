//! The interface of a device API: meaning of names that the sources do not define.
//!
//! # Two ways to give a name its meaning
//! - **A prelude**: C++ text that is parsed like a source and stands before every translation unit. Parameter structs,
//!   enumerations, constants and helper functions are best given so. A function or method *without a body* in it is the
//!   library's: overload resolution, template deduction, default arguments and conversions of the arguments (lists in
//!   braces included) happen first, then [`Library::call`] receives the converted operands and all template arguments.
//! - **Names**: [`Library::find_type`], [`Library::find_value`] and [`Library::knows_function`] are asked for what
//!   lookup does not find in the sources or the prelude.
//!
//! # State
//! A library has no state of its own that evaluation changes: control that data decides is evaluated more than once
//! and undone in between. State lives in cells ([`Eval::new_object`], [`Eval::read`], [`Eval::write`]), and in
//! [`Eval::builder`], both of which are undone. A cell that is written under control of the program is kept in
//! variables of the program by its scalars ([`LibraryValue::scalars`]); where paths leave it with values that differ in
//! more than scalars, it is what [`LibraryValue::widened`] makes of it, or [`Value::Unknown`].

use std::any::Any;
use std::rc::Rc;

use a2lint_ir::{ScalarId, ScalarType};
use a2lint_source::text::Span;

use crate::eval::{Abort, CellId, Eval, FunctionId, LibraryType, Operand, TemplateArg, Ty, Value};
use crate::syntax::ast::Function;

/// The largest width of [`LibraryValue::widened`].
pub const WIDEST: u8 = 2;

/// A value that only the library understands: the payload of an object, or a pointer into memory that has no cells.
/// It is immutable; an object changes by writing its cell again.
#[allow(unused_variables)]
pub trait LibraryValue: std::fmt::Debug + 'static {
    /// Returns the value itself, to be downcast.
    fn as_any(&self) -> &dyn Any;

    /// Returns the scalars in it, with their types. Values of the same shape list the same types in the same order.
    fn scalars(&self) -> Vec<(ScalarId, ScalarType)> {
        Vec::new()
    }

    /// Returns the same value with its scalars replaced.
    fn with_scalars(&self, scalars: &[ScalarId]) -> Rc<dyn LibraryValue>;

    /// Returns whether two values differ only in their scalars.
    fn is_same_shape(&self, other: &dyn LibraryValue) -> bool;

    /// Returns a less precise value, whose shape other states share; `None` if there is none. `width` is 1 for a state
    /// that differs little, and [`WIDEST`] for one that all states of the object have in common. The evaluator keeps
    /// a cell as the least wide value in which paths agree, if they leave it in different shapes.
    fn widened(&self, width: u8) -> Option<Rc<dyn LibraryValue>> {
        None
    }

    /// Returns whether paths that leave the object in different states are followed apart as far as the block goes.
    fn is_followed_apart(&self) -> bool {
        false
    }

    /// Returns whether the object is still unprepared (a buffer without memory) where `other` is prepared. A path that
    /// leaves it unprepared does not use it, so that `other` describes it wherever it is used.
    fn is_before(&self, other: &dyn LibraryValue) -> bool {
        false
    }

    /// Returns the value without the record of the paths that prepare the object; `None` if it keeps no such record.
    fn unmarked(&self) -> Option<Rc<dyn LibraryValue>> {
        None
    }

    /// Returns whether everything that the value names is declared in the program so far. Only then may the value
    /// represent an object that a later statement of the block prepares.
    fn is_of(&self, program: &a2lint_ir::Program) -> bool {
        false
    }

    /// Returns the cells that code can reach through the value.
    fn cells(&self) -> Vec<CellId> {
        Vec::new()
    }
}

/// A call of a function or method of the library.
#[derive(Debug)]
pub struct Call<'c> {
    /// The name of the function, without qualifiers: `DataCopy`, `operator()`, `operator=`, a class for its
    /// constructor, `~C` for its destructor.
    pub name: &'c str,
    /// Template arguments: those of a function of the prelude with the deduced ones, otherwise the explicit ones.
    pub template: &'c [TemplateArg],
    /// The arguments: of a function of the prelude one for each parameter, converted to its type. A parameter that is
    /// a reference receives an object. Otherwise as they are written; a list in braces has no type then.
    pub operands: &'c [Operand],
    /// The function of the prelude, where there is one.
    pub function: Option<FunctionId>,
    /// The return type of the function of the prelude.
    pub returns: Option<&'c Ty>,
    /// The name in the source.
    pub name_span: Span,
    /// The whole call in the source.
    pub span: Span,
}

/// A function whose body is to be evaluated.
#[derive(Debug)]
pub struct Entry<'e> {
    /// Its definition.
    pub function: &'e Function,
    /// The class that it is a member of.
    pub class: Option<Ty>,
    /// Its own template arguments.
    pub template: &'e [TemplateArg],
    /// The types of its parameters.
    pub types: &'e [Ty],
    /// What they are given, not converted yet.
    pub arguments: &'e [Operand],
    /// The name in the call, and the whole call.
    pub spans: (Span, Span),
}

/// The outcome of a library call.
#[derive(Debug)]
pub enum Outcome {
    /// The result; [`Operand::void`] where there is none.
    Done(Operand),
    /// It cannot follow the call, for this reason (a clause). The evaluator notes the place and treats the call as
    /// unknown code that receives the operands.
    Unknown(String),
    /// It cannot follow the call because an operand is unknown, for this reason (a clause). The place is noted only
    /// if no other one is: what made the operand unknown has been noted.
    Follows(String),
    /// It knows no such function.
    NotMine,
}

/// The result of an evaluation that may have to stop.
pub type Evaluated<T> = Result<T, Abort>;

/// Meaning of names that the sources do not define. See the module for how names are found.
#[allow(unused_variables)]
pub trait Library {
    /// Namespaces whose names the library gives: `AscendC` makes `AscendC::DataCopy` one, and `DataCopy` where the
    /// namespace is used. Names that are global in the API are found without one.
    fn namespaces(&self) -> &[&str];

    /// Returns the type of a name, which stands at a place.
    fn find_type(
        &self,
        eval: &mut Eval<'_>,
        name: &str,
        arguments: Option<&[TemplateArg]>,
        span: Span,
    ) -> Option<Ty> {
        None
    }

    /// Returns a clause that says why a name has no type; `None` for the default text.
    fn missing_type(&self, name: &str) -> Option<String> {
        None
    }

    /// Returns the value of a name: a constant or an object.
    fn find_value(&self, eval: &mut Eval<'_>, name: &str, span: Span) -> Option<Operand> {
        None
    }

    /// Is told of a name that neither the sources nor the library declare.
    fn undeclared(&self, eval: &mut Eval<'_>, name: &str, is_called: bool, span: Span) {}

    /// Returns whether a name is a function of the library that the prelude does not declare.
    fn knows_function(&self, name: &str) -> bool {
        false
    }

    /// Returns whether the library models a function that the sources declare. Its calls go to [`Library::call`], even
    /// if it has a body.
    fn takes(&self, function: &Function) -> bool {
        false
    }

    /// Returns whether functions are evaluated for what stands in them, whoever calls them: then a lambda that unknown
    /// code receives is evaluated, and no overload is chosen for arguments of unknown types.
    fn reads_all(&self) -> bool {
        false
    }

    /// Is told of a function whose body is to be evaluated. Returns `false` to have its call treated as unknown code.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    fn enter(&self, eval: &mut Eval<'_>, entry: &Entry<'_>) -> Evaluated<bool> {
        Ok(true)
    }

    /// Is told that the body of the function that was entered last has been evaluated, as far as that was possible.
    /// `spans` are the name in the call, and the whole call.
    fn leave(&self, spans: (Span, Span)) {}

    /// Is told of unknown code that has received an object or arguments; `on_object` tells calls of methods.
    fn opaque(&self, on_object: bool, span: Span) {}

    /// Is told of an `if constexpr` whose condition is not known, before its branches (`true`) and after them.
    fn undecided(&self, is_before: bool) {}

    /// Receives `kernel<<<configuration>>>` before the call of the kernel. Returns `false` if the library does not
    /// understand the configuration; the kernel is not called then.
    ///
    /// # Errors
    /// The evaluation cannot continue.
    fn configure(&self, eval: &mut Eval<'_>, configuration: &[Operand]) -> Evaluated<bool> {
        Ok(false)
    }

    /// Calls a function.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    fn call(&self, eval: &mut Eval<'_>, call: Call<'_>) -> Evaluated<Outcome> {
        Ok(Outcome::NotMine)
    }

    /// Calls a method, operator, constructor or destructor. `object` is of a library type, or of a class of the prelude
    /// whose method has no body.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    fn method(&self, eval: &mut Eval<'_>, object: &Operand, call: Call<'_>) -> Evaluated<Outcome> {
        Ok(Outcome::NotMine)
    }

    /// Initialises a new object of a library type, at a cell that holds [`Value::Uninit`]. Copies are made by the
    /// evaluator where the only operand has the same type.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    fn construct(
        &self,
        eval: &mut Eval<'_>,
        ty: &LibraryType,
        cell: CellId,
        call: Call<'_>,
    ) -> Evaluated<Outcome> {
        Ok(Outcome::NotMine)
    }

    /// Returns what an object of a library type holds after another one is assigned to it: the value of that, unless
    /// the library tells apart how an object has come to its value.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    fn assigned(&self, eval: &mut Eval<'_>, target: &Operand, value: Value) -> Evaluated<Value> {
        Ok(value)
    }

    /// Returns whether objects of a library type have a destructor, so that [`Library::destroy`] is called.
    fn has_destructor(&self, ty: &LibraryType) -> bool {
        false
    }

    /// Destroys an object of a library type.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    fn destroy(&self, eval: &mut Eval<'_>, cell: CellId, span: Span) -> Evaluated<()> {
        Ok(())
    }

    /// Returns size and alignment of a library type in bytes.
    fn layout(&self, ty: &LibraryType) -> Option<(u64, u64)> {
        None
    }

    /// Converts a library value to a type other than its own: `(__gm__ half*)address`, `uint64_t(address)`,
    /// `static_cast<T>(value)`. `is_explicit` tells casts from implicit conversions. `None` where there is no such
    /// conversion.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    fn convert(
        &self,
        eval: &mut Eval<'_>,
        operand: &Operand,
        value: &Value,
        to: &Ty,
        is_explicit: bool,
    ) -> Evaluated<Option<Value>> {
        Ok(None)
    }

    /// Returns whether [`Library::convert`] converts a library type implicitly, as overload resolution needs to know.
    fn converts(&self, from: &Ty, to: &Ty) -> bool {
        false
    }

    /// Returns a pointer of type `ty` into memory of the library, moved by a number of elements.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    fn offset(
        &self,
        eval: &mut Eval<'_>,
        pointer: &Value,
        ty: &Ty,
        elements: &Operand,
        is_negative: bool,
        span: Span,
    ) -> Evaluated<Option<Value>> {
        Ok(None)
    }

    /// Returns an object of the library as it is where it is looked at as one of another type of the library
    /// (`*reinterpret_cast<T *>(&object)`); `None` where that means nothing.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    fn seen_as(&self, eval: &mut Eval<'_>, value: &Value, to: &Ty) -> Evaluated<Option<Value>> {
        Ok(None)
    }

    /// Returns the value of an object of type `ty` in memory of the library, by its address.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    fn load(
        &self,
        eval: &mut Eval<'_>,
        address: &Value,
        ty: &Ty,
        span: Span,
    ) -> Evaluated<Option<Value>> {
        Ok(None)
    }

    /// Returns the address of a member of type `ty` of a class object in memory of the library. `offset` is in bytes.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    fn member(
        &self,
        eval: &mut Eval<'_>,
        address: &Value,
        class: &Ty,
        (member, ty): (&str, &Ty),
        offset: u64,
    ) -> Evaluated<Option<Value>> {
        Ok(None)
    }

    /// Stores to an object of type `ty` in memory that the library knows; `false` where that is not possible.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    fn store(
        &self,
        eval: &mut Eval<'_>,
        address: &Value,
        ty: &Ty,
        value: &Value,
        span: Span,
    ) -> Evaluated<bool> {
        Ok(false)
    }

    /// Evaluates a binary operator on a library value if no conversion or method applies: comparisons and differences
    /// of pointers among others.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    fn operator(
        &self,
        eval: &mut Eval<'_>,
        name: &str,
        operands: &[Operand],
        span: Span,
    ) -> Evaluated<Outcome> {
        Ok(Outcome::NotMine)
    }

    /// Emits the effects of unknown code that received a value (a `Havoc` of the views that it can reach), and returns
    /// the value afterwards.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    fn havoc(&self, eval: &mut Eval<'_>, value: &Value, span: Span) -> Evaluated<Value> {
        Ok(Value::Unknown)
    }

    /// Emits the effects of unknown code that received an unknown pointer or object, which may point to any memory of
    /// the library.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    fn havoc_all(&self, eval: &mut Eval<'_>, span: Span) -> Evaluated<()> {
        Ok(())
    }
}

/// A library that knows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoLibrary;

impl Library for NoLibrary {
    fn namespaces(&self) -> &[&str] {
        &[]
    }
}
