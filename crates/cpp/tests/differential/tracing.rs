//! Programs traced, with a library that knows `in` and `out`.

use std::path::PathBuf;

use a2lint_cpp::eval::{Eval, FloatType, FloatValue, IntType, IntValue, Operand, STANDARD, Value};
use a2lint_cpp::library::{Call, Evaluated, Library, Outcome};
use a2lint_cpp::syntax::{Settings, Source, ast::Unit, read};
use a2lint_ir::build::Builder;
use a2lint_ir::toolchain::EASYASC;
use a2lint_ir::{Program, ScalarType, VariableKind};
use a2lint_isa::{DType, RepeatRounding};
use a2lint_source::text::{SourceText, Span};

use crate::Line;
use crate::execution::Execution;

/// What programs print and ask with. Neither has a body: the library is called.
const PRELUDE: &str = "
int in(int k);
template <typename T> void out(const char *name, T value);
";

struct Recorder;

impl Library for Recorder {
    fn namespaces(&self) -> &[&str] {
        &[]
    }

    fn call(&self, eval: &mut Eval<'_>, call: Call<'_>) -> Evaluated<Outcome> {
        match (call.name, call.operands) {
            ("in", [number]) => {
                let number = eval
                    .value_of(number)?
                    .known_int()
                    .expect("inputs are numbered");
                let name = format!("in{number}");
                let known = eval.builder.program.variables.iter();
                let known = known
                    .map(|it| it.name.to_string())
                    .position(|it| it == name);
                let variable = match known {
                    Some(at) => a2lint_ir::VariableId(at as u32),
                    None => panic!("all inputs are declared before"),
                };
                let id = eval.builder.read(variable);
                let value = Value::Int(IntType::Int, IntValue::Scalar(id));
                Ok(Outcome::Done(Operand::value(
                    IntType::Int,
                    value,
                    call.span,
                )))
            }
            ("out", [name, value]) => {
                let Value::String(name) = eval.value_of(name)? else {
                    panic!("names are literals");
                };
                let value = eval.value_of(value)?;
                self.print(eval, &name, &value, call.span)?;
                Ok(Outcome::Done(Operand::void(call.span)))
            }
            _ => Ok(Outcome::NotMine),
        }
    }
}

impl Recorder {
    fn print(&self, eval: &mut Eval<'_>, name: &str, value: &Value, span: Span) -> Evaluated<()> {
        let (value, of) = match value {
            Value::Int(of, _) => (value.clone(), of.scalar()),
            Value::Float(FloatType::Double, FloatValue::Known(value)) => {
                let bits = i128::from(value.to_bits() as i64);
                (
                    Value::int(IntType::Long, bits),
                    ScalarType::of(DType::Int64),
                )
            }
            Value::Float(of, _) => (
                value.clone(),
                of.scalar().unwrap_or(ScalarType::of(DType::Float)),
            ),
            _ => (Value::Unknown, ScalarType::of(DType::Int64)),
        };
        let scalar = eval.scalar(&value);
        let name = format!("out {name}");
        let variable = eval.builder.variable(VariableKind::Param, &name, of, span);
        eval.builder.assign(variable, scalar)?;
        Ok(())
    }
}

/// A traced program.
pub struct Traced {
    program: Program,
    /// Why it was not traced to its end.
    abort: Option<String>,
}

impl Traced {
    /// Traces `program()`.
    pub fn of(text: &str) -> Traced {
        let prelude = format!("{STANDARD}\n{PRELUDE}");
        let source = Source {
            path: PathBuf::from("program.cpp"),
            text: SourceText::new(text),
            base: 0,
        };
        let settings = Settings {
            prelude: &prelude,
            ..Settings::default()
        };
        let unit: Unit = read(source, &settings, &mut |_, _| None);
        assert!(
            unit.errors.is_empty() && unit.notes.is_empty(),
            "{:?} {:?}\n{}",
            unit.errors
                .iter()
                .map(|span| SourceText::new(text).slice(*span).to_owned())
                .collect::<Vec<_>>(),
            unit.notes,
            text.lines().count()
        );
        let span = Span::new(0, text.len());
        let mut builder =
            Builder::new("program".into(), (span, span), &EASYASC, RepeatRounding::Up);
        for number in 0..crate::INPUTS[0].len() {
            let int = ScalarType::of(DType::Int);
            builder.variable(VariableKind::Param, &format!("in{number}"), int, span);
        }
        let library = Recorder;
        let mut eval = Eval::new(&[&unit], &library, builder);
        let entry = eval.function_named("program").expect("there is a program");
        let abort = eval.run(entry, &[], Vec::new(), span).err();
        let program = match &abort {
            None => eval.builder.finish(),
            Some(_) => Program::default(),
        };
        Traced {
            program,
            abort: abort.map(|abort| abort.reason().to_owned()),
        }
    }

    /// What it prints for inputs; an error where that is not known.
    pub fn lines(&self, inputs: &[i32]) -> Result<Vec<Line>, String> {
        match &self.abort {
            Some(why) => Err(why.clone()),
            None => Execution::of(&self.program, inputs).run(),
        }
    }

    /// Places that could not be evaluated.
    pub fn unknown(&self) -> Vec<String> {
        let unknown = self.program.unknown.iter();
        unknown
            .map(|place| format!("{}..{}: {}", place.span.start, place.span.end, place.what))
            .collect()
    }

    /// Whether nothing before these lines was unknown, so that they have to be right.
    pub fn is_known_so_far(&self, _lines: &[Line]) -> bool {
        true
    }

    /// The statements of the program.
    pub fn print(&self) -> String {
        format!("{:#?}", self.program.body)
    }
}
