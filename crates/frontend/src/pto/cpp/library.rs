//! Tiles as a library of the evaluator: their types, what they hold, and the functions that are entered.

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

use a2lint_cpp::eval::{
    CellId, Eval, FloatType, IntType, Kind, LibraryType, Operand, Place, TemplateArg, Ty, Value,
};
use a2lint_cpp::library::{Call, Entry, Evaluated, Library, LibraryValue, Outcome};
use a2lint_cpp::syntax::ast::{Function, Name};
use a2lint_ir::ScalarId;
use a2lint_ir::tile::{self, Address, Step, StepKind, Tile, Valid};
use a2lint_isa::masks::Element;
use a2lint_project::SourceMap;
use a2lint_source::text::{Slice, Span};
use rustc_hash::FxHashMap;

use super::found::{Found, Instance};
use super::instructions;
use super::shape::Shape;
use super::types;
use crate::pto::names::{is_harmless, is_tile_instruction};

/// What an object of a tile type holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Held {
    /// The function that has made or placed it, and where it declares it.
    home: (Option<usize>, Span),
    /// Valid rows and columns.
    pub valid: [Option<i64>; 2],
    /// Where it is.
    pub address: Address,
    /// Rows and columns that the constructor was given.
    constructed: [Option<(i64, Span)>; 2],
    /// Whether the valid extents can change.
    is_dynamic: [bool; 2],
}

impl Held {
    /// Returns what is known after code that may have changed it.
    fn forgotten(self) -> Held {
        let mut valid = self.valid;
        for (extent, is_dynamic) in valid.iter_mut().zip(self.is_dynamic) {
            // Static valid extents are part of the type and cannot change.
            *extent = extent.filter(|_| !is_dynamic);
        }
        Held {
            valid,
            address: Address::Unknown,
            ..self
        }
    }

    fn value(self) -> Value {
        Value::Library(Rc::new(self))
    }
}

impl LibraryValue for Held {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn with_scalars(&self, _: &[ScalarId]) -> Rc<dyn LibraryValue> {
        Rc::new(*self)
    }

    fn is_same_shape(&self, other: &dyn LibraryValue) -> bool {
        other.as_any().downcast_ref() == Some(self)
    }

    fn widened(&self, _width: u8) -> Option<Rc<dyn LibraryValue>> {
        Some(Rc::new(self.forgotten()))
    }
}

/// What `tile.data()` is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Data(pub CellId);

impl LibraryValue for Data {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn with_scalars(&self, _: &[ScalarId]) -> Rc<dyn LibraryValue> {
        Rc::new(*self)
    }

    fn is_same_shape(&self, other: &dyn LibraryValue) -> bool {
        other.as_any().downcast_ref() == Some(self)
    }

    fn cells(&self) -> Vec<CellId> {
        vec![self.0]
    }
}

/// A function that is being evaluated.
#[derive(Debug, Default)]
struct Level {
    /// Its number, if it is one of the checked file.
    at: Option<usize>,
    /// Whether it has steps, or calls functions that have.
    is_touched: bool,
    /// Number of branches of `if constexpr` around that are not decided.
    undecided: u32,
    /// The objects that its parameters refer to.
    parameters: Vec<(CellId, Name, Span)>,
}

/// Tiles of one file.
pub struct Tiles<'s> {
    /// The text of the checked file.
    pub text: &'s str,
    /// All texts.
    map: &'s SourceMap,
    /// What the syntax says of its steps.
    pub shape: RefCell<Shape>,
    /// The functions found so far.
    pub found: RefCell<Found>,
    levels: RefCell<Vec<Level>>,
    /// Where each type of tiles was written last.
    written: RefCell<FxHashMap<LibraryType, Span>>,
}

