//! Single edits of the synchronisation in a kernel's source.

use std::collections::{BTreeMap, BTreeSet};

use a2lint::frontend::dsl::trace;
use a2lint::ir::{ArgValue, EventId, StmtKind};
use a2lint::isa::Opcode;
use a2lint::text::{SourceText, Span};

use crate::edits::{Mutant, argument_length};

/// All kinds of edits, in the order of the table.
pub const OPERATORS: [&str; 14] = [
    "drop-set",
    "drop-wait",
    "drop-event",
    "drop-mutex-call",
    "swap-mutex-call",
    "move-mutex-call",
    "drop-flag",
    "drop-barrier",
    "open-region",
    "change-depth",
    "change-slots",
    "change-slot",
    "freeze-counter",
    "change-pipe",
];

/// Returns all mutants of a kernel file, ordered by operator and place.
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
    /// Edits that were made already. Inlined helpers have the same statement more than once.
    seen: BTreeSet<(&'static str, Vec<Span>, String)>,
    mutants: Vec<Mutant>,
}

impl Editor<'_> {
    fn add(&mut self, operator: &'static str, span: Span, new: &str) {
        self.add_everywhere(operator, vec![span], new);
    }

    /// Makes the same edit at several places.
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

    /// Removes or replaces traced synchronisation calls.
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
                if operator == "drop-mutex-call" {
                    self.other_call(stmt.span);
                    self.moved_call(stmt.span);
                }
            });
            for spans in events.into_values() {
                self.add_everywhere("drop-event", spans, "pass");
            }
        }
    }

    /// Replaces a call of a mutex by the other call of the same side.
    fn other_call(&mut self, stmt: Span) {
        const PAIRS: [(&str, &str); 2] = [("lock()", "ready()"), ("wait()", "free()")];
        let text = self.slice(stmt).to_owned();
        let both = PAIRS.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
        for (old, new) in both {
            if let Some(receiver) = text.strip_suffix(old) {
                self.add("swap-mutex-call", stmt, &format!("{receiver}{new}"));
            }
        }
    }

    /// Moves a call that closes a guarded section one line up, or one that opens it one line down.
    fn moved_call(&mut self, stmt: Span) {
        let call = self.slice(stmt).to_owned();
        let line = line_around(self.text, stmt.start as usize);
        let opens = call.ends_with("lock()") || call.ends_with("wait()");
        let other = match opens {
            true => line_around(self.text, line.end as usize + 1),
            false => match (line.start as usize).checked_sub(1) {
                Some(end) => line_around(self.text, end),
                None => return,
            },
        };
        let (line, other) = (line.min(other), line.max(other));
        let [first, second] = [line, other].map(|it| self.slice(it).to_owned());
        let indent = |text: &str| text.len() - text.trim_start().len();
        let is_whole = |text: &String| {
            let is_balanced = ["()", "[]"].iter().all(|pair| {
                let count = |at: usize| text.matches(&pair[at..=at]).count();
                count(0) == count(1)
            });
            let text = text.trim();
            is_balanced && !text.is_empty() && !text.starts_with('#') && !text.ends_with(':')
        };
        if indent(&first) == indent(&second) && [&first, &second].into_iter().all(is_whole) {
            let both = Span {
                start: line.start,
                end: other.end,
            };
            self.add("move-mutex-call", both, &format!("{second}\n{first}"));
        }
    }

    fn slice(&self, span: Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// Replaces `auto_sync` regions by a block that runs once: each of them, and all of them.
    fn regions(&mut self) {
        let mut openings: BTreeMap<String, Vec<Span>> = BTreeMap::new();
        for at in self.occurrences("auto_sync():") {
            let line = line_around(self.text, at).start as usize;
            let Some((_, facade)) = self.text[line..at].split_once("with ") else {
                continue;
            };
            let start = at - facade.len() - "with ".len();
            let opening = span(start, at + "auto_sync():".len() - start);
            let new = format!("for _region in {facade}unroll(1):");
            self.add("open-region", opening, &new);
            openings.entry(new).or_default().push(opening);
        }
        for (new, spans) in openings {
            self.add_everywhere("open-region", spans, &new);
        }
    }

    /// Increments and decrements `depth`; where it is not given, sets 1 and 3.
    fn depths(&mut self) {
        for constructor in ["CvMutex(", "VcMutex("] {
            for at in self.occurrences(constructor) {
                let at = at + constructor.len();
                let arguments = arguments_at(self.text, at);
                let find = |key: &str| {
                    let text = |it: &&Span| self.slice(**it).trim_start().starts_with(key);
                    arguments.iter().find(text).copied()
                };
                let (depth, guards) = (find("depth="), find("guards="));
                let Some(last) = arguments.last() else {
                    continue;
                };
                match (depth, guards) {
                    (Some(depth), _) => {
                        let value = self.slice(depth).trim().trim_start_matches("depth=");
                        let Ok(value) = value.parse::<u32>() else {
                            continue;
                        };
                        for new in [value - 1, value + 1] {
                            self.add("change-depth", depth, &format!(" depth={new}"));
                        }
                    }
                    (None, Some(guards)) => {
                        for new in [1, 3] {
                            self.add("change-depth", guards, &format!(" depth={new}"));
                        }
                    }
                    (None, None) => {
                        let end = span(last.end as usize, 0);
                        for new in [1, 3] {
                            self.add("change-depth", end, &format!(", depth={new}"));
                        }
                    }
                }
            }
        }
    }

    /// Changes the number of slots of a ring, or the slot that is accessed.
    fn slots(&mut self) {
        const RINGS: [&str; 3] = ["DBuff", "TBuff", "QBuff"];
        for ring in RINGS {
            for at in self.occurrences(&format!("{ring}(")) {
                for new in RINGS {
                    self.add("change-slots", span(at, ring.len()), new);
                }
            }
        }
        for at in self.occurrences("GMBuff(") {
            let arguments = arguments_at(self.text, at + "GMBuff(".len());
            let Some(&slots) = arguments.get(2) else {
                continue;
            };
            for new in [1, 2, 3] {
                self.add("change-slots", slots, &format!(" {new}"));
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

    /// Removes increments of counters.
    fn counters(&mut self) {
        for counter in self.counter_names() {
            let step = format!("{counter} += 1");
            for at in self.occurrences(&step) {
                self.add("freeze-counter", span(at, step.len()), "pass");
            }
        }
    }

    /// Returns the names of counters.
    fn counter_names(&self) -> Vec<String> {
        let steps = self
            .text
            .lines()
            .filter_map(|line| line.trim().strip_suffix(" += 1"));
        let names: BTreeSet<String> = steps.map(str::to_owned).collect();
        names.into_iter().collect()
    }

    /// Changes pipes of events, mutexes and flags.
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

/// Returns the line that contains an offset.
fn line_around(text: &str, at: usize) -> Span {
    let at = at.min(text.len());
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let length = text[at..].find('\n').unwrap_or(text.len() - at);
    span(start, at + length - start)
}

/// Returns the arguments of the call whose closing parenthesis is at an offset.
fn arguments_at(text: &str, mut at: usize) -> Vec<Span> {
    let mut found = Vec::new();
    loop {
        let length = argument_length(&text[at..]);
        found.push(span(at, length));
        at += length;
        if !text[at..].starts_with(',') {
            return found;
        }
        at += 1;
    }
}
