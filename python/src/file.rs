//! Files with kernels.

use std::sync::Arc;

use a2lint::files::read_source;
use a2lint::ir::{GlobalKind, ParamKind, Program};
use a2lint::run::spec::{self, Occasion};
use a2lint::run::{Arguments, Job, Limits, Questions, Which, bind};
use a2lint::target::Target;
use a2lint::text::SourceText;
use pyo3::prelude::*;

use crate::arrays::{Given, array};
use crate::run::{Finished, Ran};
use crate::value_error;
use crate::waiting::{Waiting, apart};

/// A parameter: its name, `tensor`, `scalar` or `other`, its element type, whether it is returned, and
/// the rank that the kernel declares.
type Param = (
    String,
    &'static str,
    Option<&'static str>,
    bool,
    Option<usize>,
);
/// A kernel: its name, the first line of its definition, its parameters, its workspaces, its outputs.
type Kernel = (String, usize, Vec<Param>, Vec<String>, Vec<String>);

/// A file that was read and traced.
#[pyclass(frozen)]
pub struct File {
    target: Arc<Target>,
}

#[pymethods]
impl File {
    /// Reads a file, or takes a text for it. Nothing of it is executed.
    #[new]
    #[pyo3(signature = (path, source=None))]
    fn new(py: Python, path: String, source: Option<String>) -> PyResult<File> {
        let target = apart(py, move || {
            let source = match source {
                Some(text) => SourceText::new(text),
                None => read_source(std::path::Path::new(&path)).map_err(|it| it.to_string())?,
            };
            Target::of(&path, &source, None).map_err(|error| error.to_string())
        })?;
        let target = Arc::new(target.map_err(value_error)?);
        Ok(File { target })
    }

    /// The kernels, in the order of the text.
    fn kernels(&self) -> Vec<Kernel> {
        let programs = self.target.module.programs.iter();
        programs.map(|program| self.kernel(program)).collect()
    }

    /// How many launches of a kernel are in sight.
    fn launches(&self, kernel: usize) -> usize {
        let module = &self.target.module;
        let Some(program) = module.programs.get(kernel) else {
            return 0;
        };
        let own = module
            .launches
            .iter()
            .filter(|launch| launch.kernel == program.name);
        own.count()
    }

    /// Kernels that could not be traced, with the reason.
    fn not_analysed(&self) -> Vec<(Option<String>, String)> {
        let missing = self.target.module.not_analysed.iter();
        missing
            .map(|it| (it.kernel.clone(), it.reason.clone()))
            .collect()
    }

    /// Runs a kernel. What is not given comes from the launch, if one is named.
    #[pyo3(signature = (
        kernel, scalars, floats, tensors, shapes, *, launch=None, cores=None, device=None, dumps=Vec::new(),
        exact=false, max_instructions=None, max_seconds=None, max_memory=None, progress=None
    ))]
    #[allow(clippy::too_many_arguments)]
    fn run(
        &self,
        py: Python,
        kernel: usize,
        scalars: Vec<(String, f64)>,
        floats: Vec<String>,
        tensors: Vec<(String, Given)>,
        shapes: Vec<(String, String, Vec<i64>)>,
        launch: Option<&str>,
        cores: Option<u32>,
        device: Option<&str>,
        dumps: Vec<String>,
        exact: bool,
        max_instructions: Option<u64>,
        max_seconds: Option<f64>,
        max_memory: Option<u64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Ran> {
        let mut arguments = Arguments {
            scalars,
            floats,
            cores,
            launch: match launch {
                Some("first") => Which::First,
                Some(text) => spec::launch(text).map_err(value_error)?,
                None => Which::None,
            },
            ..Arguments::default()
        };
        if let Some(name) = device {
            let known = a2lint::device::Device::from_name(name);
            arguments.device =
                Some(known.ok_or_else(|| value_error(format!("no device `{name}`")))?);
        }
        for (name, given) in &tensors {
            let contents = spec::InputSpec::Array(array(given)?);
            arguments.contents.push((name.clone(), contents));
        }
        for (name, dtype, shape) in shapes {
            let known = a2lint::isa::DType::from_name(&dtype);
            let known =
                known.ok_or_else(|| value_error(format!("`{dtype}` is no element type")))?;
            arguments.dtypes.push((name.clone(), known));
            arguments.shapes.push((name, shape));
        }
        let dumps: Result<_, String> = dumps.iter().map(|text| spec::dump(text)).collect();
        let questions = Questions {
            dumps: dumps.map_err(value_error)?,
            occasion: Occasion::default(),
            is_exact: exact,
            ..Questions::default()
        };
        let usual = Limits::default();
        let limits = Limits {
            instructions: max_instructions.unwrap_or(usual.instructions),
            seconds: max_seconds.unwrap_or(usual.seconds),
            memory: max_memory.unwrap_or(usual.memory),
        };
        if !(limits.seconds > 0.0 && limits.seconds < 1e9) {
            return Err(value_error("max_seconds has to be a number above 0"));
        }
        self.simulate(py, kernel, arguments, questions, limits, progress)
    }
}

impl File {
    fn kernel(&self, program: &Program) -> Kernel {
        let params = program.params.iter().map(|param| {
            let name = param.name.to_string();
            match param.kind {
                ParamKind::Global(id) => {
                    let global = program.global(id);
                    let rank = Some(global.shape.len()).filter(|&rank| rank > 0);
                    let dtype = global.dtype.map(|dtype| dtype.name());
                    (name, "tensor", dtype, program.outputs.contains(&id), rank)
                }
                ParamKind::Variable(id) => {
                    let dtype = program.variable(id).dtype.map(|dtype| dtype.name());
                    (name, "scalar", dtype, false, None)
                }
                _ => (name, "other", None, false, None),
            }
        });
        let globals = program.globals.iter();
        let workspaces = globals.filter(|global| global.kind == GlobalKind::Workspace);
        let outputs = program.results();
        let line = self
            .target
            .report
            .source
            .line_column(program.name_span.start);
        (
            program.name.to_string(),
            line.line,
            params.collect(),
            workspaces.map(|global| global.name.to_string()).collect(),
            outputs
                .iter()
                .map(|&id| program.global(id).name.to_string())
                .collect(),
        )
    }

    fn simulate(
        &self,
        py: Python,
        kernel: usize,
        arguments: Arguments,
        questions: Questions,
        limits: Limits,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Ran> {
        let target = self.target.clone();
        let programs = &target.module.programs;
        let program = programs
            .get(kernel)
            .ok_or_else(|| value_error("there is no such kernel"))?;
        let mut waiting = Waiting::new(progress);
        let done = py.detach(|| {
            let bound = bind(&target, program, &arguments, limits.memory, false)?;
            let job = Job::of(&target, program, &bound, &questions, limits);
            let ran = job.run(&mut waiting)?;
            Ok::<_, a2lint::run::RunError>((bound, ran))
        });
        if let Some(raised) = waiting.raised {
            return Err(raised);
        }
        let (bound, ran) = done.map_err(value_error)?;
        Ok(Ran::new(Finished {
            target: self.target.clone(),
            kernel,
            bound,
            ran,
            questions,
            limits,
        }))
    }
}
