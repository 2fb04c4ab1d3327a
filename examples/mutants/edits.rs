//! Single edits of a kernel's source.

use std::collections::BTreeSet;

use a2lint::frontend::dsl::trace;
use a2lint::ir::{ArgSource, Instr, Stmt, View};
use a2lint::isa::Opcode;
use a2lint::text::{SourceText, Span};

/// A kernel with one edit.
pub struct Mutant {
    /// The kind of edit.
    pub operator: &'static str,
    /// The whole text after the edit.
    pub text: String,
    /// The offset of the edit.
    pub at: u32,
    /// A description of the edit.
    pub what: String,
}

/// All kinds of edits, in the order of the table.
pub const OPERATORS: [&str; 18] = [
    "drop-dup",
    "drop-load",
    "scale-constant",
    "change-type",
    "swap-set-mask",
    "drop-set-mask",
    "larger-tile",
    "drop-reset-mask",
    "widen-slice",
    "shift-slice",
    "drop-min",
    "drop-stride",
    "change-stride",
    "copy-by-ub-to-ub",
    "drop-brcb",
    "expand-flag",
    "drop-is-init",
    "other-sub-block",
];

/// Returns all mutants of a kernel file, ordered by operator and place.
pub fn mutants(text: &str) -> Vec<Mutant> {
    let mut editor = Editor {
        text,
        seen: BTreeSet::new(),
        mutants: Vec::new(),
    };
    editor.statements();
    editor.constants();
    editor.types();
    editor.tiles();
    editor.minima();
    editor.sub_blocks();
    editor.mutants
}

struct Editor<'t> {
    text: &'t str,
    /// Edits that were made already. Inlined helpers have the same statement more than once.
    seen: BTreeSet<(&'static str, u32, String)>,
    mutants: Vec<Mutant>,
}

