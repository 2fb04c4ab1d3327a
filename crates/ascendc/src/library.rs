//! The API as a library of the evaluator: which names it has, and what becomes of them.

use std::cell::Cell;

use a2lint_cpp::eval::{
    CellId, Constant, Eval, FloatType, IntType, IntValue, Kind, LibraryType, Operand, Pointer,
    TemplateArg, Ty, Value,
};
use a2lint_cpp::library::{Call, Evaluated, Library, Outcome};
use a2lint_cpp::syntax::NOWHERE;
use a2lint_ir::{BinaryOp, HandOut, NoteKind, Scalar, ScalarType, SpecialScalar, Unprepared};
use a2lint_isa::{DType, Side};
use a2lint_project::SourceMap;
use a2lint_source::text::Span;

use super::addresses::{at_address, is_null, note_types, pointee};
use super::cx::{Cx, Lowered, follows, lost, name_of, prepared, take};
use super::fields::TilingFields;
use super::given::Given;
use super::instances::Keys;
use super::kernels::KernelType;
use super::objects::{Address, Core, Mask, NO_IDS, Object};
use super::tensors::{self, Local};
use super::trace::fill;
use super::{
    cube, effects, havoc, moves, numbers, pipe, prelude, sync, tensor_methods, types, vector,
};

/// The API on one side of a kernel.
pub struct AscendC<'s> {
    /// The texts that spans belong to.
    pub map: &'s SourceMap,
    /// How the kernel is started.
    pub kernel: KernelType,
    /// Whose code is evaluated.
    pub side: Side,
    /// The cell of [`Object::Core`], once there is one.
    pub core: Cell<Option<CellId>>,
    /// The flags between cores that the kernel sets.
    pub sets: &'s sync::Sets,
    /// The tiling key that the kernel is compiled for.
    pub key: Option<u64>,
    /// The record of the tiling keys that the kernel tests.
    pub keys: Option<&'s Keys>,
    /// The fields of tiling data that the kernel reads.
    pub fields: TilingFields,
    /// The places at which buffers are initialised (`InitBuffer`).
    pub given: Given,
    /// The event ids that were fetched.
    pub fetched: sync::Fetched,
    /// Whether the texts read the accumulator register of `ReduceSum` (`GetAccVal`).
    pub reads_sum: bool,
    /// Whether every header was read but those of the API, so that no other text declares a name.
    pub is_complete: bool,
}

/// Types of the API that have objects with a state.
const OBJECTS: &[&str] = &[
    "LocalTensor",
    "GlobalTensor",
    "TPipe",
    "TQue",
    "TQueBind",
    "TBuf",
    "TBufPool",
    "TQueSync",
    "LocalMemAllocator",
];

