//! Library functions of host code for the evaluator: memory allocation, stores to memory, and kernel launches.

use std::cell::{Cell, RefCell};

use a2lint_cpp::eval::{
    CellId, Eval, FloatType, FloatValue, IntType, Kind, LibraryType, Operand, Pointer, TemplateArg,
    Ty, Value,
};
use a2lint_cpp::library::{Call, Evaluated, Library, Outcome};
use a2lint_cpp::syntax::ast::Function;
use a2lint_source::text::Span;

use super::sizes::Sizes;
use super::values::{Host, Memory, Objects, Start};
use super::{Argument, Numbers, Started};

/// Maximum number of launches of one file.
const MAX_STARTED: usize = 256;
/// Functions of test projects that read and write files. They are assumed to succeed.
const FILES: &[&str] = &["ReadFile", "WriteFile"];

/// The host library for launches of these kernels.
pub struct HostLibrary<'s> {
    /// The kernels whose launches are recorded.
    pub kernels: &'s [String],
    /// The element types with which allocations are computed.
    pub sizes: &'s Sizes,
    /// The cell of [`Host::Start`].
    pub start: Cell<Option<CellId>>,
    /// The launches found so far.
    pub started: RefCell<Vec<Started>>,
    /// Whether there are more launches than are recorded.
    pub is_full: Cell<bool>,
}