impl<'s> Tiles<'s> {
    /// Creates the library for a file of which nothing was evaluated.
    pub fn of(text: &'s str, map: &'s SourceMap) -> Tiles<'s> {
        Tiles {
            text,
            map,
            shape: RefCell::default(),
            found: RefCell::default(),
            levels: RefCell::default(),
            written: RefCell::default(),
        }
    }

    /// Returns whether a place is in the checked file.
    pub fn is_own(&self, span: Span) -> bool {
        span.end as usize <= self.text.len() && span.start < span.end
    }

    /// Begins an evaluation.
    pub fn start(&self) {
        self.levels.borrow_mut().clear();
    }

    /// Returns the type of a tile.
    pub fn tile_type(&self, eval: &Eval<'_>, ty: &Ty) -> Option<tile::TileType> {
        let Kind::Library(of) = &ty.kind else {
            return None;
        };
        let written = self.written.borrow();
        let span = written.get(of.as_ref()).copied().unwrap_or_default();
        types::of(eval, of, span)
    }

    fn at(&self) -> Option<usize> {
        self.levels.borrow().last().and_then(|level| level.at)
    }

    /// Returns name and place of the tile that an operand is, as the function that is evaluated sees it.
    fn named(&self, eval: &Eval<'_>, operand: &Operand) -> Option<(Name, Span)> {
        let cell = operand.object()?;
        let levels = self.levels.borrow();
        let parameters = levels.last().map_or(&[][..], |level| &level.parameters);
        let passed = parameters.iter().find(|(known, ..)| *known == cell);
        let passed = passed.map(|(_, name, span)| (name.clone(), *span));
        passed.or_else(|| eval.variable_of(operand))
    }

    /// Returns the number of the tile that an operand is, with what is known of it; `None` for others.
    pub fn tile(
        &self,
        eval: &mut Eval<'_>,
        operand: &Operand,
    ) -> Evaluated<Option<(usize, Held, tile::TileType)>> {
        let (Some(ty), Some(at)) = (self.tile_type(eval, &operand.ty), self.at()) else {
            return Ok(None);
        };
        let Some((name, span)) = self.named(eval, operand) else {
            return Ok(None);
        };
        let value = eval.value_of(operand)?;
        let held = value.library::<Held>().copied();
        // A tile of another function, or a copy of another tile, may be anywhere.
        let is_here = |held: &Held| {
            held.home.0 == Some(at) && (held.home.1 == span || held.home.1 == Span::default())
        };
        let is_made_here = held.is_some_and(|it| it.home == (Some(at), Span::default()));
        let held = match held.filter(is_here) {
            Some(held) => Held {
                home: (Some(at), span),
                ..held
            },
            None => Held {
                home: (Some(at), span),
                valid: [0, 1].map(|axis| match ty.valid[axis] {
                    Valid::Static(extent) => Some(extent),
                    Valid::Dynamic | Valid::Unknown => None,
                }),
                address: Address::Unknown,
                constructed: [None, None],
                is_dynamic: ty.valid.map(|valid| valid == Valid::Dynamic),
            },
        };
        let declared = Tile {
            name: name.to_string(),
            span,
            ty,
            constructed: held.constructed,
            own: is_made_here,
        };
        let mut found = self.found.borrow_mut();
        let number = found.instances[at].tile(declared);
        Ok(Some((number, held, ty)))
    }

    /// Returns the text of a place in the file.
    pub fn text_of(&self, span: Span) -> &'s str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Returns a tile as an operand.
    pub fn operand(&self, eval: &mut Eval<'_>, operand: &Operand) -> Evaluated<tile::Operand> {
        let tile = self.tile(eval, operand)?;
        Ok(tile::Operand {
            span: operand.span,
            text: self.text_of(operand.span).to_owned(),
            tile: tile.map(|(number, ..)| number),
            ty: tile.map(|(.., ty)| ty),
            valid: tile.map_or([None, None], |(_, held, _)| held.valid),
            address: tile.map_or(Address::Unknown, |(_, held, _)| held.address),
        })
    }

    /// Changes what is known of a tile.
    pub fn change(
        &self,
        eval: &mut Eval<'_>,
        operand: &Operand,
        change: impl FnOnce(&mut Held),
    ) -> Evaluated<()> {
        if let (Some((_, mut held, _)), Some(cell)) = (self.tile(eval, operand)?, operand.object())
        {
            change(&mut held);
            eval.write(cell, held.value())?;
        }
        Ok(())
    }

    /// Makes what is known of a tile unknown.
    pub fn forget(&self, eval: &mut Eval<'_>, operand: &Operand) -> Evaluated<()> {
        self.change(eval, operand, |held| *held = held.forgotten())
    }

    /// Records a step of the function that is evaluated.
    pub fn step(&self, name: &str, kind: StepKind, events: bool, (name_span, span): (Span, Span)) {
        let mut levels = self.levels.borrow_mut();
        let mut found = self.found.borrow_mut();
        let is_bound = |level: &Level| {
            let at = level.at.filter(|_| level.undecided > 0);
            at.is_some_and(|at| found.instances[at].is_bound)
        };
        // With these arguments the branch may not exist.
        if levels.iter().any(is_bound) {
            return;
        }
        let Some(level) = levels.last_mut() else {
            return;
        };
        level.is_touched = true;
        let Some(at) = level.at.filter(|_| self.is_own(span)) else {
            return;
        };
        found.instances[at].step(Step {
            span,
            name: name.to_owned(),
            arguments: self.parentheses(name_span, span),
            region: 0,
            events: events || !self.shape.borrow().discarded.contains(&span),
            kind,
        });
    }

    /// Adds an event type to the function that is evaluated.
    pub fn event(&self, event: tile::EventType) {
        if let Some(at) = self.at() {
            self.found.borrow_mut().instances[at].event(event);
        }
    }

    /// Returns the parentheses of a call.
    fn parentheses(&self, name: Span, call: Span) -> Span {
        let behind = match call.start <= name.start && name.end <= call.end {
            true => name.end,
            false => call.start,
        };
        let rest = Span {
            start: behind,
            end: call.end,
        };
        let text = self.text_of(rest);
        let mut depth = 0;
        let open = text.find(|c| {
            depth += i32::from(c == '<') - i32::from(c == '>');
            c == '(' && depth <= 0
        });
        let open = open.or_else(|| text.find('(')).unwrap_or(0);
        Span {
            start: behind + open as u32,
            end: call.end,
        }
    }

    /// Returns whether a function is one of the file and has tiles.
    pub fn concerns(&self, function: &Function) -> bool {
        let has_body = function.body.is_some();
        has_body && self.is_own(function.path.span) && super::concerns(self.text_of(function.span))
    }

    /// Returns whether a method of an instance of a class was evaluated.
    pub fn has_run(&self, eval: &Eval<'_>, function: &Function, class: &Ty) -> bool {
        let (name, _) = named(eval, function, Some(class), &[]);
        self.found.borrow().has_instance(name_span(function), &name)
    }
}