impl AscendC<'_> {
    /// Makes the registers of the core, before anything is evaluated.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    pub fn start(&self, eval: &mut Eval<'_>) -> Evaluated<()> {
        self.core_cell(eval).map(|_| ())
    }

    /// Reports an atomic mode of stores that a kernel leaves set when it ends.
    ///
    /// # Errors
    /// Fails if evaluation has to stop.
    pub fn end(&self, eval: &mut Eval<'_>) -> Evaluated<()> {
        let core = self.core_cell(eval)?;
        let core = eval.read(core)?;
        let Some(Object::Core(Core {
            stores: Some(cell),
            pipe: Some(pipe),
            ..
        })) = core.library::<Object>()
        else {
            return Ok(());
        };
        // On a path on which a pipe has ended, its destructor has waited.
        if matches!(eval.read(*pipe)?, Value::Null) && self.given.places() {
            let span = eval.builder.statement;
            eval.builder.note(span, NoteKind::WithoutPipe);
        }
        let stores = eval.read(*cell)?;
        let span = eval.builder.statement;
        match stores.library::<Object>() {
            Some(Object::Stores(None)) => {}
            Some(Object::Stores(Some(_))) => eval.builder.note(span, NoteKind::AtomicLeftOn),
            // Paths differ: those that run the loop end so.
            _ if self.given.ends_atomic() && eval.builder.program.unknown.is_empty() => {
                eval.builder.note(span, NoteKind::AtomicLeftOn);
            }
            _ => {
                let what =
                    "whether stores are still atomic when the kernel ends differs between paths";
                eval.builder.note_follower(span, what.to_owned());
            }
        }
        Ok(())
    }

    /// Begins to lower a call.
    fn lowering<'e, 'u, 'c>(
        &'e self,
        eval: &'e mut Eval<'u>,
        call: &'e Call<'c>,
    ) -> Evaluated<Cx<'e, 'u, 'c>> {
        let core = self.core_cell(eval)?;
        Ok(Cx {
            eval,
            call,
            core,
            map: self.map,
            given: &self.given,
            fetched: &self.fetched,
            side: self.side,
            reads_sum: self.reads_sum,
        })
    }

    /// Returns the cell that holds the modelled registers of the core.
    fn core_cell(&self, eval: &mut Eval<'_>) -> Evaluated<CellId> {
        // Created on first use, so that kernels without the API have no such cell.
        if let Some(cell) = self.core.get() {
            return Ok(cell);
        }
        let span = eval.builder.statement;
        let [cell, stores, deq_scale, sum, taken, pipe] = [
            eval.object_of(Ty::unknown(), span)?,
            eval.object_of(Ty::unknown(), span)?,
            eval.object_of(Ty::unknown(), span)?,
            eval.object_of(Ty::unknown(), span)?,
            eval.object_of(Ty::unknown(), span)?,
            eval.object_of(Ty::unknown(), span)?,
        ];
        eval.write(stores, Object::Stores(None).value())?;
        eval.write(taken, Object::Ids(Some(NO_IDS)).value())?;
        eval.write(pipe, Value::Null)?;
        for register in [deq_scale, sum] {
            eval.write(register, Object::Register(None).value())?;
        }
        let core = Core {
            stores: Some(stores),
            deq_scale: Some(deq_scale),
            sum: Some(sum),
            taken: Some(taken),
            pipe: Some(pipe),
            ..Core::default()
        };
        eval.write(cell, Object::Core(core).value())?;
        self.core.set(Some(cell));
        Ok(cell)
    }

    /// Returns the index of the core, or of the group of cube and vec lanes that it belongs to.
    fn index_of_group(&self) -> SpecialScalar {
        match (self.side != Side::Cube, self.kernel.is_mixed()) {
            // A kernel that runs on vec cores alone has no cubes: each vec core is its own group.
            (true, false) => SpecialScalar::VecIdx,
            _ => SpecialScalar::CubeIdx,
        }
    }

    /// Lowers a query of the core (`GetBlockIdx()`); returns `None` for other calls.
    fn query(&self, cx: &mut Cx<'_, '_, '_>) -> Option<Operand> {
        let is_vec = self.side != Side::Cube;
        let special = |special| Scalar::Special(special);
        let scalar = match cx.call.name {
            "GetBlockIdx" => special(match is_vec && !self.kernel.has_idle_vec() {
                true => SpecialScalar::VecIdx,
                false => SpecialScalar::CubeIdx,
            }),
            "GetBlockNum" | "get_block_num" => special(match self.kernel.is_mixed() {
                true => SpecialScalar::CubeNum,
                false if is_vec => SpecialScalar::VecNum,
                false => SpecialScalar::CubeNum,
            }),
            "get_block_idx" => special(self.index_of_group()),
            // The cube, and the only vec lane of a core, have no sub-block index.
            "GetSubBlockIdx" | "get_subblockid" => {
                match is_vec && self.kernel.vecs_of_core() == 2 {
                    true => special(SpecialScalar::SubBlockIdx),
                    false => Scalar::Int(0),
                }
            }
            "GetSubBlockNum" | "GetTaskRation" | "GetTaskRatio" => match is_vec {
                true => Scalar::Int(self.kernel.vecs_of_core()),
                false => Scalar::Int(1),
            },
            "GetDataBlockSizeInBytes" => Scalar::Int(32),
            _ => return None,
        };
        let id = cx.builder().program.scalars.intern(scalar);
        Some(cx.int_operand(IntType::Long, id))
    }

    /// Calls that have neither an instruction nor a state.
    fn plain(&self, cx: &mut Cx<'_, '_, '_>) -> Option<Lowered<Option<Operand>>> {
        Some(match cx.call.name {
            name if effects::has_none(name) => Ok(Ok(None)),
            "GetSystemCycle" => {
                // A clock returns a different value at every read.
                let id = cx.builder().unknown();
                let operand = cx.int_operand(IntType::Long, id);
                Ok(Ok(Some(operand)))
            }
            "GetUserWorkspace" => {
                let operand = cx.operand(0).cloned()?;
                self.user_workspace(cx, operand)
            }
            "A2lintFillTiling" => self.tiling(cx),
            "A2lintTilingKeyIs" => self.is_key(cx),
            "A2lintScratch" => self.scratch(cx),
            "A2lintTensor" => at_address(cx),
            "A2lintPlace" => {
                let noticed = i64::from(cx.builder().noticed());
                let id = cx.builder().int(noticed);
                let operand = cx.int_operand(IntType::Int, id);
                Ok(Ok(Some(operand)))
            }
            "A2lintApart" => apart(cx),
            "A2lintDemand" => demand(cx),
            "A2lintCounts" => counts(cx),
            "A2lintCounted" => counted(cx),
            "GetTPipePtr" => self.pipe_pointer(cx),
            "sqrt" | "sqrtf" => self.square_root(cx),
            "GetAccVal" => self.sum(cx),
            _ => return None,
        })
    }

    /// Lowers `GetUserWorkspace(workspace)`, which is the user's part of a workspace. It starts undefined.
    fn user_workspace(
        &self,
        cx: &mut Cx<'_, '_, '_>,
        operand: Operand,
    ) -> Lowered<Option<Operand>> {
        let value = cx.eval.value_of(&operand)?;
        if let Some(Object::Address(address)) = value.library::<Object>() {
            let workspaces = &mut cx.builder().program.workspaces;
            if !workspaces.contains(&address.global) {
                workspaces.push(address.global);
            }
        }
        Ok(Ok(Some(Operand::value(operand.ty, value, cx.call.span))))
    }

    /// Returns whether the kernel is compiled for a tiling key.
    fn is_key(&self, cx: &mut Cx<'_, '_, '_>) -> Lowered<Option<Operand>> {
        let span = cx.call.span;
        let key = cx
            .value(0)?
            .known_int()
            .and_then(|it| u64::try_from(it).ok());
        let Some(key) = key else {
            lost!("which tiling key is meant is not known");
        };
        if let Some(keys) = self.keys {
            // Recorded even if the result is false: the build compiles one kernel for each tested key.
            keys.asked.borrow_mut().insert(key);
        }
        let value = Value::int(IntType::Bool, i128::from(self.key == Some(key)));
        Ok(Ok(Some(Operand::value(IntType::Bool, value, span))))
    }

    /// Lowers `GET_TILING_DATA`: the fields of the tiling struct become parameters named after the parameter that holds
    /// its address.
    fn tiling(&self, cx: &mut Cx<'_, '_, '_>) -> Lowered<Option<Operand>> {
        let address = take!(cx.address(1));
        let name = cx.builder().program.global(address.global).name.to_string();
        let Some(object) = cx.operand(0).cloned() else {
            follows!("which struct holds the tiling is not known");
        };
        let span = cx.call.span;
        fill(cx.eval, &object, &name, span)?;
        Ok(Ok(None))
    }

    fn pipe_pointer(&self, cx: &mut Cx<'_, '_, '_>) -> Lowered<Option<Operand>> {
        let Some(cell) = cx.current_pipe()? else {
            // Without one, ids come from the same pools.
            let span = cx.call.span;
            let ty = pipe::library_type("TPipe", Vec::new());
            let cell = cx.eval.object_of(ty.clone(), span)?;
            cx.eval.write(cell, Object::Pipe.value())?;
            return Ok(Ok(Some(Operand::value(
                ty.pointer_to(),
                Value::Pointer(Pointer::To(cell)),
                span,
            ))));
        };
        let ty = pipe::library_type("TPipe", Vec::new()).pointer_to();
        let value = Value::Pointer(Pointer::To(cell));
        Ok(Ok(Some(Operand::value(ty, value, cx.call.span))))
    }

    /// Lowers the allocation of scratch memory in the free part of UB by a library function. Buffers that are
    /// initialised later may overlap it.
    fn scratch(&self, cx: &mut Cx<'_, '_, '_>) -> Lowered<Option<Operand>> {
        let Some(dtype) = cx.template_dtype(0) else {
            follows!("the element type of a tensor is not known");
        };
        let (bytes, span) = (take!(cx.number(1)), cx.call.span);
        let position = a2lint_isa::Position::Ub;
        let given = cx.given;
        let builder = cx.builder();
        let memory = tensors::Memory {
            position,
            slots: 1,
            bytes,
            handed: HandOut {
                is_lent: true,
                ..given.here(builder)
            },
        };
        let buffer = tensors::declare(builder, "the rest of UB", memory, span);
        // Buffers that are initialised later overlap the scratch memory.
        builder.program.rewinds_memory = true;
        let slot = builder.int(0);
        let tensor = tensors::whole(builder, buffer, slot, dtype);
        if let Some(cell) = cx.operand(0).and_then(Operand::object) {
            cx.eval.write(cell, Object::Local(Some(tensor)).value())?;
        }
        Ok(Ok(None))
    }

    fn square_root(&self, cx: &mut Cx<'_, '_, '_>) -> Lowered<Option<Operand>> {
        let value = cx.value(0)?;
        let span = cx.call.span;
        let id = take!(cx.number(0));
        let result = match value.known_float() {
            // Rounded as the device computes it, in single precision.
            Some(value) => Value::Float(
                FloatType::Float,
                a2lint_cpp::eval::FloatValue::Known(f64::from((value as f32).sqrt())),
            ),
            None => {
                let id = cx
                    .builder()
                    .program
                    .scalars
                    .unary(a2lint_ir::UnaryOp::Sqrt, id);
                Value::Float(FloatType::Float, a2lint_cpp::eval::FloatValue::Scalar(id))
            }
        };
        Ok(Ok(Some(Operand::value(FloatType::Float, result, span))))
    }

    /// Lowers `GetAccVal<float>()`, which returns the sum of the last `ReduceSum`.
    fn sum(&self, cx: &mut Cx<'_, '_, '_>) -> Lowered<Option<Operand>> {
        let register = cx.core()?.sum;
        let (Some(DType::Float), Some(sum)) = (cx.template_dtype(0), cx.register(register)?) else {
            lost!("which sum `GetAccVal` returns is not known");
        };
        let of = FloatType::Float;
        let value = Value::Float(of, a2lint_cpp::eval::FloatValue::Scalar(sum));
        Ok(Ok(Some(Operand::value(of, value, cx.call.span))))
    }

    /// Returns the size in bytes of the type that a pointer points to.
    fn size_of(ty: &Ty) -> Option<i64> {
        let pointee = ty.pointee()?;
        let dtype = types::dtype(pointee)?;
        // `int4b_t` is a struct of one byte, as `sizeof` says.
        Some((dtype.bits() / 8).max(1))
    }
}

