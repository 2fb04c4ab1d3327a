//! The law that slots, cores and instructions are used. Unused ones may be intended, so they are reported as
//! notes and violate nothing.

use super::base::Workload;
use super::{Attempt, Note};
use a2lint_ir::{Program, StmtKind};

/// Reports what no launch uses.
pub fn of(program: &Program, work: &Workload) -> Attempt {
    let mut notes = unused_slots(program, work);
    notes.extend(idle_cores(work));
    notes.extend(idle_instructions(program, work));
    let mut attempt = Attempt::held(match notes.is_empty() {
        true => "slots, cores and instructions have something to do",
        false => "see the notes",
    });
    attempt.notes = notes;
    attempt
}

fn unused_slots(program: &Program, work: &Workload) -> Vec<Note> {
    let mut first = 0;
    let mut notes = Vec::new();
    for buffer in &program.buffers {
        let slots = first..first + buffer.slots as usize;
        first = slots.end;
        let used = work.slots[slots.clone()]
            .iter()
            .filter(|&&used| used)
            .count();
        if used > 0 && used < slots.len() {
            notes.push(Note::plain(format!(
                "`{}` has {} slots and uses {used}",
                buffer.name,
                slots.len()
            )));
        }
    }
    notes
}

fn idle_cores(work: &Workload) -> Option<Note> {
    let all = work.busy.len();
    let busy = work.busy.iter().filter(|&&busy| busy).count();
    (busy < all).then(|| Note::plain(format!("{} of {all} cores have no work", all - busy)))
}

/// Returns notes about instructions that were executed and never accessed memory.
fn idle_instructions(program: &Program, work: &Workload) -> Vec<Note> {
    let mut notes = Vec::new();
    program.walk(&mut |stmt| {
        let StmtKind::Instr(instr) = &stmt.kind else {
            return;
        };
        let (executed, touched) = work.executed[stmt.id.index()];
        let has_operands = instr.operands().next().is_some();
        if executed > 0 && touched == 0 && has_operands {
            notes.push(Note {
                text: format!("executed {executed} times, and touches nothing"),
                stmt: Some(stmt.id),
            });
        }
    });
    notes
}
