//! Attributes of DSL objects, and the Python objects that represent scalars of the program.

use std::rc::Rc;

use super::emit::Arguments;
use super::facade::{self, Namespace};
use super::python::ambient::{is_modules, leads_to_scopes};
use super::python::{attributes, libraries};
use super::tensors::methods;
use super::tracer::{Eval, Tracer};
use super::value::Value;
use a2lint_ir::{self as ir, GlobalId, Scalar, ScalarType};
use a2lint_isa::{Class, Opcode, Receiver};
use a2lint_source::text::Span;

impl<'a> Tracer<'a> {
    /// Reads an attribute; a method is returned bound to its object.
    pub fn attribute(&mut self, object: Value<'a>, name: &str, span: Span) -> Eval<Value<'a>> {
        if leads_to_scopes(&object, name) {
            // Frames and globals of functions are reached this way. What is done with them cannot be followed, so
            // every scope may change.
            self.lose_scopes();
            return Ok(Value::Unknown);
        }
        if is_modules(&object) {
            return Ok(Value::Method(Rc::new((object, name.to_owned()))));
        }
        if let Value::Namespace(namespace) = &object {
            if let Some(changed) = self.changed_member(*namespace, name) {
                return Ok(changed);
            }
            let found = facade::attribute(*namespace, name);
            if let Some(Value::A5(name)) = &found {
                let name = (*name).to_owned();
                self.note(span, ir::PythonNote::A5Only { name });
            }
            if found.is_none() {
                self.note_no_attribute(*namespace, name, span);
            }
            let inert = matches!(namespace, Namespace::Library(name) if libraries::is_inert(name));
            // A library without effect on kernels (`inert`) has nothing but inert members; any other member that no
            // table lists is unknown.
            return Ok(found.unwrap_or(match inert {
                true => Value::Inert,
                false => Value::Unknown,
            }));
        }
        if let Value::Method(method) = &object
            && method.1 == attributes::SUPER
        {
            return self.super_attribute(&method.0, name);
        }
        if let Some(value) = self.python_attribute(&object, name, span)? {
            return Ok(value);
        }
        Ok(match (&object, name) {
            (Value::Unknown | Value::Foreign | Value::Inert, _) => object,
            (Value::Instance(_) | Value::Class(_), _) => {
                return self.no_attribute(&object, name);
            }
            // Functions take arbitrary attributes at run time, so an attribute that is not recorded is unknown rather
            // than an `AttributeError`.
            (Value::Lambda(_) | Value::Partial(_) | Value::Builtin(_) | Value::Function(_), _) => {
                Value::Unknown
            }
            // In CPython, `True.real` is the int 1, not a bool.
            (Value::Int(_) | Value::Bool(_), "real" | "numerator") => match object.as_int() {
                Some(number) => Value::Int(number),
                None => Value::Unknown,
            },
            (Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_), _)
                // `is_number_member` lists members of numbers that exist but are not evaluated here: they must not
                // raise.
                if !self.in_kernel() && !name.starts_with("__") && !is_number_member(name) =>
            {
                return self.throw("AttributeError", Value::Unknown);
            }
            (Value::Range(start, _, _), "start") => Value::Int(*start),
            (Value::Range(_, _, step), "step") => Value::Int(*step),
            (Value::Local(view), "T") => {
                let mut view = view.as_ref().clone();
                view.transposed = !view.transposed;
                view.site = span;
                Value::Local(Rc::new(view))
            }
            (Value::Global(view), "T") => {
                let mut view = view.as_ref().clone();
                view.transposed = !view.transposed;
                view.site = span;
                // A transposed view is a new operand; its site is where `.T` is written, so that findings point
                // there.
                Value::Global(Rc::new(view))
            }
            (Value::Tuple(items), "count") if self.compiled && is_listed(items) => {
                Value::Int(items.len() as i128)
            }
            (Value::Local(view), "shape") => self.extents(view.shape)?,
            (Value::Local(view), "span") => self.extents(view.span)?,
            (Value::Local(view), "dtype") => Value::DType(view.dtype),
            (Value::Local(view), "position") => {
                Value::Position(self.builder().program.buffer(view.buffer).position)
            }
            (Value::Ring(buffer), "shape") => {
                let shape = self.builder().program.buffer(*buffer).shape;
                self.extents(shape)?
            }
            (Value::Ring(buffer), "dtype") => {
                Value::DType(self.builder().program.buffer(*buffer).dtype)
            }
            (Value::Global(view), "dtype") => {
                let dtype = self.builder().program.global(view.global).dtype;
                dtype.map_or(Value::Unknown, Value::DType)
            }
            // The rank of a parameter follows from its first use. Until then `x.shape` is a method-like object whose
            // subscript yields the extent (`extent`).
            (Value::Global(view), "shape") if view.axes.is_empty() => {
                Value::Method(Rc::new((object.clone(), name.to_owned())))
            }
            (Value::Global(view), "shape") => {
                let axes: Vec<_> = view.axes.iter().map(|axis| axis.span).collect();
                self.scalars_tuple(&axes)?
            }
            (Value::HostTensor(tensor), "T" | "mT" | "H" | "mH") => {
                return self.host_method(tensor, name, &Arguments::default());
            }
            (Value::HostTensor(tensor), _) => match methods::attribute(tensor, name) {
                Some(value) => value,
                None => Value::Method(Rc::new((object.clone(), name.to_owned()))),
            },
            (Value::Slice(slice), "start") => slice.lower.clone().unwrap_or(Value::None),
            (Value::Slice(slice), "stop") => slice.upper.clone().unwrap_or(Value::None),
            (Value::Slice(slice), "step") => slice.step.clone().unwrap_or(Value::None),
            // Types below a byte have no whole size; what `itemsize` says of them is not known here.
            (Value::DType(dtype), "size" | "itemsize") if dtype.bits() >= 8 => {
                Value::Int((dtype.bits() / 8).into())
            }
            (Value::DType(dtype), "C0") => Value::Int(dtype.c0().into()),
            (Value::DType(dtype), "name") => Value::str(dtype.name()),
            // A name that no arm lists may be a method; whether it exists is decided when it is called.
            _ => Value::Method(Rc::new((object.clone(), name.to_owned()))),
        })
    }

