//! What the instruction writes that comes last before a read of undefined data, and what to change.

use crate::observations::{Scene, writers};
use crate::wording::{allocation, call, counted, elements_in, lanes, shape, snippet, view_text};
use crate::{Facts, Report};
use a2lint_analysis::{RangeSet, view_start};
use a2lint_ir::{ArgSource, BufferId, Instr, LocalView, Stmt};
use a2lint_isa::{BLOCK_BYTES, Class, Opcode, Place, REPEAT_BYTES, SRC, param};
use a2lint_replay::{Origin, Source};

/// The last instruction before the read that writes the undefined buffer.
pub(super) struct LastWriter<'f, 'a> {
    facts: &'f Facts<'a>,
    origin: &'f Origin,
    buffer: BufferId,
    stmt: &'a Stmt,
    instr: &'a Instr,
    view: &'a LocalView,
    operand: usize,
}

/// What a finding says of the writer.
pub(super) struct Explained {
    /// The label of its statement.
    pub label: String,
    /// What to change; `None` where the label is all that is known.
    pub help: Option<String>,
}

impl<'f, 'a> LastWriter<'f, 'a> {
    /// Finds the writer of the data that a scene uses. A write that follows the read in the program may be that of an
    /// earlier iteration, and counts if there is no other.
    pub(super) fn of(facts: &'f Facts<'a>, scene: &'f Scene) -> Option<LastWriter<'f, 'a>> {
        let origin = scene.observation.origin.as_ref()?;
        let Source::Buffer(buffer) = origin.source else {
            return None;
        };
        let all = writers(facts, origin.source);
        let before = all.iter().rev().find(|stmt| stmt.id < origin.stmt);
        let stmt = *before.or(all.last())?;
        let instr = stmt.kind.instr()?;
        let mut operands = instr.operands();
        let (operand, _, view) = operands.find(|(_, operand, view)| {
            let is_it = view.local().is_some_and(|view| view.buffer == buffer);
            is_it && operand.access.writes()
        })?;
        Some(LastWriter {
            facts,
            origin,
            buffer,
            stmt,
            instr,
            view: view.local()?,
            operand,
        })
    }

