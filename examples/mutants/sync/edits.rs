//! Single edits of what orders a kernel.

use std::collections::{BTreeMap, BTreeSet};

use a2lint::frontend::dsl::trace;
use a2lint::ir::{ArgValue, EventId, StmtKind};
use a2lint::isa::Opcode;
use a2lint::text::{SourceText, Span};

use crate::edits::Mutant;

/// Every kind of edit, in the order of the table.
pub const OPERATORS: [&str; 12] = [
    "drop-set",
    "drop-wait",
    "drop-event",
    "drop-mutex-call",
    "drop-flag",
    "drop-barrier",
    "open-region",
    "change-depth",
    "change-slots",
    "change-slot",
    "freeze-counter",
    "change-pipe",
];

/// All mutants of a kernel file, in the order of operators and places.
pub fn mutants(text: &str) -> Vec<Mutant> {
    let mut editor = Editor {
        text,
        seen: BTreeSet::new(),
        mutants: Vec::new(),
    };
    editor.statements();
    editor.regions();
    editor.depths();
    editor.slots();
    editor.counters();
    editor.pipes();
    let place = |operator: &str| OPERATORS.iter().position(|known| *known == operator);
    editor
        .mutants
        .sort_by_key(|mutant| (place(mutant.operator), mutant.at));
    editor.mutants
}

struct Editor<'t> {
    text: &'t str,
    /// Edits that were made already: inlined helpers show the same statement more than once.
    seen: BTreeSet<(&'static str, Vec<Span>, String)>,
    mutants: Vec<Mutant>,
}

