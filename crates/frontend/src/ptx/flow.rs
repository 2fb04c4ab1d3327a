//! Data flow of registers.
//!
//! Within a basic block the last definition counts; across blocks a register has the bits on which all of its
//! definitions agree. A guarded definition may be skipped, so it counts together with the value before it.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::registers::{RegisterId, Registers, ScopeId};
use super::values;
use a2lint_ir::KnownBits;
use a2lint_ir::mma::Class;
use a2lint_source::text::Span;
use a2lint_syntax::ptx::ast::{Declaration, Instruction, Operand, OperandKind, Statement};

/// Maximum number of definitions through which a value is followed.
const MAX_DEPTH: u32 = 64;

/// The index of an instruction.
pub(super) type Step = usize;

/// An instruction with its position.
pub(super) struct Placed<'a, 't> {
    pub instruction: &'a Instruction<'t>,
    pub scope: ScopeId,
    /// The basic block, counted from the start of the function.
    block: u32,
    /// Whether no label and no branch precedes it.
    pub straight: bool,
}

/// An operand of an `asm` statement.
#[derive(Clone, Debug)]
pub(super) struct Input {
    pub class: Class,
    pub bits: KnownBits,
    /// The expression in the surrounding C++ text.
    pub span: Span,
    pub text: String,
}

/// The source of a register's value.
pub(super) enum Origin {
    /// In this text.
    Here(Span),
    /// In the text around an `asm` statement.
    Outside(Span),
}

/// The data flow of a function, or of the text of an `asm` statement.
pub(super) struct Flow<'a, 't> {
    pub steps: Vec<Placed<'a, 't>>,
    registers: Registers<'t>,
    /// Instructions that write a register, in order.
    definitions: FxHashMap<RegisterId, Rc<[Step]>>,
    /// Registers that unreadable text may write.
    distrusted: FxHashSet<RegisterId>,
    inputs: FxHashMap<RegisterId, Input>,
    /// The bits on which all definitions of a register agree; unknown while they are being computed.
    agreed: FxHashMap<RegisterId, KnownBits>,
    /// Results of instructions; unknown while they are being computed.
    results: FxHashMap<(Step, RegisterId), KnownBits>,
    /// Whether parts of the text are missing. They may contain labels, so basic blocks are not certain.
    damaged: bool,
    /// Whether all declarations are visible.
    whole: bool,
    depth: u32,
}

/// Prefixes of special registers.
const SPECIAL: &[&str] = &[
    "tid",
    "ntid",
    "laneid",
    "warpid",
    "nwarpid",
    "ctaid",
    "nctaid",
    "smid",
    "nsmid",
    "gridid",
    "clusterid",
    "nclusterid",
    "cluster_",
    "is_explicit_cluster",
    "lanemask",
    "clock",
    "pm",
    "envreg",
    "globaltimer",
    "reserved_smem",
    "total_smem",
    "aggr_smem",
    "dynamic_smem",
    "current_graph",
];