    /// Adds a label and, if the writer tells what to change, the help.
    pub(super) fn explain<'s>(&self, report: Report<'s>) -> Report<'s> {
        let Explained { label, help } = self.explained();
        let report = report.label(self.stmt.span, label);
        match help {
            Some(help) => report.advice(help),
            None => report,
        }
    }

    fn explained(&self) -> Explained {
        let found = self.left_out().or_else(|| self.product());
        found
            .or_else(|| self.results())
            .unwrap_or_else(|| Explained {
                label: self.plain(),
                help: None,
            })
    }

    /// Says which part it writes, as far as that is known.
    fn plain(&self) -> String {
        let name = call(self.facts, self.instr);
        let label = self.facts.program.buffer(self.buffer).label();
        match self.written() {
            Some(bytes) => format!(
                "{name} writes elements {} of `{label}` here",
                lanes(bytes, self.view.dtype)
            ),
            None => format!("{name} writes `{label}` here"),
        }
    }

    fn written(&self) -> Option<&RangeSet> {
        let touches = &self.facts.analysis.touches;
        let mut own = self.facts.analysis.touches_at(self.stmt.id);
        let at = own.find(|&at| touches[at].operand == self.operand)?;
        touches[at].bytes().filter(|bytes| !bytes.is_empty())
    }

    /// Explains an instruction that works on whole blocks or repeats and leaves out the rest of what is asked for.
    fn left_out(&self) -> Option<Explained> {
        let facts = self.facts;
        let program = facts.program;
        let asked = self.instr.asked?;
        let is_compare = self.instr.row().class == Class::Compare;
        if !is_compare && !self.instr.row().moves(Place::Gm, Place::UB) {
            return None;
        }
        // The elements that it counts are those of its source: a comparison writes one bit for each.
        let source = self.instr.view(SRC)?;
        let dtype = source.local().map_or(self.view.dtype, |view| view.dtype);
        let (unit_bytes, unit) = match is_compare {
            true => (REPEAT_BYTES, "repeats"),
            false => (BLOCK_BYTES, "blocks"),
        };
        let in_unit = elements_in(unit_bytes, dtype);
        let number = program.size(asked);
        if number.is_some_and(|asked| asked % in_unit == 0) {
            return None;
        }
        let written = self.origin.part.first - view_start(program, self.view)?;
        let done = match is_compare {
            true => written * 8,
            false => elements_in(written, dtype),
        };
        let is_cut = number.is_none_or(|asked| done == asked / in_unit * in_unit);
        if done < 0 || done % in_unit != 0 || !is_cut || number.is_none() && done == 0 {
            return None;
        }
        let name = call(facts, self.instr);
        let (verb, length) = match is_compare {
            true => ("compares", "repeat"),
            false => ("loads", "burst_len_element"),
        };
        let given = self.given(length);
        let of = match (number, &given) {
            (Some(asked), _) => format!("{done} of the {asked} elements asked for"),
            (None, Some(text)) => format!(
                "{done} elements here, fewer than `{text}` if that is no multiple of {in_unit}"
            ),
            (None, None) => format!(
                "{done} elements here, fewer than asked for if that is no multiple of {in_unit}"
            ),
        };
        let help = match (is_compare, given) {
            (true, Some(text)) => format!(
                "compare a multiple of {in_unit} elements: `({text} + {}) / {in_unit} * {in_unit}`, if the tensors \
                 hold as many",
                in_unit - 1
            ),
            (true, None) => format!("compare a multiple of {in_unit} elements"),
            (false, _) => {
                "load any number of elements with `DataCopyPad`, whose length is in bytes"
                    .to_owned()
            }
        };
        Some(Explained {
            label: format!("{name} {verb} {of}: it works on whole {unit} of {unit_bytes} bytes"),
            help: Some(help),
        })
    }

    /// Returns the text of an argument, if the call gives it.
    fn given(&self, name: &str) -> Option<String> {
        let at = self.instr.row().index_named(name)?;
        let ArgSource::Given(span) = self.instr.args.get(at)?.source else {
            return None;
        };
        let text = snippet(self.facts, span);
        (!text.is_empty() && !text.ends_with(';')).then_some(text)
    }

    /// Explains a product that fills a part of its accumulator.
    fn product(&self) -> Option<Explained> {
        let facts = self.facts;
        let program = facts.program;
        if self.instr.row().class != Class::Matmul {
            return None;
        }
        let extent = |names: [&str; 2]| {
            let given = names.iter().find_map(|name| self.instr.scalar_named(name));
            given.and_then(|id| program.size(id))
        };
        let [m, n, k] = [["m", "M"], ["n", "N"], ["k", "K"]].map(extent);
        let (m, n, k) = (m?, n?, k?);
        let mut label = format!(
            "{} writes [{m},{n}] of {}",
            call(facts, self.instr),
            allocation(facts, program.buffer(self.buffer))
        );
        let right = self.instr.local(param!(Matmul.l1b))?;
        let lies_across = !right.transposed
            && program
                .constant_pair(right.span)
                .is_some_and(|[rows, columns]| rows == k && rows == n && columns > k);
        if !lies_across {
            return Some(Explained { label, help: None });
        }
        let text = view_text(facts, right);
        label += &format!(": it takes `{text}` {} as [N,K]", shape(facts, right.span));
        Some(Explained {
            label,
            help: Some(format!(
                "the right operand of a product is [N,K]: give `{text}.T` if it holds [K,N], or load it as [N,K]"
            )),
        })
    }

    /// Explains a reduction, which writes fewer elements than it reads.
    fn results(&self) -> Option<Explained> {
        let facts = self.facts;
        let name = call(facts, self.instr);
        let each = match self.instr.row().class {
            Class::Reduce => format!(", one for each repeat of {REPEAT_BYTES} bytes"),
            Class::GroupReduce => format!(", one for each block of {BLOCK_BYTES} bytes"),
            Class::PairReduce => ", one for each pair of elements".to_owned(),
            Class::ReduceAll | Class::ReduceIndex => String::new(),
            _ => return None,
        };
        let label = facts.program.buffer(self.buffer).label();
        let written = self.written();
        let number = written.map(|bytes| elements_in(bytes.len(), self.view.dtype));
        let end = written.and_then(|bytes| bytes.hull()).map(|(_, end)| end);
        // Nothing writes the elements after the results.
        let number_before = number.filter(|_| end.is_some_and(|end| end <= self.origin.part.first));
        let wrote = match number {
            Some(number) => format!("writes {} of `{label}`", counted(number, "element")),
            None => format!("writes its results to `{label}`"),
        };
        let brcb = facts.program.name_of(Opcode::Brcb);
        let help = match number_before {
            Some(number) => {
                let only = match number {
                    1 => "use that element alone".to_owned(),
                    number => format!("use those {number} elements alone"),
                };
                format!(
                    "{name} leaves {}: {only}, or spread each over a block with `{brcb}`",
                    counted(number, "number")
                )
            }
            None => format!("write what is used of `{label}` on every path"),
        };
        Some(Explained {
            label: format!("{name} {wrote}{each}"),
            help: Some(help),
        })
    }
}
