//! The pipes on which a mutex is handed over.

use crate::source_forms::replace_pipe;
use crate::{Facts, Sink};
use a2lint_ir::Mutex;
use a2lint_isa::Pipe;
use a2lint_source::text::Span;

/// An end pipe of a mutex.
pub(crate) struct EndPipe {
    /// `src_end_pipe` or `dst_end_pipe`.
    pub argument: &'static str,
    pub pipe: Pipe,
    /// Its place in the source; `None` for a default, which is always right.
    pub span: Option<Span>,
}

/// Returns the pipe on which the producer's work ends.
pub(crate) fn producer(mutex: &Mutex) -> EndPipe {
    EndPipe {
        argument: "src_end_pipe",
        pipe: mutex.src_end,
        span: mutex.pipe_spans[2],
    }
}

/// Returns the pipe on which the consumer's work ends.
pub(crate) fn consumer(mutex: &Mutex) -> EndPipe {
    EndPipe {
        argument: "dst_end_pipe",
        pipe: mutex.dst_end,
        span: mutex.pipe_spans[3],
    }
}

/// Reports a wrong end pipe, with the right one and the reason.
pub(crate) fn report(facts: &Facts, end: &EndPipe, right: Pipe, why: &str, sink: &mut Sink) {
    let (argument, pipe) = (end.argument, end.pipe);
    let Some(span) = end.span else {
        return;
    };
    let message = format!("`{argument}` is {pipe}: {why}");
    let wanted = format!("{argument}=Pipe.{right}");
    let report = sink.report(span, message).help(format!("write `{wanted}`"));
    if let Some(edit) = replace_pipe(facts, span, pipe, right) {
        report.fix(format!("set `{wanted}`"), true, vec![edit]);
    }
}
