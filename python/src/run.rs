//! Runs that have ended.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use a2lint::isa::DType;
use a2lint::machine::End;
use a2lint::machine::memory::Memory;
use a2lint::report::Page;
use a2lint::report::run::{RunReport, render, render_end, render_failure, render_json};
use a2lint::run::{Bound, Comparison, Expected, Job, Limits, Questions, Tolerance, any_tensor};
use a2lint::target::Target;
use numpy::PyArray1;
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

/// A run that has ended. Nothing of it changes any more, so any thread may look at it without a lock.
///
/// The one mutex is held for the moment that it takes to add or copy the comparisons. A thread that holds it neither
/// takes nor releases nor waits for the lock of the interpreter, so no thread can wait for both in turn.
#[pyclass(frozen)]
pub struct Ran {
    finished: Finished,
    comparisons: Mutex<Vec<Comparison>>,
}

/// A tensor: element type, extents, bytes, how many elements are undefined.
type Tensor = (&'static str, Vec<i64>, Py<PyArray1<u8>>, usize);

impl Ran {
    /// Keeps a run.
    pub fn new(finished: Finished) -> Ran {
        Ran {
            finished,
            comparisons: Mutex::default(),
        }
    }

    /// Writes a report while other threads of Python go on.
    fn report<T: Send>(&self, py: Python, render: impl FnOnce(&RunReport) -> T + Send) -> T {
        py.detach(|| {
            let comparisons = self.comparisons().clone();
            let finished = &self.finished;
            let job = finished.job();
            render(&RunReport::of(&job, &finished.ran, &comparisons))
        })
    }

    /// A part of the report in the words of the kernel's dialect.
    fn words(&self, py: Python, render: fn(&RunReport, Page) -> String) -> String {
        let text = self.report(py, |report| render(report, Page::PLAIN));
        let text = self.finished.target.map.in_words(&text);
        Page::PLAIN.clean(&text).into_owned()
    }

    fn comparisons(&self) -> MutexGuard<'_, Vec<Comparison>> {
        self.comparisons
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Ran {
    /// How it ended: `finished`, `deadlock`, `budget`, `refused`, `cancelled`.
    #[getter]
    fn end(&self) -> &'static str {
        match self.finished.ran.outcome.end {
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
        self.finished.ran.outcome.doubt()
    }

    /// Findings of the severities error, warning and info.
    #[getter]
    fn counts(&self) -> (usize, usize, usize) {
        use a2lint::finding::Severity;
        let findings = &self.finished.ran.findings;
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
        self.report(py, render_json)
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
        self.finished.ran.seconds
    }

    /// A copy of a tensor as the run left it.
    fn tensor(&self, py: Python, name: &str) -> PyResult<Tensor> {
        let global = self.global(name)?;
        let Some(memory) = self.finished.ran.outcome.globals.get(global.index) else {
            return Err(value_error(format!(
                "`{name}` has no values: the run did not start"
            )));
        };
        let undefined = global.undefined(memory).filter(|&is| is).count();
        let array = PyArray1::from_slice(py, memory.bytes(0..memory.capacity())).unbind();
        Ok((global.dtype.name(), global.shape, array, undefined))
    }

    /// The extents of a tensor, and which of its elements are undefined, as one byte each.
    fn undefined(&self, py: Python, name: &str) -> PyResult<(Vec<i64>, Py<PyArray1<u8>>)> {
        let global = self.global(name)?;
        let flags: Vec<u8> = match self.finished.ran.outcome.globals.get(global.index) {
            Some(memory) => global.undefined(memory).map(u8::from).collect(),
            None => vec![1; global.elements],
        };
        Ok((global.shape, PyArray1::from_vec(py, flags).unbind()))
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
        let compared = py.detach(|| {
            let job = self.finished.job();
            job.compared(&self.finished.ran, expected, tolerance, &mut waiting)
        });
        if let Some(raised) = waiting.raised {
            return Err(raised);
        }
        let comparison = compared.map_err(value_error)?;
        let agrees = comparison.agrees();
        self.comparisons().push(comparison);
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

/// A tensor of a run.
struct Global {
    index: usize,
    dtype: DType,
    shape: Vec<i64>,
    elements: usize,
}

impl Ran {
    fn global(&self, name: &str) -> PyResult<Global> {
        let program = &self.finished.target.module.programs[self.finished.kernel];
        let index = any_tensor(program, name).map_err(value_error)?.index();
        let bound = &self.finished.bound.launch.globals[index];
        Ok(Global {
            index,
            dtype: bound.dtype,
            shape: bound.shape.clone(),
            elements: bound.shape.iter().product::<i64>() as usize,
        })
    }
}

impl Global {
    /// Whether each element is undefined.
    fn undefined(&self, memory: &Memory) -> impl Iterator<Item = bool> {
        let bits = self.dtype.bits() as usize;
        // Most results are defined as a whole.
        let is_whole = memory.all_defined(0..(self.elements * bits).div_ceil(8));
        let range = move |at: usize| at * bits / 8..((at + 1) * bits).div_ceil(8);
        (0..self.elements).map(move |at| !is_whole && !memory.all_defined(range(at)))
    }
}
