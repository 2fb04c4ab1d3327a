//! Evaluates expressions.

use super::{Answer, Array, Axis, Base, EvalError, Number, Region, Scope};
use a2lint_ir::arithmetic::{floor_div, floor_mod};
use a2lint_ir::{
    BufferId, GlobalId, Named, Notation, Program, Scalar, ScalarId, SpecialScalar, StmtKind,
    VariableId, View,
};
use a2lint_isa::DType;
use a2lint_machine::{Inspection, Value};
use a2lint_source::spelling::nearest;
use a2lint_syntax::python::ast::{BinaryOp, CompareOp, Expr, ExprKind, UnaryOp};

type Result<T> = std::result::Result<T, EvalError>;

/// Evaluates an expression.
pub fn evaluate(tree: &Expr, scope: Scope, inspection: &mut Inspection) -> Result<Answer> {
    Evaluation { scope, inspection }.answer(tree)
}

/// Converts the value of an expression to a number.
pub fn number(answer: Answer, scope: Scope, inspection: &mut Inspection) -> Result<Number> {
    Evaluation { scope, inspection }.number(answer)
}

fn fails<T>(message: impl Into<String>) -> Result<T> {
    Err(EvalError::new(message))
}

/// Returns a number without a type.
fn plain(number: Number) -> Answer {
    Answer::Number(number, None)
}

fn truth(holds: bool) -> Answer {
    Answer::Number(Number::Int(holds.into()), Some(DType::Bool))
}

/// The selected part of an axis.
enum Pick {
    One(usize),
    Some {
        first: usize,
        extent: usize,
        step: usize,
    },
}

struct Evaluation<'e, 's, 'i, 'p> {
    scope: Scope<'s>,
    inspection: &'e mut Inspection<'i, 'p>,
}

impl Evaluation<'_, '_, '_, '_> {
    /// Evaluates a tree. The parser limits its depth, so the recursion is bounded.
    fn answer(&mut self, tree: &Expr) -> Result<Answer> {
        match &tree.kind {
            ExprKind::Bool(value) => Ok(truth(*value)),
            ExprKind::Int(value) => Ok(plain(Number::Int(*value))),
            ExprKind::Float(value) => Ok(plain(Number::Float(*value))),
            ExprKind::Name(name) => self.named(name),
            ExprKind::Subscript { value, index } => self.part(value, index),
            ExprKind::Call {
                func,
                args,
                keywords,
            } if keywords.is_empty() => match &func.kind {
                ExprKind::Name(name) => self.call(name, args),
                _ => fails("only functions can be called"),
            },
            ExprKind::Call { .. } => fails("functions here take no keywords"),
            ExprKind::Unary { op, operand } => self.unary(*op, operand),
            ExprKind::Binary {
                op, left, right, ..
            } => self.binary(*op, left, right),
            ExprKind::BoolOp { and, values } => {
                for value in values {
                    if self.holds(value)? != *and {
                        return Ok(truth(!and));
                    }
                }
                Ok(truth(*and))
            }
            ExprKind::Compare { left, rest } => self.compare(left, rest),
            ExprKind::Conditional { test, body, orelse } => match self.holds(test)? {
                true => self.answer(body),
                false => self.answer(orelse),
            },
            _ => fails("this kind of expression is not evaluated here"),
        }
    }

    fn holds(&mut self, tree: &Expr) -> Result<bool> {
        Ok(self.single(tree)?.as_float() != 0.0)
    }

    /// Evaluates a tree to one number.
    fn single(&mut self, tree: &Expr) -> Result<Number> {
        let answer = self.answer(tree)?;
        self.number(answer)
    }

    fn number(&mut self, answer: Answer) -> Result<Number> {
        match answer {
            Answer::Number(number, _) => Ok(number),
            other => self.array(other)?.number(),
        }
    }

    fn int(&mut self, tree: &Expr) -> Result<i128> {
        match self.single(tree)? {
            Number::Int(value) => Ok(value),
            Number::Float(value) => fails(format!("{value} is no integer")),
        }
    }

