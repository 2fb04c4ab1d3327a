//! Hovers on queues: what each of their calls waits for or allows.

use crate::markdown;
use a2lint_ir::sync::{self, Act, Token};
use a2lint_ir::{Program, Stmt};
use a2lint_isa::Pipe;

/// Describes a call of a queue: `a tensor of **in\\_**: V waits until MTE2 has filled it.`
pub fn step(program: &Program, stmt: &Stmt) -> Option<String> {
    let call = sync::call(program, stmt)?;
    let Token::Event(event) = call.token else {
        return None;
    };
    let event = program.event(event);
    let end = event.queue?;
    let name = markdown::text(program.buffer(end.buffer).label());
    let pipe = |pipe: Option<Pipe>| pipe.map_or("a pipe", Pipe::name);
    let (first, second) = (pipe(event.src), pipe(event.dst));
    Some(match (call.act, end.counts_free) {
        (Act::Wait, true) => {
            format!("a free buffer of **{name}**: {second} waits until {first} is done with it.")
        }
        (Act::Set, false) => format!(
            "a tensor goes into **{name}**: {second} may take it once {first} has finished \
             what came before."
        ),
        (Act::Wait, false) => {
            format!("the next tensor of **{name}**: {second} waits until {first} is done with it.")
        }
        (Act::Set, true) => format!(
            "a buffer of **{name}** is free again: {second} may use it once {first} has finished \
             what came before."
        ),
    })
}