/// Returns the place of the name of a function, without qualifiers.
pub fn name_span(function: &Function) -> Span {
    let last = function.path.segments.last();
    last.map_or(function.span, |it| it.span)
}

/// Returns the name of a function with the arguments of templates, and whether there are any.
fn named(
    eval: &Eval<'_>,
    function: &Function,
    class: Option<&Ty>,
    template: &[TemplateArg],
) -> (String, bool) {
    let function = function.path.segments.last();
    let function = function.map_or("", |last| &last.name);
    let own = types::written(eval, template);
    let class = class.and_then(|class| eval.name_of(class));
    let class = class.map(|(name, arguments)| (name, types::written(eval, &arguments)));
    let outer = match class {
        Some((name, arguments)) if !arguments.is_empty() => format!("{name}{arguments}::"),
        _ => String::new(),
    };
    let is_bound = !own.is_empty() || !outer.is_empty();
    (format!("{outer}{function}{own}"), is_bound)
}

/// Returns the numbers that a call passes, `(rows = 64)`; empty if there are none.
fn passed(eval: &mut Eval<'_>, entry: &Entry<'_>) -> Evaluated<String> {
    let mut known = Vec::new();
    let given = entry.arguments.iter().zip(entry.types);
    for (parameter, (argument, ty)) in entry.function.parameters.iter().zip(given) {
        let Kind::Int(of) = ty.kind else {
            continue;
        };
        let value = eval.value_of(argument)?.known_int();
        if let Some(value) = value.filter(|_| of != IntType::Bool && !parameter.is_pack) {
            known.push(format!("{} = {}", parameter.name, of.wrap(value)));
        }
    }
    Ok(match known.is_empty() {
        true => String::new(),
        false => format!("({})", known.join(", ")),
    })
}

