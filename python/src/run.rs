//! Runs that have ended.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use a2lint::machine::End;
use a2lint::machine::memory::{Definedness, Memory};
use a2lint::report::Page;
use a2lint::report::run::{RunReport, render, render_end, render_failure, render_json};
use a2lint::run::{Bound, Comparison, Expected, Job, Limits, Questions, Tolerance, any_tensor};
use a2lint::target::Target;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;

use crate::arrays::{Given, values};
use crate::value_error;
use crate::waiting::Waiting;

/// A run with what it was given.
pub struct Finished {
    /// The file.
    pub target: Arc<Target>,
    /// Which of its kernels.
    pub kernel: usize,
    /// The arguments.
    pub bound: Bound,
    /// What it came to.
    pub ran: a2lint::run::Ran,
    /// What was asked.
    pub questions: Questions,
    /// What bounded it.
    pub limits: Limits,
}

/// A tensor that was handed to Python, with what of it is defined.
type Taken = (Py<PyArray1<u8>>, Definedness);

struct State {
    finished: Finished,
    taken: HashMap<usize, Taken>,
    comparisons: Vec<Comparison>,
}

/// A run that has ended.
#[pyclass(frozen)]
pub struct Ran(Mutex<State>);

/// A tensor: element type, extents, bytes, how many elements are undefined.
type Tensor = (&'static str, Vec<i64>, Py<PyArray1<u8>>, usize);

impl Ran {
    /// Keeps a run.
    pub fn new(finished: Finished) -> Ran {
        Ran(Mutex::new(State {
            finished,
            taken: HashMap::new(),
            comparisons: Vec::new(),
        }))
    }

    /// A part of the report in the words of the kernel's dialect.
    fn words(&self, py: Python, render: fn(&RunReport, Page) -> String) -> String {
        let mut state = self.state();
        let text = state.with_memory(py, |report| render(report, Page::PLAIN));
        state.finished.target.unit.in_words(&text)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Ran {
    /// How it ended: `finished`, `deadlock`, `budget`, `refused`, `cancelled`.
    #[getter]
    fn end(&self) -> &'static str {
        match self.state().finished.ran.outcome.end {
            End::Finished | End::Stopped => "finished",
            End::Deadlock(_) => "deadlock",
            End::BudgetExhausted(_) => "budget",
            End::Refused(_) => "refused",
            End::Cancelled => "cancelled",
        }
    }

    /// Why the values may not be those of the device.
    #[getter]
    fn doubt(&self) -> Option<String> {
        self.state().finished.ran.outcome.doubt()
    }

    /// Findings of the severities error, warning and info.
    #[getter]
    fn counts(&self) -> (usize, usize, usize) {
        use a2lint::finding::Severity;
        let state = self.state();
        let findings = &state.finished.ran.findings;
        let count = |severity| {
            let alike = findings
                .iter()
                .filter(|finding| finding.severity == severity);
            alike.count()
        };
        (
            count(Severity::Error),
            count(Severity::Warning),
            count(Severity::Info),
        )
    }

    /// The JSON object of `a2lint run --json`.
    fn json(&self, py: Python) -> String {
        self.state().with_memory(py, render_json)
    }

    /// The report for people.
    fn text(&self, py: Python) -> String {
        self.words(py, render)
    }

    /// What is wrong with it, for people; nothing where all is well.
    fn failure(&self, py: Python) -> String {
        self.words(py, render_failure)
    }

    /// How it ended and where it is stuck, for people.
    fn ending(&self, py: Python) -> String {
        self.words(py, render_end)
    }

    /// Wall time.
    #[getter]
    fn seconds(&self) -> f64 {
        self.state().finished.ran.seconds
    }

    /// A tensor as the run left it; its memory goes to Python.
    fn tensor(&self, py: Python, name: &str) -> PyResult<Tensor> {
        let state = &mut *self.state();
        let id = any_tensor(state.program(), name).map_err(value_error)?;
        let index = id.index();
        let global = &state.finished.bound.launch.globals[index];
        let (dtype, shape) = (global.dtype, global.shape.clone());
        let elements = shape.iter().product::<i64>() as usize;
        if let Some(memory) = state.finished.ran.outcome.globals.get_mut(index)
            && !state.taken.contains_key(&index)
        {
            let (bytes, defined) = std::mem::take(memory).into_parts();
            let array = PyArray1::from_vec(py, bytes).unbind();
            state.taken.insert(index, (array, defined));
        }
        let Some((array, defined)) = state.taken.get(&index) else {
            return Err(value_error(format!(
                "`{name}` has no values: the run did not start"
            )));
        };
        let bits = dtype.bits() as usize;
        let undefined = defined.undefined_elements(elements, bits);
        Ok((dtype.name(), shape, array.clone_ref(py), undefined))
    }

    /// Which elements of a tensor are undefined, as one byte each.
    fn undefined(&self, py: Python, name: &str) -> PyResult<Py<PyArray1<u8>>> {
        let mut state = self.state();
        let id = any_tensor(state.program(), name).map_err(value_error)?;
        let global = &state.finished.bound.launch.globals[id.index()];
        let elements = global.shape.iter().product::<i64>() as usize;
        let bits = global.dtype.bits() as usize;
        let flags = state.with_outcome(py, |finished| {
            let memory = finished.ran.outcome.globals.get(id.index());
            let is_defined = |index: usize| {
                let range = index * bits / 8..((index + 1) * bits).div_ceil(8);
                memory.is_some_and(|memory| memory.all_defined(range))
            };
            let flags = (0..elements).map(|index| u8::from(!is_defined(index)));
            flags.collect::<Vec<u8>>()
        });
        Ok(PyArray1::from_vec(py, flags).unbind())
    }

    /// Compares a tensor with what it is expected to be: whether it agrees. The report has the details.
    fn compare(
        &self,
        py: Python,
        name: &str,
        expected: Given,
        rtol: Option<f64>,
        atol: Option<f64>,
    ) -> PyResult<bool> {
        let mut state = self.state();
        let expected = Expected {
            name: name.to_owned(),
            source: "the reference".to_owned(),
            shape: expected.1.clone(),
            values: values(&expected)?,
        };
        let tolerance = Tolerance {
            relative: rtol,
            absolute: atol,
        };
        let mut waiting = Waiting::new(None);
        let compared = state.with_outcome(py, |finished| {
            py.detach(|| {
                let job = finished.job();
                job.compared(&finished.ran, expected, tolerance, &mut waiting)
            })
        });
        if let Some(raised) = waiting.raised {
            return Err(raised);
        }
        let comparison = compared.map_err(value_error)?;
        let agrees = comparison.agrees();
        state.comparisons.push(comparison);
        Ok(agrees)
    }
}

impl Finished {
    fn job(&self) -> Job<'_> {
        let program = &self.target.module.programs[self.kernel];
        Job::of(
            &self.target,
            program,
            &self.bound,
            &self.questions,
            self.limits,
        )
    }
}

impl State {
    fn program(&self) -> &a2lint::ir::Program {
        &self.finished.target.module.programs[self.finished.kernel]
    }

    /// Looks at the outcome with all its memory: copies of what Python has are put back for the time.
    fn with_outcome<T>(&mut self, py: Python, look: impl FnOnce(&Finished) -> T) -> T {
        let globals = &mut self.finished.ran.outcome.globals;
        for (&index, (array, defined)) in &self.taken {
            let bytes = array.bind(py).to_vec().unwrap_or_default();
            globals[index] = Memory::from_parts(bytes, defined.clone());
        }
        let seen = look(&self.finished);
        for &index in self.taken.keys() {
            self.finished.ran.outcome.globals[index] = Memory::default();
        }
        seen
    }

    fn with_memory<T>(&mut self, py: Python, look: impl FnOnce(&RunReport) -> T) -> T {
        let comparisons = std::mem::take(&mut self.comparisons);
        let seen = self.with_outcome(py, |finished| {
            let job = finished.job();
            look(&RunReport::of(&job, &finished.ran, &comparisons))
        });
        self.comparisons = comparisons;
        seen
    }
}