    /// Converts a value to an array.
    fn array(&mut self, answer: Answer) -> Result<Array> {
        match answer {
            Answer::Array(array) => Ok(array),
            Answer::Region(region) => region.read(self.inspection),
            Answer::Number(number, dtype) => Ok(Array {
                dtype: dtype.unwrap_or(type_of(number)),
                shape: Vec::new(),
                elements: vec![Some(number.as_float())],
            }),
            Answer::Slots(buffer) => fails(self.choose_slot(buffer)),
        }
    }

    fn choose_slot(&self, buffer: BufferId) -> String {
        let buffer = self.scope.program.buffer(buffer);
        let (name, slots) = (&buffer.name, buffer.slots);
        format!("`{name}` has {slots} slots: choose one, such as {name}[0]")
    }

    fn named(&mut self, name: &str) -> Result<Answer> {
        let known = Named::of(self.scope.program, name);
        let is_it = |view: &View| match (&known, view) {
            (Some(Named::Buffers(ids)), View::Local(view)) => ids.contains(&view.buffer),
            (Some(Named::Global(id)), View::Global(view)) => view.global == *id,
            _ => false,
        };
        let operands = self.scope.operands();
        let given = operands.iter().find(|(text, _)| *text == name);
        if let Some((_, view)) = given.filter(|(_, view)| !is_it(view)) {
            return self.view(view);
        }
        if known.is_some() && given.is_none() && self.scope.is_shadowed(name, is_it) {
            return fails(format!(
                "`{name}` is a tensor of a helper here, which the statements that use it show; \
                 `kernel({name})` is that of the kernel"
            ));
        }
        self.of_kernel(name)
    }

    /// Returns the value of a name of the kernel.
    fn of_kernel(&mut self, name: &str) -> Result<Answer> {
        match Named::of(self.scope.program, name) {
            Some(Named::Variables(ids)) => self.variable(name, &ids),
            Some(Named::Global(id)) => self.global(id),
            Some(Named::Buffers(ids)) => {
                let id = self.buffer(&ids);
                match self.scope.program.buffer(id).slots {
                    1 => self.slot(id, 0),
                    _ => Ok(Answer::Slots(id)),
                }
            }
            None => self.constant(name),
        }
    }

    /// Returns the elements of an operand.
    fn view(&mut self, view: &View) -> Result<Answer> {
        let snapshot = self.inspection.view(view);
        let snapshot = snapshot.ok_or_else(|| EvalError::new("its extents are not known here"))?;
        let elements = snapshot.values.iter().zip(&snapshot.defined);
        let [rows, columns] = snapshot.shape;
        Ok(Answer::Array(Array {
            dtype: snapshot.dtype,
            shape: self.shape([rows, columns]),
            elements: elements
                .map(|(value, defined)| defined.then_some(*value))
                .collect(),
        }))
    }

    /// Tensors of C++ have no rows.
    fn shape(&self, [rows, columns]: [usize; 2]) -> Vec<usize> {
        match (self.scope.program.toolchain.notation, rows) {
            (Notation::Cpp, 1) => vec![columns],
            _ => vec![rows, columns],
        }
    }

    /// Returns a constant of the file. Instructions contain its value, not its name.
    fn constant(&self, name: &str) -> Result<Answer> {
        let program = self.scope.program;
        match program.constant(name) {
            Some(number) => Ok(plain(number)),
            None => {
                let constants = program.constants.iter().map(|(name, _)| name.as_str());
                let near = nearest(name, Named::all(program).chain(constants));
                let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                fails(format!("nothing is called `{name}` here{hint}"))
            }
        }
    }

    /// Returns the last variable of a name that has a value, if several have that name.
    fn variable(&mut self, name: &str, ids: &[VariableId]) -> Result<Answer> {
        let program = self.scope.program;
        let mut why = None;
        for &id in ids.iter().rev() {
            let dtype = program.variable(id).dtype;
            match self.value(id) {
                Value::Int(value) => return Ok(Answer::Number(Number::Int(value.into()), dtype)),
                Value::Large(value) => return Ok(Answer::Number(Number::Int(value.into()), dtype)),
                Value::Float(value) => return Ok(Answer::Number(Number::Float(value), dtype)),
                Value::Absent(absence) => drop(why.get_or_insert(absence)),
            }
        }
        let why = why.map_or(String::new(), |why| format!(": {}", why.reason(program)));
        fails(format!("`{name}` has no value{why}"))
    }