impl Editor<'_> {
    fn add(&mut self, operator: &'static str, span: Span, new: &str) {
        self.add_everywhere(operator, vec![span], new);
    }

    /// The same edit at several places.
    fn add_everywhere(&mut self, operator: &'static str, mut spans: Vec<Span>, new: &str) {
        spans.sort();
        spans.dedup();
        let Some(&first) = spans.first() else { return };
        let old = &self.text[first.start as usize..first.end as usize];
        if old == new || !self.seen.insert((operator, spans.clone(), new.to_owned())) {
            return;
        }
        let line = |text: &str| text.lines().next().unwrap_or("").to_owned();
        let what = format!("{} -> {}", line(old), line(new));
        let mut text = self.text.to_owned();
        for span in spans.iter().rev() {
            text.replace_range(span.start as usize..span.end as usize, new);
        }
        self.mutants.push(Mutant {
            operator,
            text,
            at: first.start,
            what,
        });
    }

    /// Calls that are left out, found by what they are traced into.
    fn statements(&mut self) {
        let source = SourceText::new(self.text);
        let module = trace(&source);
        for program in &module.programs {
            let mut events: BTreeMap<EventId, Vec<Span>> = BTreeMap::new();
            program.walk(&mut |stmt| {
                let StmtKind::Instr(instr) = &stmt.kind else {
                    return;
                };
                if let Some(ArgValue::Event(id)) = instr.args.first().map(|arg| &arg.value) {
                    events.entry(*id).or_default().push(stmt.span);
                }
                let operator = match instr.opcode {
                    Opcode::EventSet | Opcode::EventSetAll | Opcode::SetFlag => "drop-set",
                    Opcode::EventWait | Opcode::EventRelease | Opcode::WaitFlag => "drop-wait",
                    Opcode::MutexLock
                    | Opcode::MutexReady
                    | Opcode::MutexWait
                    | Opcode::MutexFree => "drop-mutex-call",
                    Opcode::CubeReady
                    | Opcode::WaitCube
                    | Opcode::VecReady
                    | Opcode::WaitVec
                    | Opcode::AllCubeReady
                    | Opcode::AllCubeWait
                    | Opcode::AllVecReady
                    | Opcode::AllVecWait
                    | Opcode::IntraVecReady
                    | Opcode::IntraVecWait => "drop-flag",
                    Opcode::BarV
                    | Opcode::BarM
                    | Opcode::BarMte1
                    | Opcode::BarMte2
                    | Opcode::BarMte3
                    | Opcode::BarFix
                    | Opcode::BarAll
                    | Opcode::Barrier => "drop-barrier",
                    _ => return,
                };
                self.add(operator, stmt.span, "pass");
            });
            for spans in events.into_values() {
                self.add_everywhere("drop-event", spans, "pass");
            }
        }
    }

    /// A region becomes a block that runs once.
    fn regions(&mut self) {
        for opening in ["with auto_sync():", "with ea.auto_sync():"] {
            for at in self.occurrences(opening) {
                self.add(
                    "open-region",
                    span(at, opening.len()),
                    "for _region in unroll(1):",
                );
            }
        }
    }

    /// `depth` one up, and one down where that leaves a token.
    fn depths(&mut self) {
        for constructor in ["CvMutex(", "VcMutex("] {
            for at in self.occurrences(constructor) {
                let Some(length) = self.text[at..].find(')') else {
                    continue;
                };
                let call = &self.text[at..at + length];
                match call.find("depth=") {
                    Some(found) => {
                        let value = at + found + "depth=".len();
                        let digits = digits_at(self.text, value);
                        let Ok(depth) = self.text[value..value + digits].parse::<u32>() else {
                            continue;
                        };
                        for new in [depth - 1, depth + 1] {
                            self.add("change-depth", span(value, digits), &new.to_string());
                        }
                    }
                    None => {
                        for new in [1, 3] {
                            self.add(
                                "change-depth",
                                span(at + length, 0),
                                &format!(", depth={new}"),
                            );
                        }
                    }
                }
            }
        }
    }

    /// More or fewer slots of a ring, and another slot of it.
    fn slots(&mut self) {
        const RINGS: [&str; 4] = ["Tensor(DT", "DBuff(DT", "TBuff(DT", "QBuff(DT"];
        for (slots, ring) in RINGS.iter().enumerate().skip(1) {
            for at in self.occurrences(ring) {
                for (other, new) in RINGS.iter().enumerate().skip(1) {
                    if other != slots {
                        let length = ring.len() - "(DT".len();
                        self.add(
                            "change-slots",
                            span(at, length),
                            &new[..new.len() - "(DT".len()],
                        );
                    }
                }
            }
        }
        for at in self.occurrences("GetCubeNum(), 2,") {
            let at = at + "GetCubeNum(), ".len();
            self.add("change-slots", span(at, 1), "1");
        }
        for at in self.occurrences("var_mod(") {
            let Some(length) = self.text[at..].find(')') else {
                continue;
            };
            let call = self.text[at..at + length].to_owned();
            if let Some((_, modulus)) = call.rsplit_once(", ") {
                let place = at + length - modulus.len();
                for new in ["1", "3"] {
                    self.add("change-slot", span(place, modulus.len()), new);
                }
            }
        }
        for counter in self.counter_names() {
            let index = format!("[{counter}]");
            for at in self.occurrences(&index) {
                let inner = span(at + 1, counter.len());
                self.add("change-slot", inner, "0");
                self.add("change-slot", inner, &format!("{counter} + 1"));
            }
        }
    }

    /// Counters that stand still.
    fn counters(&mut self) {
        for counter in self.counter_names() {
            let step = format!("{counter} += 1");
            for at in self.occurrences(&step) {
                self.add("freeze-counter", span(at, step.len()), "pass");
            }
        }
    }

    /// Names of what is counted up.
    fn counter_names(&self) -> Vec<String> {
        let steps = self
            .text
            .lines()
            .filter_map(|line| line.trim().strip_suffix(" += 1"));
        let names: BTreeSet<String> = steps.map(str::to_owned).collect();
        names.into_iter().collect()
    }

    /// Another pipe in events, mutexes and flags.
    fn pipes(&mut self) {
        const VEC: [&str; 4] = ["MTE2", "V", "MTE3", "S"];
        const CUBE: [&str; 5] = ["MTE2", "MTE1", "M", "FIX", "S"];
        for at in self.occurrences("Pipe.") {
            let at = at + "Pipe.".len();
            let length = self.text[at..]
                .find(|c: char| !c.is_ascii_alphanumeric())
                .unwrap_or(0);
            let old = &self.text[at..at + length];
            let pipes = match old {
                "V" | "MTE3" => &VEC[..],
                "FIX" | "M" | "MTE1" => &CUBE[..],
                _ => &["V", "MTE3", "FIX", "S"][..],
            };
            for new in pipes {
                self.add("change-pipe", span(at, length), new);
            }
        }
    }

    fn occurrences(&self, needle: &str) -> Vec<usize> {
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let starts_word = is_word(needle.chars().next());
        let found = self.text.match_indices(needle).map(|(at, _)| at);
        found
            .filter(|&at| !(starts_word && is_word(self.text[..at].chars().next_back())))
            .collect()
    }
}

fn span(at: usize, length: usize) -> Span {
    Span {
        start: at as u32,
        end: (at + length) as u32,
    }
}

fn digits_at(text: &str, at: usize) -> usize {
    let digits = text[at..].chars().take_while(char::is_ascii_digit);
    digits.count()
}