impl<'a, 't> Flow<'a, 't> {
    pub fn new(declarations: &'a [Declaration<'t>], body: &'a [Statement<'t>]) -> Self {
        let mut flow = Flow {
            steps: Vec::new(),
            registers: Registers::new(),
            definitions: FxHashMap::default(),
            distrusted: FxHashSet::default(),
            inputs: FxHashMap::default(),
            agreed: FxHashMap::default(),
            results: FxHashMap::default(),
            damaged: false,
            whole: false,
            depth: 0,
        };
        for declaration in declarations {
            flow.registers.declare(Registers::OUTERMOST, declaration);
        }
        let mut at = Position {
            block: 0,
            straight: true,
        };
        flow.place(body, Registers::OUTERMOST, &mut at);
        flow.define();
        flow
    }

    fn place(&mut self, body: &'a [Statement<'t>], scope: ScopeId, at: &mut Position) {
        // Declarations are collected first: using a name above its declaration is an error, but it means this
        // register.
        for statement in body {
            if let Statement::Registers(declaration) = statement {
                self.registers.declare(scope, declaration);
            }
        }
        for statement in body {
            match statement {
                Statement::Registers(_) => {}
                Statement::Label => {
                    // A label may be the target of any branch.
                    at.block += 1;
                    at.straight = false;
                }
                Statement::Block(inside) => {
                    let inner = self.registers.open(scope);
                    self.place(inside, inner, at);
                }
                Statement::Instruction(instruction) => {
                    self.steps.push(Placed {
                        instruction,
                        scope,
                        block: at.block,
                        // A guard may skip the instruction.
                        straight: at.straight && !instruction.guarded,
                    });
                    // Instructions after a branch may be skipped.
                    at.straight &= !matches!(instruction.opcode.text, "bra" | "brx");
                }
            }
        }
    }

    fn define(&mut self) {
        let mut definitions: FxHashMap<RegisterId, Vec<Step>> = FxHashMap::default();
        for step in 0..self.steps.len() {
            let Placed {
                instruction, scope, ..
            } = self.steps[step];
            for name in destinations(instruction) {
                let id = self.registers.resolve(scope, name);
                let steps = definitions.entry(id).or_default();
                if steps.last() != Some(&step) {
                    steps.push(step);
                }
            }
        }
        let frozen = definitions.into_iter();
        self.definitions = frozen.map(|(id, steps)| (id, steps.into())).collect();
    }

    /// Sets the value that a name of the outermost scope has from outside.
    pub fn input(&mut self, name: &'t str, input: Input) {
        let id = self.registers.resolve(Registers::OUTERMOST, name);
        self.inputs.insert(id, input);
    }

    /// Treats every name in unreadable text as written there.
    pub fn distrust<'w>(&mut self, texts: impl Iterator<Item = &'w str>) {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%');
        let mut words: FxHashSet<&str> = FxHashSet::default();
        for text in texts {
            self.damaged = true;
            words.extend(text.split(|c| !is_part(c)));
        }
        if !self.damaged {
            return;
        }
        for step in 0..self.steps.len() {
            let Placed {
                instruction, scope, ..
            } = self.steps[step];
            for name in destinations(instruction).filter(|name| words.contains(name)) {
                let id = self.registers.resolve(scope, name);
                self.distrusted.insert(id);
            }
        }
    }

    /// Returns whether the function calls other functions.
    pub fn calls(&self) -> bool {
        let mut steps = self.steps.iter();
        steps.any(|placed| placed.instruction.opcode.text == "call")
    }

    /// Returns the class of a name.
    pub fn class(&mut self, scope: ScopeId, name: &'t str) -> Class {
        let id = self.registers.resolve(scope, name);
        match self.inputs.get(&id) {
            Some(input) => input.class,
            None => self.registers.class(id),
        }
    }

    /// Returns whether a name with a percent sign, which can only be a register, is undeclared. In the text of an `asm`
    /// statement, registers may be declared outside, but operands may not.
    pub fn is_undeclared(&mut self, scope: ScopeId, name: &'t str) -> bool {
        let Some(rest) = name.strip_prefix('%') else {
            return false;
        };
        // `%0` names an operand of the statement.
        let is_operand = rest.bytes().all(|byte| byte.is_ascii_digit());
        if self.damaged || SPECIAL.iter().any(|special| rest.starts_with(special)) {
            return false;
        }
        let id = self.registers.resolve(scope, name);
        let known = self.inputs.contains_key(&id) || self.registers.is_declared(id);
        !known && (is_operand || self.whole)
    }

    /// Declares that the text is a whole function of a module, so that all of its declarations are visible.
    pub fn is_whole(&mut self) {
        self.whole = true;
    }

    /// Returns the name of a register for messages: the C++ expression of an operand, if it is one.
    pub fn spelling(&mut self, scope: ScopeId, name: &'t str) -> String {
        let id = self.registers.resolve(scope, name);
        let input = self.inputs.get(&id);
        input.map_or_else(|| name.to_owned(), |input| input.text.clone())
    }

    /// Returns the place that alone gives a register its value; `None` if there are several.
    pub fn origin(&mut self, scope: ScopeId, name: &'t str) -> Option<Origin> {
        let id = self.registers.resolve(scope, name);
        match (
            self.inputs.get(&id),
            self.definitions.get(&id).map(|steps| &**steps),
        ) {
            (Some(input), None) => Some(Origin::Outside(input.span)),
            (None, Some(&[step])) => Some(Origin::Here(self.steps[step].instruction.span)),
            _ => None,
        }
    }

    /// Returns the known bits of an operand of an instruction.
    pub fn value(&mut self, step: Step, operand: &Operand<'t>) -> KnownBits {
        match operand.kind {
            OperandKind::Integer(value) => KnownBits::constant(value),
            OperandKind::Name(name) => self.name_value(step, name),
            _ => KnownBits::UNKNOWN,
        }
    }

    fn name_value(&mut self, step: Step, name: &'t str) -> KnownBits {
        let id = self.registers.resolve(self.steps[step].scope, name);
        // A chain beyond the bound is unknown; so are registers that damaged text may write.
        if self.distrusted.contains(&id) || self.depth >= MAX_DEPTH {
            return KnownBits::UNKNOWN;
        }
        let Some(definitions) = self.definitions.get(&id) else {
            let input = self.inputs.get(&id);
            return input.map_or(KnownBits::UNKNOWN, |input| input.bits);
        };
        let definitions = Rc::clone(definitions);
        self.depth += 1;
        let value = self.reaching(step, id, &definitions);
        self.depth -= 1;
        value
    }

    /// Returns the known bits of a register before `step`.
    fn reaching(&mut self, step: Step, id: RegisterId, definitions: &[Step]) -> KnownBits {
        let block = self.steps[step].block;
        // With damage, no definition is certain to be in the same block.
        let above = match self.damaged {
            true => 0,
            false => definitions.partition_point(|&definition| definition < step),
        };
        let mut guarded: Option<KnownBits> = None;
        let with = |before: Option<KnownBits>, value: KnownBits| {
            before.map_or(value, |before| before.join(value))
        };
        for &definition in definitions[..above].iter().rev() {
            if self.steps[definition].block != block {
                break;
            }
            let value = with(guarded, self.result(definition, id));
            // An unguarded definition overwrites everything before it.
            if !self.steps[definition].instruction.guarded {
                return value;
            }
            guarded = Some(value);
        }
        with(guarded, self.agreed(id, definitions))
    }

    /// Returns the bits on which all definitions of a register, and its value from outside, agree.
    fn agreed(&mut self, id: RegisterId, definitions: &[Step]) -> KnownBits {
        if let Some(known) = self.agreed.get(&id) {
            return *known;
        }
        // Unknown while it is computed: a register that depends on itself in a loop ends the recursion.
        self.agreed.insert(id, KnownBits::UNKNOWN);
        let mut found = self.inputs.get(&id).map(|input| input.bits);
        for &definition in definitions {
            let value = self.result(definition, id);
            let joined = found.map_or(value, |before| before.join(value));
            found = Some(joined);
            // Nothing further can become known.
            if joined.is_unknown() {
                break;
            }
        }
        let found = found.unwrap_or_default();
        self.agreed.insert(id, found);
        found
    }

    /// Returns what an instruction writes into a register.
    fn result(&mut self, step: Step, id: RegisterId) -> KnownBits {
        if let Some(known) = self.results.get(&(step, id)) {
            return *known;
        }
        self.results.insert((step, id), KnownBits::UNKNOWN);
        let Placed {
            instruction, scope, ..
        } = self.steps[step];
        let mut result = None;
        let mut first = destinations(instruction).enumerate();
        let position = first.find(|(_, name)| self.registers.resolve(scope, name) == id);
        if let Some((index, _)) = position {
            result = values::result(instruction, index, &mut |operand| self.value(step, operand));
        }
        let result = result.unwrap_or_default();
        self.results.insert((step, id), result);
        result
    }
}