impl Library for AscendC<'_> {
    fn namespaces(&self) -> &[&str] {
        &["AscendC"]
    }

    fn find_type(
        &self,
        _: &mut Eval<'_>,
        name: &str,
        arguments: Option<&[TemplateArg]>,
        _: Span,
    ) -> Option<Ty> {
        Some(match name {
            "half" => FloatType::Half.into(),
            "bfloat16_t" => FloatType::BFloat16.into(),
            "int4b_t" => pipe::library_type(name, Vec::new()),
            _ if prelude::OPAQUE.contains(&name) => pipe::library_type(name, Vec::new()),
            "TBuf" if arguments.is_none_or(<[TemplateArg]>::is_empty) => {
                let position = Constant::Int(types::place::VECCALC.into());
                let position = TemplateArg::Value(IntType::UnsignedChar.into(), position);
                pipe::library_type(name, vec![position])
            }
            _ if OBJECTS.contains(&name) => {
                pipe::library_type(name, arguments.unwrap_or_default().to_vec())
            }
            _ => return None,
        })
    }

    fn missing_type(&self, name: &str) -> Option<String> {
        let what = "the project does not say which struct `GET_TILING_DATA` reads";
        (name == "A2lintTilingData").then(|| what.to_owned())
    }

    fn find_value(&self, eval: &mut Eval<'_>, name: &str, span: Span) -> Option<Operand> {
        const AIC: i128 = 1;
        const AIV: i128 = 2;
        match name {
            "block_idx" => {
                let special = Scalar::Special(self.index_of_group());
                let id = eval.builder.program.scalars.intern(special);
                let of = IntType::Long;
                let id = eval.builder.program.scalars.convert(of.scalar(), id);
                let value = Value::Int(of, IntValue::Scalar(id));
                Some(Operand::value(of, value, span))
            }
            "g_coreType" => {
                let value = match self.side {
                    Side::Cube => AIC,
                    _ => AIV,
                };
                Some(Operand::value(
                    IntType::Int,
                    Value::int(IntType::Int, value),
                    span,
                ))
            }
            _ => None,
        }
    }

    fn call(&self, eval: &mut Eval<'_>, call: Call<'_>) -> Evaluated<Outcome> {
        let call = placed_call(eval, call);
        let mut cx = self.lowering(eval, &call)?;
        if let Some(result) = self.query(&mut cx) {
            return Ok(Outcome::Done(result));
        }
        if let Some(lowered) = self.plain(&mut cx) {
            return cx.outcome(lowered);
        }
        if self.kernel.has_idle_vec() && sync::joins_cores(call.name) {
            let what = "where a cube has one vec core";
            return Ok(Outcome::Unknown(format!(
                "`{}` {what} is not followed",
                call.name
            )));
        }
        if let Some(lowered) = sync::lower(&mut cx, self.side, self.sets) {
            let lowered = lowered.map(|it| it.map(|()| None));
            return cx.outcome(lowered);
        }
        let lowered = vector::lower(&mut cx)
            .or_else(|| moves::lower(&mut cx))
            .or_else(|| cube::lower(&mut cx));
        match lowered {
            Some(lowered) => {
                let lowered = lowered.map(|it| it.map(|()| None));
                cx.outcome(lowered)
            }
            None if call.function.is_some() => {
                let name = call.name;
                Ok(Outcome::Unknown(format!("`{name}` is not modelled")))
            }
            None => Ok(Outcome::NotMine),
        }
    }

    fn undeclared(&self, eval: &mut Eval<'_>, name: &str, is_called: bool, span: Span) {
        if self.is_complete {
            super::names::note_undeclared(eval, name, is_called, span);
        }
    }

    fn method(&self, eval: &mut Eval<'_>, object: &Operand, call: Call<'_>) -> Evaluated<Outcome> {
        let call = placed_call(eval, call);
        let Kind::Library(of) = &object.ty.kind else {
            return Ok(Outcome::NotMine);
        };
        const OPERATORS: &[&str] = &["operator[]", "operator()"];
        if call.name.starts_with("operator") && !OPERATORS.contains(&call.name) {
            return Ok(Outcome::NotMine);
        }
        let of = of.clone();
        let mut cx = self.lowering(eval, &call)?;
        let label = name_of(self.map, object.span);
        let lowered = match &*of.name {
            "TPipe" => {
                let label = name_of(self.map, cx.span(0));
                cx.pipe_method(object, &label)
            }
            "TBufPool" => {
                let label = name_of(self.map, cx.span(0));
                cx.pool_method(&label)
            }
            "TQueSync" => sync::queue_sync(&mut cx, object),
            "TQue" | "TQueBind" => cx.queue_method(object, &label),
            "TBuf" => cx.buf_method(object, &label),
            "LocalTensor" => tensor_methods::local_method(&mut cx, object),
            "GlobalTensor" => tensor_methods::global_method(&mut cx, object),
            "LocalMemAllocator" => tensor_methods::allocator_method(&mut cx, object),
            _ => None,
        };
        match lowered {
            Some(lowered) => cx.outcome(lowered),
            None => {
                cx.note_missing_method(&of.name);
                let (object, name) = (&of.name, call.name);
                Ok(Outcome::Unknown(format!(
                    "`{name}` of `{object}` is not modelled"
                )))
            }
        }
    }

    fn construct(
        &self,
        eval: &mut Eval<'_>,
        ty: &LibraryType,
        cell: CellId,
        call: Call<'_>,
    ) -> Evaluated<Outcome> {
        let call = placed_call(eval, call);
        let mut cx = self.lowering(eval, &call)?;
        let number = |at: usize| match ty.arguments.get(at) {
            Some(TemplateArg::Value(_, Constant::Int(value))) => i64::try_from(*value).ok(),
            _ => None,
        };
        if prelude::OPAQUE.contains(&&*ty.name) {
            return Ok(Outcome::Done(Operand::void(call.span)));
        }
        let object = match &*ty.name {
            "TPipe" => Object::Pipe,
            "TQue" | "TQueBind" => match pipe::queue_type(ty) {
                Some(of) => Object::Queue(of, None),
                None => {
                    return Ok(Outcome::Unknown(
                        "the type of a queue is not known".to_owned(),
                    ));
                }
            },
            "TBuf" => match number(0).and_then(types::position) {
                Some(position) => Object::Buf(position, None),
                None => {
                    return Ok(Outcome::Unknown(
                        "the memory of a buffer is not known".to_owned(),
                    ));
                }
            },
            "LocalTensor" if call.operands.is_empty() => Object::Local(None),
            "LocalTensor" => match tensor_methods::placed(&mut cx, ty)? {
                Ok(object) => object,
                Err(lost) => return Ok(lost.outcome()),
            },
            "GlobalTensor" => Object::Global(None),
            "TBufPool" => Object::Pool,
            "TQueSync" => {
                let pipe = |at: usize| number(at).and_then(Cx::pipe);
                match pipe(0).zip(pipe(1)) {
                    Some(pipes) => Object::Sync(pipes),
                    None => {
                        let what = "the pipes of a `TQueSync` are not known";
                        return Ok(Outcome::Unknown(what.to_owned()));
                    }
                }
            }
            "LocalMemAllocator" => {
                let position = number(0).map_or(Some(a2lint_isa::Position::Ub), types::hardware);
                match position {
                    Some(position) => Object::Memory(position, cx.builder().int(0)),
                    None => {
                        return Ok(Outcome::Unknown(
                            "the memory of an allocator is not known".to_owned(),
                        ));
                    }
                }
            }
            name => {
                return Ok(Outcome::Unknown(format!("`{name}` is not modelled")));
            }
        };
        let is_pipe = object == Object::Pipe;
        cx.eval.write(cell, object.value())?;
        let built = Operand::cell(Kind::Library(ty.clone().into()).into(), cell, call.span);
        if is_pipe && let Err(lost) = cx.start_pipe(&built, true)? {
            return Ok(lost.outcome());
        }
        Ok(Outcome::Done(built))
    }

    fn assigned(&self, eval: &mut Eval<'_>, target: &Operand, value: Value) -> Evaluated<Value> {
        if let (Value::Library(tensor), true) = (&value, eval.stores_to_chosen()) {
            // Which element is prepared depends on the index, and a record of one path says nothing of that.
            return Ok(tensor.unmarked().map_or(value, Value::Library));
        }
        let (Some(Object::Local(Some(tensor))), Some(cell)) =
            (value.library::<Object>(), target.object())
        else {
            return Ok(value);
        };
        if tensor.set.is_some() {
            return Ok(value);
        }
        let (tensor, label) = (*tensor, name_of(self.map, target.span));
        let named = (label.as_str(), target.span);
        let set = prepared(eval, &self.given, cell, named, Unprepared::Local)?;
        Ok(Object::Local(Some(Local { set, ..tensor })).value())
    }

    fn has_destructor(&self, ty: &LibraryType) -> bool {
        &*ty.name == "TPipe"
    }

    fn destroy(&self, eval: &mut Eval<'_>, cell: CellId, _: Span) -> Evaluated<()> {
        self.given.end_pipe(cell, &eval.builder);
        Ok(())
    }

    fn layout(&self, ty: &LibraryType) -> Option<(u64, u64)> {
        (&*ty.name == "int4b_t").then_some((1, 1))
    }

    fn convert(
        &self,
        eval: &mut Eval<'_>,
        operand: &Operand,
        value: &Value,
        to: &Ty,
        is_explicit: bool,
    ) -> Evaluated<Option<Value>> {
        if let (Some(Object::Local(Some(tensor))), Kind::Pointer(element, _)) =
            (value.library::<Object>(), &to.kind)
        {
            // A pointer into on-chip memory is represented by the tensor that starts there.
            let Some(dtype) = types::dtype(element) else {
                return Ok(None);
            };
            let part = tensor.reinterpreted(&mut eval.builder, dtype);
            return Ok(Some(Object::Local(Some(part)).value()));
        }
        let Some(Object::Address(_) | Object::Local(Some(_))) = value.library::<Object>() else {
            return Ok(None);
        };
        Ok(match &to.kind {
            Kind::Pointer(..) => Some(value.clone()),
            Kind::Int(IntType::Bool) => Some(Value::bool(true)),
            // The number keeps what it is the address of.
            Kind::Int(of) if of.bits() == 64 => {
                let is_number = matches!(operand.ty.kind, Kind::Int(_));
                (is_explicit || is_number).then(|| value.clone())
            }
            _ => None,
        })
    }

    fn seen_as(&self, eval: &mut Eval<'_>, value: &Value, to: &Ty) -> Evaluated<Option<Value>> {
        Ok(tensors::seen_as(&mut eval.builder, value, to))
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
        let Some(Object::Address(address)) = pointer.library::<Object>() else {
            return Ok(None);
        };
        let (Some(size), address) = (AscendC::size_of(ty), *address) else {
            return Ok(None);
        };
        let count = eval.value_of(elements)?;
        if !matches!(count, Value::Int(..)) {
            return Ok(None);
        }
        let count = eval.scalar(&count);
        let wide = ScalarType::of(DType::Int64);
        let scalars = &mut eval.builder.program.scalars;
        let size = scalars.int(size);
        let moved = scalars.binary_as(wide, BinaryOp::Mul, count, size);
        let op = match is_negative {
            true => BinaryOp::Sub,
            false => BinaryOp::Add,
        };
        let bytes = scalars.binary_as(wide, op, address.bytes, moved);
        Ok(Some(Object::Address(Address { bytes, ..address }).value()))
    }

    fn load(
        &self,
        eval: &mut Eval<'_>,
        address: &Value,
        ty: &Ty,
        span: Span,
    ) -> Evaluated<Option<Value>> {
        if let Some(Object::Address(address)) = address.library::<Object>()
            && let Some(value) = self.fields.value(eval, *address, ty, span)
        {
            return Ok(Some(value));
        }
        match pointee(eval, address, ty) {
            Some(tensor) => Ok(tensor.read(&mut eval.builder, span, span)?),
            None => {
                note_types(eval, address, ty, span);
                Ok(None)
            }
        }
    }

    fn member(
        &self,
        eval: &mut Eval<'_>,
        address: &Value,
        class: &Ty,
        member: (&str, &Ty),
        offset: u64,
    ) -> Evaluated<Option<Value>> {
        let (Some(Object::Address(address)), Ok(offset)) =
            (address.library::<Object>(), i64::try_from(offset))
        else {
            return Ok(None);
        };
        let by = eval.builder.int(offset);
        let bytes = numbers::add_wide(&mut eval.builder, address.bytes, by);
        let part = Address { bytes, ..*address };
        self.fields
            .name(eval, (*address, class), (part, member.1), member.0)?;
        Ok(Some(Object::Address(part).value()))
    }

    fn store(
        &self,
        eval: &mut Eval<'_>,
        address: &Value,
        ty: &Ty,
        value: &Value,
        span: Span,
    ) -> Evaluated<bool> {
        let Some(tensor) = pointee(eval, address, ty) else {
            return Ok(false);
        };
        if !matches!(value, Value::Int(..) | Value::Float(..)) {
            return Ok(false);
        }
        let id = eval.scalar(value);
        Ok(tensor.write(&mut eval.builder, id, span, span)?)
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
        let (a, b) = (eval.value_of(a)?, eval.value_of(b)?);
        let is_equal = match (a.library::<Object>(), b.library::<Object>()) {
            (Some(Object::Address(a)), Some(Object::Address(b))) if a == b => true,
            // Every tensor of a launch has memory.
            (Some(Object::Address(_)), None) if is_null(&b) => false,
            (None, Some(Object::Address(_))) if is_null(&a) => false,
            _ => return Ok(Outcome::NotMine),
        };
        let truth = match name {
            "operator==" => is_equal,
            "operator!=" => !is_equal,
            _ => return Ok(Outcome::NotMine),
        };
        let made = Operand::value(IntType::Bool, Value::bool(truth), span);
        Ok(Outcome::Done(made))
    }

    fn havoc_all(&self, eval: &mut Eval<'_>, span: Span) -> Evaluated<()> {
        Ok(havoc::everything(&mut eval.builder, span)?)
    }

    fn havoc(&self, eval: &mut Eval<'_>, value: &Value, span: Span) -> Evaluated<Value> {
        Ok(havoc::received(&mut eval.builder, value, span)?)
    }
}