    /// Returns the value of a variable. If its expression was substituted at every use, the variable holds
    /// nothing; the expression has the same value as long as its inputs have not changed.
    fn value(&mut self, id: VariableId) -> Value {
        let program = self.scope.program;
        match program.variable(id).folded {
            Some(folded) if is_steady(program, folded) => self.inspection.scalar(folded),
            _ => self.inspection.variable(id),
        }
    }

    /// Of several buffers with one name, returns the one that the current statement uses, or the first.
    fn buffer(&self, ids: &[BufferId]) -> BufferId {
        let used = self.scope.at.and_then(|stmt| match &stmt.kind {
            StmtKind::Instr(instr) => {
                let views = instr.operands().filter_map(|(_, _, view)| view.local());
                let mut buffers = views.map(|view| view.buffer);
                buffers.find(|buffer| ids.contains(buffer))
            }
            _ => None,
        });
        used.unwrap_or(ids[0])
    }

    fn slot(&mut self, buffer: BufferId, slot: i64) -> Result<Answer> {
        let [rows, columns] = self
            .inspection
            .slot_shape(buffer)
            .ok_or_else(|| EvalError::new("the extents of the buffer are not known here"))?;
        let dtype = self.scope.program.buffer(buffer).dtype;
        let shape = self.shape([rows, columns].map(|extent| extent.max(0) as usize));
        Ok(Answer::Region(Region::whole(
            Base::Slot(buffer, slot),
            dtype,
            &shape,
        )))
    }

    fn global(&mut self, global: GlobalId) -> Result<Answer> {
        let bound = self.inspection.bound(global);
        let shape = bound.shape.iter().map(|&extent| extent.max(0) as usize);
        let shape: Vec<usize> = shape.collect();
        Ok(Answer::Region(Region::whole(
            Base::Tensor(global),
            bound.dtype,
            &shape,
        )))
    }

    fn part(&mut self, value: &Expr, index: &Expr) -> Result<Answer> {
        let whole = self.answer(value)?;
        let indices = match &index.kind {
            ExprKind::Tuple(indices) => &indices[..],
            _ => std::slice::from_ref(index),
        };
        if let Answer::Slots(buffer) = whole {
            return match indices {
                [index] if !matches!(index.kind, ExprKind::Slice { .. }) => {
                    let slot = self.int(index)?;
                    let slots = i128::from(self.scope.program.buffer(buffer).slots);
                    self.slot(buffer, slot.rem_euclid(slots) as i64)
                }
                _ => fails(self.choose_slot(buffer)),
            };
        }
        let shape = match &whole {
            Answer::Region(region) => region.shape(),
            Answer::Array(array) => array.shape.clone(),
            _ => return fails("a number has no elements"),
        };
        if indices.len() > shape.len() {
            let (given, rank) = (indices.len(), shape.len());
            return fails(format!("{given} indices are given, and there are {rank}"));
        }
        let mut picks = Vec::with_capacity(shape.len());
        for (index, &extent) in indices.iter().zip(&shape) {
            picks.push(self.pick(index, extent)?);
        }
        match whole {
            Answer::Region(region) => Ok(Answer::Region(taken(&region, &picks))),
            Answer::Array(array) => {
                // An array is indexed like a memory of its own.
                let plain = Region::whole(Base::Tensor(GlobalId(0)), array.dtype, &array.shape);
                let region = taken(&plain, &picks);
                let elements = region.numbers().map(|at| array.elements[at]);
                Ok(Answer::Array(Array {
                    dtype: array.dtype,
                    shape: region.shape(),
                    elements: elements.collect(),
                }))
            }
            other => Ok(other),
        }
    }