    fn extents(&mut self, pair: [ir::ScalarId; 2]) -> Eval<Value<'a>> {
        self.scalars_tuple(&pair)
    }

    fn scalars_tuple(&mut self, ids: &[ir::ScalarId]) -> Eval<Value<'a>> {
        let mut items = Vec::new();
        for &id in ids {
            items.push(self.scalar_value(id)?);
        }
        Ok(Value::tuple(items))
    }

    /// Returns the Python object for a scalar of the program: an int, a float or a `Var`.
    pub fn scalar_value(&mut self, id: ir::ScalarId) -> Eval<Value<'a>> {
        Ok(match self.builder().program.scalars.get(id) {
            Scalar::Int(value) => Value::Int(value.into()),
            Scalar::Large(value) => Value::Int(value.into()),
            Scalar::Float(value) => Value::Float(value),
            Scalar::Variable(variable) => Value::Var(variable),
            // An expression has no Python counterpart, so it is stored in a temporary `Var`, as the DSL does at trace
            // time.
            _ => {
                let of = self.builder().type_of(id);
                self.temporary(id, of)?
            }
        })
    }

    /// Returns `x.shape[i]` of a parameter whose rank is not known yet; unknown for a negative index.
    pub fn extent(&mut self, global: GlobalId, axis: i128) -> Eval<Value<'a>> {
        let Ok(axis) = u32::try_from(axis) else {
            return Ok(Value::Unknown);
        };
        let id = self
            .builder()
            .program
            .scalars
            .intern(Scalar::Extent(global, axis));
        self.temporary(id, ScalarType::INT)
    }

    /// Returns the opcode of a tensor method that makes a vector expression (`x.exp()`), or `None`.
    pub fn vector_method(name: &str) -> Option<Opcode> {
        let opcode = Opcode::function(name)?;
        let class = opcode.row().class;
        let fits = matches!(
            class,
            Class::Unary | Class::Cast | Class::Reduce | Class::GroupReduce | Class::PairReduce
        );
        fits.then_some(opcode)
    }

    /// Gives an object that has no name yet the name it is bound to.
    pub fn name_object(&mut self, name: &str, value: &Value<'a>) {
        let Some(builder) = &mut self.kernel else {
            return;
        };
        let program = &mut builder.program;
        let slot = match value {
            Value::Var(id) => &mut program.variables[id.index()].name,
            // A slice is a part of a buffer; its name says nothing of the whole.
            Value::Local(view) if !view.sliced => &mut program.buffers[view.buffer.index()].name,
            Value::Ring(id) => &mut program.buffers[id.index()].name,
            Value::Global(view) | Value::GlobalRing(view) if !view.sliced => {
                &mut program.globals[view.global.index()].name
            }
            Value::Event(id) => &mut program.events[id.index()].name,
            Value::Mutex(id) => &mut program.mutexes[id.index()].name,
            _ => return,
        };
        // The first binding names the object, as later ones are aliases.
        if slot.is_empty() {
            *slot = name.into();
        }
    }
}

/// Returns whether Python's numbers have a member of this name.
fn is_number_member(name: &str) -> bool {
    matches!(
        name,
        "real"
            | "imag"
            | "numerator"
            | "denominator"
            | "conjugate"
            | "bit_length"
            | "bit_count"
            | "to_bytes"
            | "from_bytes"
            | "as_integer_ratio"
            | "is_integer"
            | "hex"
            | "fromhex"
            | "item"
    )
}

/// Returns whether a tuple is a list of global tensors, as a `GMList` parameter is.
fn is_listed(items: &[Value]) -> bool {
    !items.is_empty() && items.iter().all(|item| matches!(item, Value::Global(_)))
}

/// Returns the opcode of an instruction that is spelled as a method of this receiver, or `None`.
pub(super) fn method_of(value: &Value, name: &str) -> Option<Opcode> {
    let receiver = match value {
        Value::Event(_) => Receiver::Event,
        Value::Mutex(_) | Value::Global(_) => Receiver::Mutex,
        Value::Var(_) => Receiver::Var,
        _ => return None,
    };
    Opcode::method(receiver, name)
}
