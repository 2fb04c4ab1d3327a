//! Tiles in assembly.
//!
//! The assembler places flags and barriers itself, so synchronisation is not read.

mod instructions;

use rustc_hash::FxHashMap;

use super::cpp::DEVICES;
use super::names::is_tile_instruction;
use super::types::from_text;
use a2lint_ir::tile::{
    Address, Function, Operand, Region, Step, StepKind, Tile, TileType, Unit, Valid,
};
use a2lint_isa::masks::{Target, Targets};
use a2lint_source::text::{Slice, SourceText, Span};
use a2lint_syntax::pto::{Module, Op, Operand as Written, OperandKind, TypeText, parse};

/// Returns the tiles of an assembly file and the places that do not parse; `None` if the file is too large.
pub fn from_assembly(source: &SourceText, folders: Option<&[Target]>) -> Option<(Unit, Vec<Span>)> {
    let text = source.as_str();
    let module = parse(text)?;
    let mut named = Target::named_in(text);
    if named.is_empty() {
        named = architectures(text);
    }
    let mut reader = Reader {
        text,
        values: FxHashMap::default(),
        current: Function::default(),
        functions: Vec::new(),
        parents: Vec::new(),
    };
    reader.module(&module);
    let unit = Unit {
        targets: Targets::of(named, folders, DEVICES),
        functions: reader.functions,
        ..Unit::default()
    };
    Some((unit, module.errors))
}

/// Returns the architectures that attributes of the module name, or that command lines in its comments name unless
/// they are expected to fail.
fn architectures(text: &str) -> Vec<Target> {
    let mut found = Vec::new();
    let lines = text.lines().filter(|line| !line.contains("not ptoas"));
    for line in lines {
        for key in ["pto-arch=", "pto-arch ", "pto.target_arch = \""] {
            let Some((_, rest)) = line.split_once(key) else {
                continue;
            };
            let end = rest
                .find(|c: char| !c.is_ascii_alphanumeric())
                .unwrap_or(rest.len());
            if let Some(target) =
                Target::from_name(rest.part(..end)).filter(|target| !found.contains(target))
            {
                found.push(target);
            }
        }
    }
    found
}

/// The known facts about a value `%name`.
#[derive(Clone, Default)]
struct Value {
    number: Option<i64>,
    tile: Option<usize>,
    ty: Option<TileType>,
    valid: [Option<i64>; 2],
    address: Address,
}

struct Reader<'t> {
    text: &'t str,
    values: FxHashMap<&'t str, Value>,
    current: Function,
    functions: Vec<Function>,
    /// The region of every open depth.
    parents: Vec<(usize, usize)>,
}