/// Returns the call; one in the prelude gets the place of the statement in the source that led to it.
fn placed_call<'c>(eval: &Eval<'_>, call: Call<'c>) -> Call<'c> {
    let statement = eval.builder.statement;
    let place = |span: Span| match span == NOWHERE {
        true => statement,
        false => span,
    };
    Call {
        name_span: place(call.name_span),
        span: place(call.span),
        ..call
    }
}

/// Notes that a function asks for a tensor that it does not touch.
fn demand(cx: &mut Cx<'_, '_, '_>) -> Lowered<Option<Operand>> {
    let buffer = take!(cx.local(0)).buffer;
    cx.builder().program.demanded.push(buffer);
    Ok(Ok(None))
}

/// Returns whether the mask is in counter mode.
fn counts(cx: &mut Cx<'_, '_, '_>) -> Lowered<Option<Operand>> {
    let counts = Value::bool(cx.core()?.counts);
    Ok(Ok(Some(Operand::value(
        IntType::Bool,
        counts,
        cx.call.span,
    ))))
}

/// Returns the number of elements of counter mode.
fn counted(cx: &mut Cx<'_, '_, '_>) -> Lowered<Option<Operand>> {
    match cx.core()?.mask {
        Mask::Count(count) => Ok(Ok(Some(cx.int_operand(IntType::Long, count)))),
        _ => lost!("how many elements counter mode has is not known"),
    }
}

/// Reports a library function whose source is read after its destination has been written, if both overlap.
fn apart(cx: &mut Cx<'_, '_, '_>) -> Lowered<Option<Operand>> {
    let (dst, src) = (take!(cx.local(0)), take!(cx.local(1)));
    let count = take!(cx.number(2));
    // Tensors that a queue has handed out in different slots are in use together: they are different buffers of it.
    if dst.buffer != src.buffer || dst.slot != src.slot {
        return Ok(Ok(None));
    }
    let span = cx.call.span;
    let builder = cx.builder();
    let known = [dst.offset, src.offset, count].map(|id| numbers::known(builder, id));
    let overlaps = match known {
        _ if dst.offset == src.offset => Some(true),
        [Some(dst), Some(src), Some(count)] => Some((dst - src).abs() < count),
        _ => None,
    };
    match overlaps {
        Some(false) => {}
        Some(true) => builder.note(span, NoteKind::ReadAfterWritten(dst.buffer)),
        None => {
            let what = "whether the source and the destination of this call overlap is not known";
            builder.note_unknown(span, what.to_owned());
        }
    }
    Ok(Ok(None))
}