impl HostLibrary<'_> {
    /// Creates the cell with the configuration of the next launch; must be called before evaluation starts.
    ///
    /// # Errors
    /// Fails if evaluation has to stop.
    pub fn begin(&self, eval: &mut Eval<'_>) -> Evaluated<()> {
        let cell = eval.object_of(Ty::unknown(), eval.builder.statement)?;
        eval.write(cell, Host::Start(Start::default()).value())?;
        self.start.set(Some(cell));
        Ok(())
    }

    /// Changes the configuration of the next launch.
    fn with_start(&self, eval: &mut Eval<'_>, change: impl FnOnce(&mut Start)) -> Evaluated<()> {
        let Some(cell) = self.start.get() else {
            return Ok(());
        };
        let mut start = self.start_of(eval)?;
        change(&mut start);
        eval.write(cell, Host::Start(start).value())
    }

    fn start_of(&self, eval: &mut Eval<'_>) -> Evaluated<Start> {
        let Some(cell) = self.start.get() else {
            return Ok(Start::default());
        };
        Ok(match eval.read(cell)?.library::<Host>() {
            Some(Host::Start(start)) => *start,
            _ => Start::default(),
        })
    }

    /// Returns whether a name is that of a kernel.
    fn is_kernel(&self, name: &str) -> bool {
        self.kernels.iter().any(|kernel| kernel == name)
    }

    /// Handles a call of the host: of a function of the library, or of a kernel.
    fn called(&self, eval: &mut Eval<'_>, call: &Call<'_>) -> Evaluated<Option<Outcome>> {
        let operands = call.operands;
        let number = |eval: &mut Eval<'_>, at: usize| -> Evaluated<Option<i128>> {
            match operands.get(at) {
                Some(operand) => Ok(eval.value_of(operand)?.known_int()),
                None => Ok(None),
            }
        };
        let done = Outcome::Done(Operand::void(call.span));
        let zero = || Operand::value(IntType::Int, Value::int(IntType::Int, 0), call.span);
        Ok(Some(match (call.name, operands) {
            ("A2lintBlocks", _) => {
                let blocks = number(eval, 0)?;
                // Test macros set the number of blocks and the tiling key in calls before the launch.
                self.with_start(eval, |start| start.blocks = blocks)?;
                done
            }
            ("A2lintKey", _) => {
                let key = number(eval, 0)?;
                self.with_start(eval, |start| start.key = key)?;
                done
            }
            // `GmAlloc` maps a new file, which is filled with zeros.
            ("GmAlloc" | "malloc", _) => {
                let bytes = number(eval, 0)?;
                let objects = Objects {
                    are_zero: call.name == "GmAlloc",
                    ..Objects::default()
                };
                let memory = self.allocated(eval, bytes, objects, call.span)?;
                Outcome::Done(Operand::value(Ty::void().pointer_to(), memory, call.span))
            }
            ("aclrtMalloc" | "aclrtMallocHost", [to, ..]) => {
                let bytes = number(eval, 1)?;
                let memory = self.allocated(eval, bytes, Objects::default(), call.span)?;
                match eval.value_of(to)? {
                    Value::Pointer(Pointer::To(cell)) => eval.write(cell, memory)?,
                    _ => return Ok(None),
                }
                Outcome::Done(zero())
            }
            ("memcpy", [to, from, _]) => return self.copied(eval, to, from, (2, call)).map(Some),
            ("memcpy_s" | "aclrtMemcpy", [to, _, from, ..]) => {
                return self.copied(eval, to, from, (3, call)).map(Some);
            }
            ("memset", [to, ..]) => return self.cleared(eval, to, [1, 2], call).map(Some),
            ("memset_s" | "aclrtMemset", [to, ..]) => {
                return self.cleared(eval, to, [2, 3], call).map(Some);
            }
            ("ReadFile", [_, size, buffer, ..]) => {
                let buffer = std::slice::from_ref(buffer);
                eval.unknown_call("what a file holds is not known", None, buffer, call.span)?;
                // The file fills the buffer: the second argument returns its size.
                if let (Some(cell), Kind::Int(of)) = (size.object(), &size.ty.kind) {
                    let size = match number(eval, 3)? {
                        Some(bytes) => Value::int(*of, of.wrap(bytes)),
                        None => Value::Unknown,
                    };
                    eval.write(cell, size)?;
                }
                self.succeeded(call)
            }
            ("WriteFile", _) => self.succeeded(call),
            _ => return Ok(None),
        }))
    }

    fn succeeded(&self, call: &Call<'_>) -> Outcome {
        let value = Value::int(IntType::Bool, 1);
        Outcome::Done(Operand::value(IntType::Bool, value, call.span))
    }

    /// Allocates memory with this number of bytes.
    fn allocated(
        &self,
        eval: &mut Eval<'_>,
        bytes: Option<i128>,
        known: Objects,
        site: Span,
    ) -> Evaluated<Value> {
        let objects = eval.object_of(Ty::unknown(), site)?;
        eval.write(objects, Host::Objects(known).value())?;
        let memory = Memory {
            objects,
            bytes,
            at: 0,
            site,
        };
        Ok(Host::Memory(memory).value())
    }

    fn objects(&self, eval: &mut Eval<'_>, memory: Memory) -> Evaluated<Option<Objects>> {
        Ok(match eval.read(memory.objects)?.library::<Host>() {
            Some(Host::Objects(objects)) => Some(objects.clone()),
            _ => None,
        })
    }

    /// Returns the object of a type at an address, creating it if needed; `None` if it may overlap objects of other
    /// types.
    fn object_at(
        &self,
        eval: &mut Eval<'_>,
        memory: Memory,
        ty: &Ty,
        span: Span,
    ) -> Evaluated<Option<CellId>> {
        let Some(mut objects) = self.objects(eval, memory)? else {
            return Ok(None);
        };
        let ty = ty.clone().unqualified();
        // One address may hold objects of several types: a struct and its first member.
        let is_it = |(at, of, _): &&(i128, Ty, CellId)| *at == memory.at && of.is_same(&ty);
        if let Some((_, _, cell)) = objects.known.iter().find(is_it) {
            return Ok(Some(*cell));
        }
        if !objects.known.is_empty() && !self.is_apart(eval, &objects, memory, &ty)? {
            return Ok(None);
        }
        let cell = eval.object_of(ty.clone(), span)?;
        // Mapped files and cleared memory are zero, and so are objects that are created in them later.
        if objects.are_zero {
            zero(eval, &Operand::cell(ty.clone(), cell, span))?;
        }
        objects.known.push((memory.at, ty, cell));
        eval.write(memory.objects, Host::Objects(objects).value())?;
        Ok(Some(cell))
    }

    /// Returns whether an object of a type at an address overlaps no known object.
    fn is_apart(
        &self,
        eval: &mut Eval<'_>,
        objects: &Objects,
        memory: Memory,
        ty: &Ty,
    ) -> Evaluated<bool> {
        let Some(size) = eval.size_of(ty)? else {
            return Ok(false);
        };
        for (at, of, _) in &objects.known {
            let Some(own) = eval.size_of(of)? else {
                return Ok(false);
            };
            // Overlapping objects share bytes, but their cells do not.
            if *at < memory.at + i128::from(size) && memory.at < *at + i128::from(own) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Evaluates `memcpy(to, from, bytes)`: copies whole objects; any other copy makes the destination unknown.
    fn copied(
        &self,
        eval: &mut Eval<'_>,
        to: &Operand,
        from: &Operand,
        (at, call): (usize, &Call<'_>),
    ) -> Evaluated<Outcome> {
        let bytes = match call.operands.get(at) {
            Some(bytes) => eval.value_of(bytes)?.known_int(),
            None => None,
        };
        let source = self.whole_object(eval, from)?;
        if let (Some(source), Some(bytes)) = (source, bytes) {
            let ty = eval.cell_type(source);
            let size = eval.size_of(&ty)?.map(i128::from);
            let target = match eval.value_of(to)? {
                Value::Pointer(Pointer::To(cell)) => {
                    Some(cell).filter(|&cell| eval.cell_type(cell).is_same(&ty))
                }
                value => match value.library::<Host>() {
                    Some(Host::Memory(memory)) => self.object_at(eval, *memory, &ty, call.span)?,
                    _ => None,
                },
            };
            // Copying only a part of an object, or more than it, does not copy its value.
            if size == Some(bytes)
                && let Some(target) = target
            {
                let span = call.span;
                let source = Operand::cell(ty.clone(), source, span);
                copy(eval, &Operand::cell(ty, target, span), &source)?;
                return Ok(Outcome::Done(to.clone()));
            }
        }
        let to = std::slice::from_ref(to);
        eval.unknown_call("what is copied is not known", None, to, call.span)?;
        Ok(Outcome::Done(to[0].clone()))
    }

    /// Returns the object that a pointer points to; for allocated memory, the first object at the address.
    fn whole_object(&self, eval: &mut Eval<'_>, pointer: &Operand) -> Evaluated<Option<CellId>> {
        let value = eval.value_of(pointer)?;
        if let Value::Pointer(Pointer::To(cell)) = value {
            return Ok(Some(cell));
        }
        let Some(Host::Memory(memory)) = value.library::<Host>() else {
            return Ok(None);
        };
        let memory = *memory;
        let objects = self.objects(eval, memory)?.unwrap_or_default();
        let mut known = objects.known.iter().filter(|(at, ..)| *at == memory.at);
        Ok(known.next().map(|(_, _, cell)| *cell))
    }

    /// Evaluates `memset(to, value, bytes)`: clears whole objects; any other call makes the destination unknown.
    fn cleared(
        &self,
        eval: &mut Eval<'_>,
        to: &Operand,
        [value, bytes]: [usize; 2],
        call: &Call<'_>,
    ) -> Evaluated<Outcome> {
        let number = |eval: &mut Eval<'_>, at: usize| -> Evaluated<Option<i128>> {
            match call.operands.get(at) {
                Some(operand) => Ok(eval.value_of(operand)?.known_int()),
                None => Ok(None),
            }
        };
        let is_zero = number(eval, value)? == Some(0);
        let bytes = number(eval, bytes)?;
        let target = eval.value_of(to)?;
        let done = Outcome::Done(to.clone());
        match (&target, target.library::<Host>(), bytes) {
            (Value::Pointer(Pointer::To(cell)), _, Some(bytes)) if is_zero => {
                let ty = eval.cell_type(*cell);
                if eval.size_of(&ty)?.map(i128::from) == Some(bytes) {
                    zero(eval, &Operand::cell(ty, *cell, call.span))?;
                    return Ok(done);
                }
            }
            // Only whole allocations are cleared: a part would need to know which objects it contains.
            (_, Some(Host::Memory(memory)), Some(bytes))
                if is_zero && memory.at == 0 && memory.bytes == Some(bytes) =>
            {
                let memory = *memory;
                let mut objects = self.objects(eval, memory)?.unwrap_or_default();
                objects.are_zero = true;
                for (_, ty, cell) in &objects.known {
                    zero(eval, &Operand::cell(ty.clone(), *cell, call.span))?;
                }
                eval.write(memory.objects, Host::Objects(objects).value())?;
                return Ok(done);
            }
            _ => {}
        }
        let to = std::slice::from_ref(to);
        eval.unknown_call("what is stored here is not known", None, to, call.span)?;
        Ok(done)
    }

    /// Records the launch of a kernel.
    fn start_kernel(&self, eval: &mut Eval<'_>, call: &Call<'_>) -> Evaluated<()> {
        let start = self.start_of(eval)?;
        let mut arguments = Vec::new();
        for operand in call.operands {
            arguments.push(self.argument(eval, operand)?);
        }
        let template = match call.function {
            // C++ may deduce template arguments that the call does not write.
            Some(function) if call.template.is_empty() => eval.arguments_of(function),
            _ => call.template.to_vec(),
        };
        let started = Started {
            kernel: call.name.to_owned(),
            template,
            blocks: start.blocks.and_then(|it| u32::try_from(it).ok()),
            key: start.key,
            arguments,
            span: call.span,
            place: None,
            build: Vec::new(),
        };
        let mut all = self.started.borrow_mut();
        // A loop of the host may repeat the same launch; checking it once is enough.
        match all.contains(&started) {
            true => {}
            false if all.len() < MAX_STARTED => all.push(started),
            false => self.is_full.set(true),
        }
        Ok(())
    }

    fn argument(&self, eval: &mut Eval<'_>, operand: &Operand) -> Evaluated<Argument> {
        if let Kind::Class(_) = operand.ty.kind {
            return Ok(Argument::Numbers(numbers(eval, operand)?));
        }
        let value = eval.value_of(operand)?;
        if let Some(number) = plain(&value) {
            return Ok(Argument::Number(number));
        }
        Ok(match (&value, value.library::<Host>()) {
            (_, Some(Host::Memory(memory))) => {
                let memory = *memory;
                self.memory(eval, memory)?
            }
            (Value::Pointer(Pointer::To(cell)), _) => {
                let ty = eval.cell_type(*cell);
                Argument::Memory {
                    bytes: None,
                    dtype: None,
                    numbers: numbers(eval, &Operand::cell(ty, *cell, operand.span))?,
                }
            }
            (Value::Null, _) => Argument::Null,
            _ => Argument::Unknown,
        })
    }

    fn memory(&self, eval: &mut Eval<'_>, memory: Memory) -> Evaluated<Argument> {
        let objects = self.objects(eval, memory)?.unwrap_or_default();
        let mut numbers_in = Numbers::new();
        if let [(at, ty, cell)] = objects.known.as_slice()
            && *at == memory.at
        {
            numbers_in = numbers(eval, &Operand::cell(ty.clone(), *cell, memory.site))?;
        }
        // The tensor extends from the passed address to the end of the allocation.
        let left = memory.bytes.map(|bytes| bytes - memory.at);
        Ok(Argument::Memory {
            bytes: left.and_then(|it| i64::try_from(it).ok()),
            dtype: self.sizes.of_call(memory.site),
            numbers: numbers_in,
        })
    }
}

/// Returns a number as a double; `None` if it is unknown or has no exact representation.
fn plain(value: &Value) -> Option<f64> {
    let exact = |value: i128| {
        let float = value as f64;
        // Launches hold numbers as doubles: an integer above 2^53 that would be rounded counts as unknown.
        (float as i128 == value).then_some(float)
    };
    value.known_int().and_then(exact).or(value.known_float())
}

/// Returns the numbers in an object by their suffixes (`.rows`, `.parts[2]`); `None` for unknown numbers.
fn numbers(eval: &mut Eval<'_>, object: &Operand) -> Evaluated<Numbers> {
    let mut found = Numbers::new();
    collect(eval, object, "", &mut found)?;
    Ok(found)
}

fn collect(
    eval: &mut Eval<'_>,
    object: &Operand,
    name: &str,
    found: &mut Numbers,
) -> Evaluated<()> {
    match (&object.ty.kind, object.object()) {
        (Kind::Class(_) | Kind::Array(..), _) => {
            for (part, operand) in eval.parts(object)? {
                collect(eval, &operand, &format!("{name}{part}"), found)?;
            }
        }
        (_, Some(cell)) => {
            let value = eval.read(cell)?;
            found.push((name.to_owned(), plain(&value)));
        }
        _ => {}
    }
    Ok(())
}

/// Sets all numbers of an object to zero.
fn zero(eval: &mut Eval<'_>, object: &Operand) -> Evaluated<()> {
    let Some(cell) = object.object() else {
        return Ok(());
    };
    let value = match &object.ty.kind {
        Kind::Class(_) | Kind::Array(..) => {
            for (_, part) in eval.parts(object)? {
                zero(eval, &part)?;
            }
            return Ok(());
        }
        Kind::Int(of) => Value::int(*of, 0),
        Kind::Float(of) => Value::Float(*of, FloatValue::Known(0.0)),
        Kind::Pointer(..) => Value::Null,
        _ => Value::Unknown,
    };
    eval.write(cell, value)
}

/// Copies the numbers of an object to another one of the same type.
fn copy(eval: &mut Eval<'_>, to: &Operand, from: &Operand) -> Evaluated<()> {
    if let Kind::Class(_) | Kind::Array(..) = to.ty.kind {
        let parts = eval.parts(from)?;
        for ((_, to), (_, from)) in eval.parts(to)?.iter().zip(&parts) {
            copy(eval, to, from)?;
        }
        return Ok(());
    }
    if let (Some(to), Some(from)) = (to.object(), from.object()) {
        let value = eval.read(from)?;
        eval.write(to, value)?;
    }
    Ok(())
}

impl Library for HostLibrary<'_> {
    fn namespaces(&self) -> &[&str] {
        &["AscendC"]
    }

    fn find_type(
        &self,
        _: &mut Eval<'_>,
        name: &str,
        _: Option<&[TemplateArg]>,
        _: Span,
    ) -> Option<Ty> {
        Some(match name {
            "half" => FloatType::Half.into(),
            "bfloat16_t" => FloatType::BFloat16.into(),
            _ => return None,
        })
    }

    fn takes(&self, function: &Function) -> bool {
        let is_entry = function
            .attributes
            .iter()
            .any(|(name, _)| &**name == "__global__");
        let name = function.path.segments.last().map_or("", |last| &last.name);
        is_entry || FILES.contains(&name)
    }

    fn configure(&self, eval: &mut Eval<'_>, configuration: &[Operand]) -> Evaluated<bool> {
        let blocks = match configuration.first() {
            Some(blocks) => eval.value_of(blocks)?.known_int(),
            None => None,
        };
        self.with_start(eval, |start| start.blocks = blocks)?;
        Ok(true)
    }

    fn knows_function(&self, name: &str) -> bool {
        self.is_kernel(name) || FILES.contains(&name)
    }

    fn call(&self, eval: &mut Eval<'_>, call: Call<'_>) -> Evaluated<Outcome> {
        // `ACLRT_LAUNCH_KERNEL(kernel)(blocks, stream, arguments)`
        if let Some(kernel) = call.name.strip_prefix("A2lintLaunch_")
            && let [blocks, _, operands @ ..] = call.operands
        {
            let blocks = eval.value_of(blocks)?.known_int();
            self.with_start(eval, |start| start.blocks = blocks)?;
            let call = Call {
                name: kernel,
                operands,
                ..call
            };
            self.start_kernel(eval, &call)?;
            return Ok(Outcome::Done(Operand::void(call.span)));
        }
        if self.is_kernel(call.name) {
            self.start_kernel(eval, &call)?;
            // The kernel may store to every argument except the last, which is the tiling data.
            let what = "what the kernel stores is not known";
            let stored = call.operands.split_last().map_or(&[][..], |(_, rest)| rest);
            eval.unknown_call(what, None, stored, call.span)?;
            return Ok(Outcome::Done(Operand::void(call.span)));
        }
        Ok(self.called(eval, &call)?.unwrap_or(Outcome::NotMine))
    }

    fn layout(&self, _: &LibraryType) -> Option<(u64, u64)> {
        None
    }

    fn convert(
        &self,
        eval: &mut Eval<'_>,
        operand: &Operand,
        value: &Value,
        to: &Ty,
        _: bool,
    ) -> Evaluated<Option<Value>> {
        let Some(Host::Memory(memory)) = value.library::<Host>() else {
            return Ok(None);
        };
        let memory = *memory;
        Ok(match &to.kind {
            Kind::Pointer(of, _) if of.class().is_some() => {
                let object = self.object_at(eval, memory, of, operand.span)?;
                object.map(|cell| Value::Pointer(Pointer::To(cell)))
            }
            Kind::Pointer(..) => Some(value.clone()),
            Kind::Int(IntType::Bool) => Some(Value::int(IntType::Bool, 1)),
            _ => None,
        })
    }

    fn offset(
        &self,
        eval: &mut Eval<'_>,
        pointer: &Value,
        ty: &Ty,
        elements: &Operand,
        is_negative: bool,
        _: Span,
    ) -> Evaluated<Option<Value>> {
        let (Some(Host::Memory(memory)), Some(of)) = (pointer.library::<Host>(), ty.pointee())
        else {
            return Ok(None);
        };
        let mut memory = *memory;
        let elements = eval.value_of(elements)?.known_int();
        let (Some(elements), Some(size)) = (elements, eval.size_of(of)?) else {
            return Ok(None);
        };
        let bytes = elements * i128::from(size);
        memory.at += if is_negative { -bytes } else { bytes };
        Ok(Some(Host::Memory(memory).value()))
    }

    fn store(
        &self,
        eval: &mut Eval<'_>,
        address: &Value,
        _: &Ty,
        _: &Value,
        span: Span,
    ) -> Evaluated<bool> {
        let Some(Host::Memory(memory)) = address.library::<Host>() else {
            return Ok(false);
        };
        // Values of single stores are not tracked: objects that may share bytes with them become unknown.
        let memory = *memory;
        match self.objects(eval, memory)? {
            Some(objects) if !objects.known.is_empty() => {
                let pointer = Operand::value(Ty::void().pointer_to(), address.clone(), span);
                let what = "what a part of this memory holds is not known";
                eval.unknown_call(what, None, &[pointer], span)?;
            }
            Some(objects) if objects.are_zero => {
                let objects = Objects::default();
                eval.write(memory.objects, Host::Objects(objects).value())?;
            }
            _ => {}
        }
        Ok(true)
    }

    fn operator(
        &self,
        eval: &mut Eval<'_>,
        name: &str,
        operands: &[Operand],
        span: Span,
    ) -> Evaluated<Outcome> {
        let [a, b] = operands else {
            return Ok(Outcome::NotMine);
        };
        let is_null = |value: &Value| matches!(value, Value::Null) || value.known_int() == Some(0);
        let (a, b) = (eval.value_of(a)?, eval.value_of(b)?);
        let is_equal = match name {
            "operator==" => true,
            "operator!=" => false,
            _ => return Ok(Outcome::NotMine),
        };
        if !is_null(&a) && !is_null(&b) {
            return Ok(Outcome::NotMine);
        }
        // Allocated memory is never null.
        let value = Value::int(IntType::Bool, i128::from(!is_equal));
        Ok(Outcome::Done(Operand::value(IntType::Bool, value, span)))
    }

    fn havoc(&self, _: &mut Eval<'_>, value: &Value, _: Span) -> Evaluated<Value> {
        // The set of objects stays known; the evaluator havocs their cells one by one.
        Ok(match value.library::<Host>() {
            Some(Host::Objects(objects)) => {
                let known = objects.known.clone();
                let are_zero = false;
                Host::Objects(Objects { are_zero, known }).value()
            }
            Some(_) => value.clone(),
            None => Value::Unknown,
        })
    }
}