impl<'t> Reader<'t> {
    fn text(&self, span: Span) -> &'t str {
        self.text.get(span.range()).unwrap_or("")
    }

    fn module(&mut self, module: &Module) {
        self.begin("module", Span::default(), 0);
        // Operations outside of a function form a function of their own, so that fragments are checked too.
        for op in &module.ops {
            let name = self.text(op.name);
            match name {
                "func.func" | "func" => {
                    self.finish();
                    let symbol = op.operands.iter().find(|o| o.kind == OperandKind::Symbol);
                    let span = symbol.map_or(op.name, |symbol| symbol.head);
                    self.begin(self.text(span).trim_start_matches('@'), span, op.depth + 1);
                }
                _ => self.op(op, name),
            }
        }
        self.finish();
    }

    fn begin(&mut self, name: &str, span: Span, depth: usize) {
        self.values.clear();
        self.parents = vec![(depth, 0)];
        self.current = Function {
            name: name.to_owned(),
            name_span: span,
            assembly: true,
            regions: vec![Region { parent: 0 }],
            ..Function::default()
        };
    }

    fn finish(&mut self) {
        let function = std::mem::take(&mut self.current);
        if !function.steps.is_empty() || !function.texts.is_empty() || !function.tiles.is_empty() {
            self.functions.push(function);
        }
    }

    /// Returns the region of an operation. Operations of equal depth in a row share one.
    fn region(&mut self, depth: usize) -> usize {
        while self.parents.last().is_some_and(|(open, _)| *open > depth) && self.parents.len() > 1 {
            self.parents.pop();
        }
        let (open, region) = self.parents.last().copied().unwrap_or((depth, 0));
        if open >= depth {
            return region;
        }
        let new = self.current.regions.len();
        self.current.regions.push(Region { parent: region });
        self.parents.push((depth, new));
        new
    }

    fn op(&mut self, op: &Op, written: &'t str) {
        let region = self.region(op.depth);
        let dotted = written.trim_matches('"');
        let name = dotted.strip_prefix("pto.").unwrap_or(dotted);
        match name {
            "arith.constant" | ".const" => return self.constant(op),
            ".arg" => return self.argument(op),
            "alloc_tile" => return self.allocate(op),
            "tassign" => return self.place(op, region),
            _ => {}
        }
        // Dotted names are operations of other dialects or modifiers.
        if !is_tile_instruction(&name.to_ascii_uppercase()) || name.contains('.') {
            return;
        }
        let lines = self.line(op);
        let kind = self.kind(name, op, &lines);
        let arguments = op.ins.as_ref().map_or(op.name, |ins| ins.span);
        self.current.steps.push(Step {
            span: op.span,
            name: name.to_ascii_uppercase(),
            arguments,
            region,
            // The assembler inserts events itself.
            events: true,
            kind,
        });
        if matches!(name, "tsel" | "tsels" | "tcmp" | "tcmps") {
            let text = self.as_written(op, name);
            self.current.texts.push(text);
        }
        self.results(op);
    }

    fn number(&self, operand: &Written) -> Option<i64> {
        match operand.kind {
            OperandKind::Number => int(self.text(operand.span)),
            OperandKind::Value => self.values.get(self.text(operand.head))?.number,
            // An address in a symbol: `@tile(0x1000)`.
            OperandKind::Symbol => {
                let text = self.text(operand.span);
                let inside = text.split_once('(')?.1.strip_suffix(')')?;
                int(inside.trim())
            }
            OperandKind::Other => None,
        }
    }

    /// Reads `%c = arith.constant 4096 : i64` and `.const %c = 16 : i32`.
    fn constant(&mut self, op: &Op) {
        let number = op.operands.iter().find(|o| o.kind == OperandKind::Number);
        let value = number.and_then(|number| self.number(number));
        let directive = op.operands.iter().find(|o| o.kind == OperandKind::Value);
        let name = op.results.first().copied().or(directive.map(|o| o.head));
        if let Some(name) = name {
            let value = Value {
                number: value,
                ..Value::default()
            };
            self.values.insert(self.text(name), value);
        }
    }

    /// Reads `.arg %x : !pto.tile<16x16xf32>`.
    fn argument(&mut self, op: &Op) {
        let (Some(operand), Some(ty)) = (op.operands.first(), op.types.first()) else {
            return;
        };
        if let Some(ty) = self.tile_type(ty) {
            self.declare(operand.head, ty, [None, None], Address::Unknown);
        }
    }

    /// Reads `%t = pto.alloc_tile addr = %a valid_row = %r valid_col = %c : T`.
    fn allocate(&mut self, op: &Op) {
        let (Some(&result), Some(ty)) = (op.results.first(), op.types.first()) else {
            return;
        };
        let Some(ty) = self.tile_type(ty) else {
            return;
        };
        let mut valid = [None, None];
        let mut address = Address::Unknown;
        for &(key, value) in &op.attributes {
            let number = match self.text(value) {
                text if text.starts_with('%') => self.values.get(text).and_then(|v| v.number),
                text => int(text),
            };
            match self.text(key) {
                "valid_row" => valid[0] = number.map(|number| (number, value)),
                "valid_col" => valid[1] = number.map(|number| (number, value)),
                "addr" => {
                    // One explicit address means that the file places its tiles itself.
                    self.current.manual = true;
                    address = number.map_or(Address::Unknown, |at| Address::At(at, value));
                }
                _ => {}
            }
        }
        self.declare(result, ty, valid, address);
    }

    fn declare(
        &mut self,
        name: Span,
        ty: TileType,
        constructed: [Option<(i64, Span)>; 2],
        address: Address,
    ) {
        let valid = [0, 1].map(|axis| match ty.valid[axis] {
            Valid::Static(extent) => Some(extent),
            Valid::Dynamic => constructed[axis].map(|(extent, _)| extent),
            Valid::Unknown => None,
        });
        let value = Value {
            number: None,
            tile: Some(self.current.tiles.len()),
            ty: Some(ty),
            valid,
            address,
        };
        self.current.tiles.push(Tile {
            name: self.text(name).to_owned(),
            span: name,
            ty,
            constructed,
            own: false,
        });
        self.values.insert(self.text(name), value);
    }

    /// Reads `pto.tassign %t, %a : T, i64`, also with a result and with `ins` and `outs`.
    fn place(&mut self, op: &Op, region: usize) {
        let listed = op.ins.as_ref().map_or(&op.operands, |ins| &ins.operands);
        let outs = op.outs.as_ref().and_then(|outs| outs.operands.first());
        let (tile, address) = match (outs, listed.as_slice()) {
            (Some(tile), [address, ..]) => (tile, address),
            (None, [tile, address, ..]) => (tile, address),
            _ => return,
        };
        self.current.manual = true;
        let placed = match self.number(address) {
            Some(at) => Address::At(at, address.span),
            None => Address::Unknown,
        };
        let mut operand = self.operand(tile, None);
        operand.address = placed;
        // The operand and the result are the same tile after the assignment.
        let mut names = vec![self.text(tile.head)];
        names.extend(op.results.iter().map(|&result| self.text(result)));
        for name in names {
            let known = self.values.get(self.text(tile.head)).cloned();
            let value = self
                .values
                .entry(name)
                .or_insert_with(|| known.unwrap_or_default());
            value.address = placed;
        }
        self.current.steps.push(Step {
            span: op.span,
            name: "TASSIGN".to_owned(),
            arguments: op.name,
            region,
            events: true,
            kind: StepKind::Assign(operand),
        });
    }

    fn tile_type(&self, ty: &TypeText) -> Option<TileType> {
        from_text(self.text(ty.span), ty.span)
    }

    fn operand(&self, written: &Written, ty: Option<TileType>) -> Operand {
        let value = self
            .values
            .get(self.text(written.head))
            .cloned()
            .unwrap_or_default();
        // A type in the operation is more specific than the declared one, unless it is a placeholder.
        let ty = ty.filter(|ty| !ty.placeholder).or(value.ty);
        let fixed = |axis: usize| match ty.map(|ty| ty.valid[axis]) {
            Some(Valid::Static(extent)) => Some(extent),
            _ => value.valid[axis],
        };
        Operand {
            span: written.span,
            text: self.text(written.span).to_owned(),
            tile: value.tile,
            ty,
            valid: [fixed(0), fixed(1)],
            address: value.address,
        }
    }

    /// Declares the results of an operation: tiles of the type after the arrow.
    fn results(&mut self, op: &Op) {
        for (at, &result) in op.results.iter().enumerate() {
            let types = if op.arrow {
                &op.result_types
            } else {
                &op.types
            };
            let ty = types.get(at).and_then(|ty| self.tile_type(ty));
            if let Some(ty) = ty.filter(|ty| !ty.placeholder) {
                self.declare(result, ty, [None, None], Address::Unknown);
            }
        }
    }
}

/// Parses a decimal or hexadecimal number.
fn int(text: &str) -> Option<i64> {
    match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}