impl Editor<'_> {
    fn add(&mut self, operator: &'static str, span: Span, new: &str) {
        let (start, end) = (span.start as usize, span.end as usize);
        let old = &self.text[start..end];
        if old == new || !self.seen.insert((operator, span.start, new.to_owned())) {
            return;
        }
        let line = |text: &str| text.lines().next().unwrap_or("").to_owned();
        self.mutants.push(Mutant {
            operator,
            text: format!("{}{new}{}", &self.text[..start], &self.text[end..]),
            at: span.start,
            what: format!("{} -> {}", line(old), line(new)),
        });
    }

    /// Adds the edits of traced statements.
    fn statements(&mut self) {
        let source = SourceText::new(self.text);
        let module = trace(&source);
        for program in &module.programs {
            self.of_program(&program.instructions());
        }
    }

    fn of_program(&mut self, instructions: &[(&Stmt, &Instr)]) {
        for &(stmt, instr) in instructions {
            match instr.opcode {
                Opcode::Dup => self.add("drop-dup", stmt.span, "pass"),
                Opcode::GmToUbPad | Opcode::GmToL1Nz => self.add("drop-load", stmt.span, "pass"),
                Opcode::ResetMask => self.add("drop-reset-mask", stmt.span, "pass"),
                Opcode::Brcb => {
                    self.add("drop-brcb", stmt.span, "pass");
                    self.unexpanded(instr, instructions);
                }
                Opcode::SetMask => {
                    self.add("drop-set-mask", stmt.span, "pass");
                    self.swap(instr, stmt.span);
                }
                Opcode::Add => self.copy(instr, stmt.span),
                Opcode::Select => self.expand(instr),
                _ => {}
            }
            self.keywords(stmt.span);
            for (_, _, view) in instr.operands() {
                self.slices(view);
            }
        }
    }

    fn given(&self, instr: &Instr, index: usize) -> Option<Span> {
        match instr.args.get(index)?.source {
            ArgSource::Given(span) => Some(span),
            _ => None,
        }
    }

    fn slice(&self, span: Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }

    fn swap(&mut self, instr: &Instr, stmt: Span) {
        let (Some(high), Some(low)) = (self.given(instr, 0), self.given(instr, 1)) else {
            return;
        };
        let new = format!("set_mask({}, {})", self.slice(low), self.slice(high));
        self.add("swap-set-mask", stmt, &new);
    }

    /// Replaces the blocks that a `brcb` has expanded by its packed source.
    fn unexpanded(&mut self, brcb: &Instr, instructions: &[(&Stmt, &Instr)]) {
        let spans = [0, 1].map(|index| self.given(brcb, index));
        let [Some(blocks), Some(scalars)] = spans.map(|span| span.map(|span| self.slice(span)))
        else {
            return;
        };
        let (blocks, scalars) = (blocks.to_owned(), scalars.to_owned());
        for (_, instr) in instructions {
            let sites = instr.operands().skip(1).map(|(_, _, view)| view.site());
            for site in sites.filter(|_| instr.opcode != Opcode::Brcb) {
                if self.slice(site) == blocks {
                    self.add("drop-brcb", site, &scalars);
                }
            }
        }
    }

    /// Replaces `add(dst, src, zero)`, with which kernels copy columns of scalars, by `ub_to_ub`.
    fn copy(&mut self, instr: &Instr, stmt: Span) {
        let spans = [0, 1, 2].map(|index| self.given(instr, index));
        let [Some(dst), Some(src), Some(other)] = spans else {
            return;
        };
        let text = self.slice(stmt);
        if self.slice(other).contains("zero") && text.starts_with("add(") {
            let new = format!("ub_to_ub({}, {})", self.slice(dst), self.slice(src));
            self.add("copy-by-ub-to-ub", stmt, &new);
        }
    }

    /// Allocates the mask of a `select` with one byte per element instead of one bit.
    fn expand(&mut self, instr: &Instr) {
        let Some(mask) = self.given(instr, 1) else {
            return;
        };
        let name: String = self
            .slice(mask)
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect();
        for allocation in lines_with(self.text, &format!("{name} = ")) {
            let line = self.slice(allocation).to_owned();
            if let Some(at) = line.find("// 8").or_else(|| line.find("MASK_BYTES")) {
                let length = if line[at..].starts_with("//") { 4 } else { 10 };
                let span = part(allocation, at, length);
                let new = if length == 4 {
                    "// 1"
                } else {
                    "8 * MASK_BYTES"
                };
                self.add("expand-flag", span, new);
            }
        }
        // Destination and source serve as unpacked flags.
        let tensors = [0, 2].map(|index| self.given(instr, index));
        for tensor in tensors.into_iter().flatten() {
            let flag = format!("{}.reinterpret(DT.uint8)", self.slice(tensor));
            self.add("expand-flag", mask, &flag);
        }
    }

    /// Changes stride and repeat arguments, and `is_init`.
    fn keywords(&mut self, stmt: Span) {
        let text = self.slice(stmt).to_owned();
        for (at, key) in keyword_arguments(&text) {
            let value_at = at + key.len() + 1;
            let value = text[value_at..].to_owned();
            let length = argument_length(&value);
            let whole = part(stmt, at, key.len() + 1 + length);
            let before = text[..at].trim_end();
            let drop = match before.ends_with(',') {
                true => part(
                    stmt,
                    before.len() - 1,
                    whole.end as usize - stmt.start as usize - before.len() + 1,
                ),
                false => continue,
            };
            let is_stride = key.ends_with("_stride") || key == "repeat" || key == "count";
            if is_stride {
                self.add("drop-stride", drop, "");
                let value_span = part(stmt, value_at, length);
                self.add(
                    "change-stride",
                    value_span,
                    &format!("2 * ({})", &value[..length]),
                );
            }
            if key == "is_init" {
                self.add("drop-is-init", drop, "");
                let condition = part(stmt, value_at, length);
                self.add("drop-is-init", condition, "False");
                let inverted = value[..length].replace("==", "!=");
                self.add("drop-is-init", condition, &inverted);
            }
        }
    }

    /// Makes the last slice of a view eight elements wider, or moves it by eight elements.
    fn slices(&mut self, view: &View) {
        let site = view.site();
        let text = self.slice(site).to_owned();
        let Some((start, colon, end)) = last_slice(&text) else {
            return;
        };
        let (low, high) = (text[start..colon].trim(), text[colon + 1..end].trim());
        if low.is_empty() || high.is_empty() {
            return;
        }
        let span = part(site, start, end - start);
        self.add("widen-slice", span, &format!("{low}:{high} + 8"));
        self.add("shift-slice", span, &format!("{low} + 8:{high} + 8"));
    }

    /// Changes module constants such as `TILE = 64`.
    fn constants(&mut self) {
        let mut at = 0;
        for line in self.text.split_inclusive('\n') {
            let start = at;
            at += line.len();
            let Some((name, value)) = line.split_once(" = ") else {
                continue;
            };
            let is_name = name
                .chars()
                .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
            let digits: String = value.chars().take_while(char::is_ascii_digit).collect();
            let rest = value[digits.len()..].trim_start();
            let Ok(number) = digits.parse::<u64>() else {
                continue;
            };
            if !is_name || !(rest.is_empty() || rest.starts_with('#')) {
                continue;
            }
            let first = (start + name.len() + 3) as u32;
            let span = Span {
                start: first,
                end: first + digits.len() as u32,
            };
            self.add("scale-constant", span, &(number / 2).to_string());
            self.add("scale-constant", span, &(number * 2).to_string());
        }
    }

    /// Changes element types of allocations.
    fn types(&mut self) {
        const TYPES: [(&str, &str); 7] = [
            ("DT.float", "DT.half"),
            ("DT.half", "DT.float"),
            ("DT.int", "DT.int16"),
            ("DT.uint8", "DT.half"),
            ("f32", "f16"),
            ("f16", "f32"),
            ("u8", "f16"),
        ];
        for constructor in ["Tensor(", "DBuff(", "TBuff(", "QBuff("] {
            for at in occurrences(self.text, constructor) {
                let dtype = at + constructor.len();
                let length = argument_length(&self.text[dtype..]);
                let given = &self.text[dtype..dtype + length];
                for (old, new) in TYPES {
                    let is_old = given
                        .strip_suffix(old)
                        .is_some_and(|facade| facade.is_empty() || facade.ends_with('.'));
                    if is_old {
                        let span = Span {
                            start: (dtype + length - old.len()) as u32,
                            end: (dtype + length) as u32,
                        };
                        self.add("change-type", span, new);
                    }
                }
            }
        }
    }

    /// Makes tiles 64 times as large.
    fn tiles(&mut self) {
        for constructor in ["Tensor(", "DBuff(", "TBuff(", "QBuff("] {
            for at in occurrences(self.text, constructor) {
                let shape = at + constructor.len();
                let shape = shape + argument_length(&self.text[shape..]);
                if self.text[shape..].starts_with(", [") {
                    let span = Span {
                        start: (shape + 3) as u32,
                        end: (shape + 3) as u32,
                    };
                    self.add("larger-tile", span, "64 * ");
                }
            }
        }
    }

    /// Replaces `Min(tile, rest)` by `tile`.
    fn minima(&mut self) {
        for at in occurrences(self.text, "Min(") {
            let before = self.text[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
                continue;
            }
            let inner = &self.text[at + 4..];
            let first = argument_length(inner);
            let second_at = first + 1;
            if !inner[first..].starts_with(',') {
                continue;
            }
            let second = argument_length(&inner[second_at..]);
            let end = at + 4 + second_at + second + 1;
            let (a, b) = (
                inner[..first].trim().to_owned(),
                inner[second_at..second_at + second].trim().to_owned(),
            );
            let span = Span {
                start: at as u32,
                end: end as u32,
            };
            // The tile size is the argument without a subtraction.
            let tile = if a.contains('-') { b } else { a };
            self.add("drop-min", span, &format!("Var({tile})"));
        }
    }

    /// Gives the rows to the other sub-block, or to both.
    fn sub_blocks(&mut self) {
        const QUERY: &str = "GetSubBlockIdx()";
        for at in occurrences(self.text, QUERY) {
            let span = Span {
                start: at as u32,
                end: (at + QUERY.len()) as u32,
            };
            self.add("other-sub-block", span, "0");
        }
        let derived: Vec<String> = self
            .text
            .lines()
            .filter(|line| line.contains(QUERY))
            .filter_map(|line| Some(line.split_once(" = ")?.0.trim().to_owned()))
            .collect();
        for name in derived {
            let places: Vec<usize> = occurrences(self.text, &name).collect();
            for at in places {
                let before = self.text[..at].chars().next_back();
                let after = self.text[at + name.len()..].trim_start();
                let is_word = before.is_none_or(|c| !c.is_alphanumeric() && c != '_')
                    && !after.starts_with(|c: char| c.is_alphanumeric() || c == '_')
                    && !after.starts_with("= ");
                if is_word {
                    let span = Span {
                        start: at as u32,
                        end: (at + name.len()) as u32,
                    };
                    self.add("other-sub-block", span, "0");
                }
            }
        }
    }
}