impl Library for Tiles<'_> {
    fn namespaces(&self) -> &[&str] {
        &["pto"]
    }

    fn find_type(
        &self,
        _: &mut Eval<'_>,
        name: &str,
        arguments: Option<&[TemplateArg]>,
        span: Span,
    ) -> Option<Ty> {
        let Some(arguments) = arguments else {
            return match name {
                "half" => Some(FloatType::Half.into()),
                "bfloat16_t" => Some(FloatType::BFloat16.into()),
                _ => Element::from_cpp(name).map(|_| LibraryType::of(name, Vec::new())),
            };
        };
        // Class templates of headers that are not read.
        let is_class = name.starts_with(char::is_uppercase) && !is_tile_instruction(name);
        let ty = LibraryType::of(name, arguments.to_vec());
        if let Kind::Library(of) = &ty.kind {
            self.written
                .borrow_mut()
                .insert((**of).clone(), self.with_arguments(span));
        }
        is_class.then_some(ty)
    }

    fn reads_all(&self) -> bool {
        true
    }

    fn takes(&self, function: &Function) -> bool {
        let name = function.path.segments.last().map_or("", |last| &last.name);
        function.path.segments.len() == 1 && instructions::is_known(name)
    }

    fn enter(&self, eval: &mut Eval<'_>, entry: &Entry<'_>) -> Evaluated<bool> {
        let (name, is_bound) = named(eval, entry.function, entry.class.as_ref(), entry.template);
        let passed = passed(eval, entry)?;
        let function = entry.function;
        let name_span = name_span(function);
        let is_entry = function
            .attributes
            .iter()
            .any(|(word, _)| &**word == "__global__");
        let instance = Instance {
            function: tile::Function {
                name: format!("{name}{passed}"),
                name_span,
                entry: is_entry,
                ..tile::Function::default()
            },
            span: function.span,
            is_bound: is_bound || !passed.is_empty(),
            is_cut: false,
        };
        let is_own = self.is_own(name_span);
        let Some(at) = self.found.borrow_mut().enter(instance, is_own) else {
            return Ok(false);
        };
        let mut parameters = Vec::new();
        for (parameter, (argument, ty)) in function
            .parameters
            .iter()
            .zip(entry.arguments.iter().zip(entry.types))
        {
            if let Some(cell) = argument.object().filter(|_| ty.is_reference()) {
                parameters.push((cell, parameter.name.clone(), parameter.name_span));
            }
        }
        self.levels.borrow_mut().push(Level {
            at,
            parameters,
            ..Level::default()
        });
        Ok(true)
    }

    fn leave(&self, spans: (Span, Span)) {
        let left = self.levels.borrow_mut().pop();
        if left.is_some_and(|left| left.is_touched) {
            self.step("", StepKind::Unknown, false, spans);
        }
    }

    fn opaque(&self, on_object: bool, span: Span) {
        if !on_object {
            self.step("", StepKind::Unknown, false, (span, span));
        }
    }

    fn undecided(&self, is_before: bool) {
        let mut levels = self.levels.borrow_mut();
        let Some(level) = levels.last_mut() else {
            return;
        };
        match is_before {
            true => level.undecided += 1,
            false => level.undecided -= 1,
        }
        if let Some(at) = level.at {
            let mut found = self.found.borrow_mut();
            let instance = &mut found.instances[at];
            instance.is_cut |= instance.is_bound;
        }
    }

    fn configure(&self, _: &mut Eval<'_>, _: &[Operand]) -> Evaluated<bool> {
        Ok(true)
    }

    fn call(&self, eval: &mut Eval<'_>, call: Call<'_>) -> Evaluated<Outcome> {
        if instructions::is_known(call.name) {
            instructions::call(self, eval, &call)?;
            return Ok(Outcome::Done(Operand::unknown(call.span)));
        }
        if is_harmless(call.name) {
            return Ok(Outcome::Done(Operand::unknown(call.span)));
        }
        Ok(Outcome::Unknown(format!("`{}` is not known", call.name)))
    }

    fn method(&self, eval: &mut Eval<'_>, object: &Operand, call: Call<'_>) -> Evaluated<Outcome> {
        if self.tile_type(eval, &object.ty).is_none() {
            return Ok(Outcome::Unknown(format!("`{}` is not known", call.name)));
        }
        let mut numbers = Vec::new();
        for operand in call.operands {
            numbers.push(types::number(eval, operand)?);
        }
        let number = |at: usize| numbers.get(at).copied().flatten();
        match call.name {
            "SetValidRow" => self.change(eval, object, |held| held.valid[0] = number(0))?,
            "SetValidCol" => self.change(eval, object, |held| held.valid[1] = number(0))?,
            "SetValidShape" => {
                self.change(eval, object, |held| held.valid = [number(0), number(1)])?;
            }
            "data" => {
                if let Some(cell) = object.object() {
                    let place = Place::Remote(Value::Library(Rc::new(Data(cell))));
                    let ty = LibraryType::of("TileData", Vec::new());
                    let span = call.span;
                    return Ok(Outcome::Done(Operand { ty, place, span }));
                }
            }
            // A method may change its arguments.
            _ => {
                for operand in call.operands {
                    self.forget(eval, operand)?;
                }
            }
        }
        Ok(Outcome::Done(Operand::unknown(call.span)))
    }

    fn construct(
        &self,
        eval: &mut Eval<'_>,
        of: &LibraryType,
        cell: CellId,
        call: Call<'_>,
    ) -> Evaluated<Outcome> {
        let ty = eval.cell_type(cell);
        let done = || Ok(Outcome::Done(Operand::void(call.span)));
        if &*of.name == "Event" {
            self.event(types::event(eval, of, self.written(of)));
            return done();
        }
        let (Some(tile_type), Some(at)) = (self.tile_type(eval, &ty), self.at()) else {
            eval.write(cell, Value::Unknown)?;
            return done();
        };
        let given = call.operands;
        if given.iter().any(|it| !types::is_number(&it.ty)) {
            eval.write(cell, Value::Unknown)?;
            return done();
        }
        let mut numbers = Vec::new();
        for operand in given {
            numbers.push(types::number(eval, operand)?.map(|it| (it, operand.span)));
        }
        let constructed = match (tile_type.valid, numbers.as_slice()) {
            ([Valid::Dynamic, Valid::Dynamic], [rows, columns]) => [*rows, *columns],
            ([Valid::Dynamic, _], [rows]) => [*rows, None],
            ([_, Valid::Dynamic], [columns]) => [None, *columns],
            _ => [None, None],
        };
        let held = Held {
            home: (Some(at), Span::default()),
            valid: [0, 1].map(|axis| match tile_type.valid[axis] {
                Valid::Static(extent) => Some(extent),
                Valid::Dynamic => constructed[axis].map(|(extent, _)| extent),
                Valid::Unknown => None,
            }),
            address: Address::Unassigned,
            constructed,
            is_dynamic: tile_type.valid.map(|valid| valid == Valid::Dynamic),
        };
        eval.write(cell, held.value())?;
        // A tile that has a name is declared now, whether it is used or not.
        let operand = Operand::cell(ty, cell, call.span);
        self.change(eval, &operand, |_| ())?;
        done()
    }

    fn store(
        &self,
        eval: &mut Eval<'_>,
        address: &Value,
        _: &Ty,
        _: &Value,
        span: Span,
    ) -> Evaluated<bool> {
        // `tile.data() = other.data()` places the tile.
        if let Some(Data(cell)) = address.library() {
            let operand = Operand::cell(eval.cell_type(*cell), *cell, span);
            self.forget(eval, &operand)?;
        }
        Ok(true)
    }

    fn havoc(&self, _: &mut Eval<'_>, value: &Value, _: Span) -> Evaluated<Value> {
        Ok(match value.library::<Held>() {
            Some(held) => held.forgotten().value(),
            None => Value::Unknown,
        })
    }
}

impl Tiles<'_> {
    /// Returns the place of a name with the template arguments behind it.
    fn with_arguments(&self, name: Span) -> Span {
        let holds =
            |base: usize, text: &str| (base..=base + text.len()).contains(&(name.end as usize));
        let mut placed = self.map.placed();
        let Some((base, source)) = placed.find(|(base, text)| holds(*base, text.as_str())) else {
            return name;
        };
        let rest = source.as_str().part(name.end as usize - base..);
        let (mut angles, mut others) = (0, 0);
        let end = rest.find(|c| {
            match c {
                '(' | '[' | '{' => others += 1,
                ')' | ']' | '}' => others -= 1,
                '<' if others == 0 => angles += 1,
                '>' if others == 0 => angles -= 1,
                _ => {}
            }
            angles == 0
        });
        match end.filter(|_| rest.starts_with('<')) {
            Some(end) => Span {
                end: name.end + end as u32 + 1,
                ..name
            },
            None => name,
        }
    }

    /// Returns where a type was written last.
    fn written(&self, of: &LibraryType) -> Span {
        let written = self.written.borrow();
        written.get(of).copied().unwrap_or_default()
    }
}