    fn pick(&mut self, index: &Expr, extent: usize) -> Result<Pick> {
        let size = extent as i128;
        let ExprKind::Slice { lower, upper, step } = &index.kind else {
            let given = self.int(index)?;
            let at = if given < 0 { given + size } else { given };
            return match usize::try_from(at).ok().filter(|&at| at < extent) {
                Some(at) => Ok(Pick::One(at)),
                None => fails(format!("index {given} is outside of {extent} elements")),
            };
        };
        let mut bound = |tree: &Option<Box<Expr>>, otherwise: i128| match tree {
            Some(tree) => {
                let given = self.int(tree)?;
                let at = if given < 0 { given + size } else { given };
                Ok(at.clamp(0, size) as usize)
            }
            None => Ok(otherwise as usize),
        };
        let (first, last) = (bound(lower, 0)?, bound(upper, size)?);
        let step = match step {
            Some(step) => self.int(step)?,
            None => 1,
        };
        match usize::try_from(step) {
            Ok(step @ 1..) => Ok(Pick::Some {
                first,
                extent: last.saturating_sub(first).div_ceil(step),
                step,
            }),
            _ => fails("slices go forwards here"),
        }
    }

    fn call(&mut self, name: &str, args: &[Expr]) -> Result<Answer> {
        if let Some(special) = special(name)
            && args.is_empty()
        {
            return match self.inspection.special(special) {
                Value::Int(value) => Ok(plain(Number::Int(value.into()))),
                _ => fails("it has no value on this lane"),
            };
        }
        match (name, args) {
            (
                "kernel",
                [
                    Expr {
                        kind: ExprKind::Name(name),
                        ..
                    },
                ],
            ) => self.of_kernel(name),
            ("min" | "Min" | "max" | "Max", [first, rest @ ..]) if !rest.is_empty() => {
                let mut best = self.single(first)?;
                for other in rest {
                    let other = self.single(other)?;
                    let is_less = other.as_float() < best.as_float();
                    if is_less == name.eq_ignore_ascii_case("min") {
                        best = other;
                    }
                }
                Ok(plain(best))
            }
            ("CeilDiv", [a, b]) => {
                let (a, b) = (self.int(a)?, self.int(b)?);
                if b == 0 {
                    return fails("it is divided by 0");
                }
                // As the device: it truncates, which rounds up only where neither is negative.
                let above = a.checked_add(b).and_then(|sum| sum.checked_sub(1));
                match above.and_then(|above| above.checked_div(b)) {
                    Some(quotient) => Ok(plain(Number::Int(quotient))),
                    None => fails("the result is too large"),
                }
            }
            ("int", [value]) => Ok(plain(match self.single(value)? {
                Number::Float(value) => Number::Int(value as i128),
                int => int,
            })),
            ("float", [value]) => Ok(plain(Number::Float(self.single(value)?.as_float()))),
            (_, [value]) if FUNCTIONS.contains(&name) => {
                let answer = self.answer(value)?;
                let array = self.array(answer)?;
                reduced(name, &array)
            }
            _ if FUNCTIONS.contains(&name) => fails(format!("`{name}` takes one value")),
            _ => {
                let known = FUNCTIONS.join(", ");
                fails(format!("there is no function `{name}` here, but {known}"))
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr) -> Result<Answer> {
        if op == UnaryOp::Not {
            return Ok(truth(!self.holds(operand)?));
        }
        let answer = self.answer(operand)?;
        match (op, answer) {
            (UnaryOp::Pos, answer) => Ok(answer),
            (UnaryOp::Neg, Answer::Number(Number::Int(value), _)) => match value.checked_neg() {
                Some(value) => Ok(plain(Number::Int(value))),
                None => fails("the result is too large"),
            },
            (UnaryOp::Neg, Answer::Number(Number::Float(value), _)) => {
                Ok(plain(Number::Float(-value)))
            }
            (UnaryOp::Invert, Answer::Number(Number::Int(value), _)) => {
                Ok(plain(Number::Int(!value)))
            }
            (UnaryOp::Neg, answer) => {
                let array = self.array(answer)?;
                Ok(Answer::Array(array.map(array.dtype, |value| -value)))
            }
            _ => fails("`~` takes an integer"),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Result<Answer> {
        let (a, b) = (self.answer(left)?, self.answer(right)?);
        if let (Answer::Number(a, _), Answer::Number(b, _)) = (&a, &b) {
            return Ok(plain(arithmetic(op, *a, *b)?));
        }
        let (a, b) = (self.array(a)?, self.array(b)?);
        let dtype = match a.dtype.is_float() || b.dtype.is_float() || op == BinaryOp::Div {
            true => DType::Float,
            false => DType::Int64,
        };
        let function: fn(f64, f64) -> f64 = match op {
            BinaryOp::Add => |a, b| a + b,
            BinaryOp::Sub => |a, b| a - b,
            BinaryOp::Mul => |a, b| a * b,
            BinaryOp::Div => |a, b| a / b,
            BinaryOp::FloorDiv => |a, b| (a / b).floor(),
            BinaryOp::Mod => |a, b| a - b * (a / b).floor(),
            BinaryOp::Pow => f64::powf,
            _ => return fails("this operation is for single integers"),
        };
        Ok(Answer::Array(a.zip(&b, dtype, function)?))
    }

    fn compare(&mut self, left: &Expr, rest: &[(CompareOp, Expr)]) -> Result<Answer> {
        let mut before = self.answer(left)?;
        let mut result = truth(true);
        for (op, right) in rest {
            let after = self.answer(right)?;
            let relation = relation(*op)?;
            let one = match (&before, &after) {
                (Answer::Number(a, _), Answer::Number(b, _)) => truth(match (a, b) {
                    (Number::Int(a), Number::Int(b)) => int_relation(*op, *a, *b),
                    (a, b) => relation(a.as_float(), b.as_float()),
                }),
                (a, b) => {
                    let (a, b) = (self.array(a.clone())?, self.array(b.clone())?);
                    let holds = |a, b| f64::from(u8::from(relation(a, b)));
                    Answer::Array(a.zip(&b, DType::Bool, holds)?)
                }
            };
            if rest.len() == 1 {
                return Ok(one);
            }
            if self.number(one)?.as_float() == 0.0 {
                result = truth(false);
            }
            before = after;
        }
        Ok(result)
    }
}

/// Returns whether an expression consists of parameters, counters, and variables that are assigned once.
fn is_steady(program: &Program, id: ScalarId) -> bool {
    match program.scalars.get(id) {
        Scalar::Variable(variable) => {
            let variable = program.variable(variable);
            variable.assignments <= 1
        }
        Scalar::Unary(_, a) => is_steady(program, a),
        Scalar::Binary(_, a, b) | Scalar::Compare(_, a, b) => {
            is_steady(program, a) && is_steady(program, b)
        }
        _ => true,
    }
}

/// Applies selections to the axes of a region.
fn taken(region: &Region, picks: &[Pick]) -> Region {
    let mut taken = region.clone();
    taken.axes.clear();
    for (at, axis) in region.axes.iter().enumerate() {
        match picks.get(at) {
            Some(Pick::One(index)) => taken.first += index * axis.stride,
            Some(&Pick::Some {
                first,
                extent,
                step,
            }) => {
                taken.first += first * axis.stride;
                taken.axes.push(Axis {
                    extent,
                    stride: axis.stride * step,
                });
            }
            None => taken.axes.push(*axis),
        }
    }
    taken
}

/// Names of the functions with one argument.
pub const FUNCTIONS: [&str; 12] = [
    "sum",
    "mean",
    "min",
    "max",
    "abs",
    "any",
    "all",
    "len",
    "isnan",
    "undefined",
    "int",
    "float",
];

fn reduced(name: &str, array: &Array) -> Result<Answer> {
    let float = |value: f64| match array.dtype.is_float() || name == "mean" {
        true => plain(Number::Float(value)),
        false => plain(Number::Int(value as i128)),
    };
    let count = |count: usize| Ok(plain(Number::Int(count as i128)));
    let some = |value: Option<f64>| match value {
        Some(value) => Ok(float(value)),
        None => fails("none of its elements is defined"),
    };
    // A NaN makes the result NaN, as in the machine.
    let pick = |best: fn(f64, f64) -> f64| {
        array
            .defined()
            .reduce(move |a, b| match a.is_nan() || b.is_nan() {
                true => f64::NAN,
                false => best(a, b),
            })
    };
    match name {
        "sum" => Ok(float(array.defined().sum())),
        "mean" => {
            let defined = array.elements.len() - array.undefined();
            some((defined > 0).then(|| array.defined().sum::<f64>() / defined as f64))
        }
        "min" => some(pick(f64::min)),
        "max" => some(pick(f64::max)),
        "abs" => Ok(Answer::Array(array.map(array.dtype, f64::abs))),
        "any" => Ok(truth(array.defined().any(|value| value != 0.0))),
        "all" => Ok(truth(
            array.undefined() == 0 && array.defined().all(|value| value != 0.0),
        )),
        "len" => count(array.shape.first().copied().unwrap_or(1)),
        "isnan" => count(array.defined().filter(|value| value.is_nan()).count()),
        "undefined" => count(array.undefined()),
        _ => fails(format!("`{name}` takes a single number")),
    }
}

fn special(name: &str) -> Option<SpecialScalar> {
    Some(match name {
        "GetCubeNum" => SpecialScalar::CubeNum,
        "GetCubeIdx" => SpecialScalar::CubeIdx,
        "GetVecNum" => SpecialScalar::VecNum,
        "GetVecIdx" => SpecialScalar::VecIdx,
        "GetSubBlockIdx" => SpecialScalar::SubBlockIdx,
        _ => return None,
    })
}

fn type_of(number: Number) -> DType {
    match number {
        Number::Int(_) => DType::Int64,
        Number::Float(_) => DType::Float,
    }
}

/// Evaluates an operation with Python's semantics, within 128 bits.
fn arithmetic(op: BinaryOp, a: Number, b: Number) -> Result<Number> {
    let (Number::Int(x), Number::Int(y)) = (a, b) else {
        let (x, y) = (a.as_float(), b.as_float());
        return Ok(Number::Float(match op {
            BinaryOp::Add => x + y,
            BinaryOp::Sub => x - y,
            BinaryOp::Mul => x * y,
            BinaryOp::Div => x / y,
            BinaryOp::FloorDiv => (x / y).floor(),
            BinaryOp::Mod => x - y * (x / y).floor(),
            BinaryOp::Pow => x.powf(y),
            _ => return fails("this operation is for integers"),
        }));
    };
    if y == 0 && matches!(op, BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Mod) {
        return fails("it is divided by 0");
    }
    let bits = || u32::try_from(y).ok().filter(|&bits| bits < 64);
    let result = match op {
        BinaryOp::Div => return Ok(Number::Float(x as f64 / y as f64)),
        BinaryOp::Add => x.checked_add(y),
        BinaryOp::Sub => x.checked_sub(y),
        BinaryOp::Mul => x.checked_mul(y),
        BinaryOp::FloorDiv => floor_div(x, y),
        BinaryOp::Mod => floor_mod(x, y),
        BinaryOp::Pow => u32::try_from(y).ok().and_then(|y| x.checked_pow(y)),
        BinaryOp::BitAnd => Some(x & y),
        BinaryOp::BitOr => Some(x | y),
        BinaryOp::BitXor => Some(x ^ y),
        BinaryOp::Shl => bits().and_then(|bits| x.checked_mul(1 << bits)),
        BinaryOp::Shr => bits().map(|bits| x >> bits),
        BinaryOp::MatMul => return fails("write `x @ line 41` for a value at a line"),
    };
    result.map_or_else(
        || fails("the result is too large"),
        |it| Ok(Number::Int(it)),
    )
}

fn relation(op: CompareOp) -> Result<fn(f64, f64) -> bool> {
    Ok(match op {
        CompareOp::Eq => |a, b| a == b,
        CompareOp::Ne => |a, b| a != b,
        CompareOp::Lt => |a, b| a < b,
        CompareOp::Le => |a, b| a <= b,
        CompareOp::Gt => |a, b| a > b,
        CompareOp::Ge => |a, b| a >= b,
        _ => return fails("`in` and `is` are not evaluated here"),
    })
}

fn int_relation(op: CompareOp, a: i128, b: i128) -> bool {
    match op {
        CompareOp::Eq => a == b,
        CompareOp::Lt => a < b,
        CompareOp::Le => a <= b,
        CompareOp::Gt => a > b,
        CompareOp::Ge => a >= b,
        _ => a != b,
    }
}