struct Position {
    block: u32,
    straight: bool,
}

/// Returns the names that an instruction may write: those of its first operand, of its first two operands for
/// `tcgen05.ld`, and none for other instructions of [`super::FAMILY`]. A name too many makes a value unknown, never
/// wrong.
fn destinations<'t>(instruction: &Instruction<'t>) -> impl Iterator<Item = &'t str> {
    let operands = &instruction.operands;
    // Loads from tensor memory may return a reduction beside the data.
    let count = match instruction.opcode.text {
        super::FAMILY
            if instruction
                .modifiers
                .first()
                .is_some_and(|m| m.text == ".ld") =>
        {
            2
        }
        super::FAMILY => 0,
        _ => 1,
    };
    let mut found = Vec::new();
    for operand in operands.iter().take(count) {
        names(operand, &mut found);
    }
    found.into_iter()
}

fn names<'t>(operand: &Operand<'t>, found: &mut Vec<&'t str>) {
    match &operand.kind {
        OperandKind::Name(name) => found.push(name),
        OperandKind::Vector(items) | OperandKind::List(items) => {
            items.iter().for_each(|item| names(item, found));
        }
        OperandKind::Pair(first, second) => {
            names(first, found);
            names(second, found);
        }
        OperandKind::Not(_)
        | OperandKind::Integer(_)
        | OperandKind::Address(_)
        | OperandKind::Other => {}
    }
}