/// Returns a part of a span, by offset and length.
fn part(span: Span, at: usize, length: usize) -> Span {
    let start = span.start + at as u32;
    Span {
        start,
        end: start + length as u32,
    }
}

fn occurrences<'a>(text: &'a str, needle: &'a str) -> impl Iterator<Item = usize> + use<'a> {
    text.match_indices(needle).map(|(at, _)| at)
}

/// Returns the lines that contain a text.
fn lines_with(text: &str, needle: &str) -> Vec<Span> {
    let mut at = 0;
    let mut found = Vec::new();
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with(needle) {
            found.push(Span {
                start: at as u32,
                end: (at + line.len()) as u32,
            });
        }
        at += line.len();
    }
    found
}

/// Returns the offset and name of every keyword argument of a call.
fn keyword_arguments(text: &str) -> Vec<(usize, &str)> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut found = Vec::new();
    for (at, _) in text.match_indices('=') {
        let is_plain =
            !text[at + 1..].starts_with('=') && !text[..at].ends_with(['=', '<', '>', '!']);
        let name = text[..at].chars().rev().take_while(|&c| is_word(c)).count();
        if is_plain && name > 0 {
            found.push((at - name, &text[at - name..at]));
        }
    }
    found
}

/// Returns the length of an argument, up to the comma or parenthesis after it.
pub fn argument_length(text: &str) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' if depth == 0 => return at,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}

/// Returns start, colon and end of the last slice in the last subscript of a view.
fn last_slice(text: &str) -> Option<(usize, usize, usize)> {
    let end = text.rfind(']')?;
    let mut depth = 0;
    let mut colon = None;
    for (at, c) in text[..end].char_indices().rev() {
        match c {
            ')' | ']' => depth += 1,
            '(' | '[' if depth == 0 => return Some((at + 1, colon?, end)),
            '(' | '[' => depth -= 1,
            ',' if depth == 0 => return Some((at + 1, colon?, end)),
            ':' if depth == 0 => colon = Some(at),
            _ => {}
        }
    }
    None
}
