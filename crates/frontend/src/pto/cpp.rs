//! Tiles in C++.

mod instructions;

use super::names::{is_harmless, is_tile_instruction, makes_view, pipe, takes_from_pipe};
use super::types::from_template;
use crate::cpp::{Call, ClassFacts, Dialect, Environment, Role, Site, Sources, root, walk};
use a2lint_ir::NotAnalysed;
use a2lint_ir::tile::{
    Address, EventType, Function, Operand, Region, Step, StepKind, Sync, Tile, Unit, Valid,
};
use a2lint_isa::masks::{Target, Targets};
use a2lint_project::Project;
use a2lint_source::text::{Slice, Span};
use a2lint_syntax::cpp::{self, Declarator, Expr, ExprKind, Init, Path};

/// Devices with tiles.
pub(super) const DEVICES: &[Target] = &[Target::A2A3, Target::A5, Target::Kirin];

/// Words of which every function with tiles contains at least one.
const MARKERS: &[&str] = &["TSEL", "TCMP", "TASSIGN", "Tile<", "Event<"];

/// Returns the tiles of a C++ file.
pub fn from_cpp(sources: &Sources<'_>) -> (Unit, Vec<NotAnalysed>) {
    let text = sources.text();
    let mut targets = Targets::of(Target::named_in(text), sources.folders.as_deref(), DEVICES);
    if text.contains("__CPU_SIM") {
        targets.add(Target::Cpu);
    }
    let mut tiles = Tiles {
        text,
        auto: text.contains("#define __PTO_AUTO__"),
        inside: false,
        current: Function::default(),
        objects: Vec::new(),
        functions: Vec::new(),
    };
    let gaps = walk(sources, &targets, &mut tiles);
    let unit = Unit {
        targets,
        functions: tiles.functions,
        ..Unit::default()
    };
    (unit, gaps)
}

/// Returns the instructions that the project's tile library takes without a scratch tile; none if the library is not
/// part of the project.
pub fn without_scratch(project: &Project) -> Vec<&'static str> {
    let header = project.root.join(LIBRARY);
    let Some(header) = project.files.text(&project.root, &header) else {
        return Vec::new();
    };
    let is_without = |name: &&str| {
        let declared = format!("RecordEvent {name}(");
        // Overloads differ: an instruction needs no scratch tile only if no overload names one.
        let heads = header.as_str().split(&declared).skip(1);
        let mut heads = heads.filter_map(|rest| rest.split(')').next()).peekable();
        heads.peek().is_some() && heads.all(|head| !head.contains("tmp"))
    };
    ["TSEL", "TSELS"].into_iter().filter(is_without).collect()
}

/// The header that declares the instructions of the tile library.
const LIBRARY: &str = "include/pto/common/pto_instr.hpp";

/// Returns whether `__global__` precedes the name of a function.
fn is_entry(text: &str, name: Span) -> bool {
    let before = text.get(..name.start as usize).unwrap_or("");
    let head = before
        .rfind([';', '}'])
        .map_or(before, |end| before.part(end..));
    head.contains("__global__")
}

/// The object that a name denotes.
enum Object {
    Tile(State),
    Event,
}

/// A tile at a point of its function.
struct State {
    tile: usize,
    valid: [Option<i64>; 2],
    address: Address,
}

struct Tiles<'a> {
    text: &'a str,
    /// Whether the build leaves placement to the compiler.
    auto: bool,
    inside: bool,
    current: Function,
    objects: Vec<Object>,
    functions: Vec<Function>,
}

impl<'a> Dialect<'a> for Tiles<'a> {
    fn concerns(&self, text: &str) -> bool {
        MARKERS.iter().any(|marker| text.contains(marker))
    }

    fn enter(
        &mut self,
        site: &mut Site<'a>,
        function: &cpp::Function<'a>,
        _: Option<&ClassFacts<'a>>,
    ) {
        self.inside = true;
        self.current = Function {
            name: site.name.clone(),
            name_span: function.name_span,
            entry: is_entry(self.text, function.name_span),
            ..Function::default()
        };
    }

    fn leave(&mut self, site: &mut Site<'a>, _: &cpp::Function<'a>) {
        self.inside = false;
        self.objects.clear();
        let mut function = std::mem::take(&mut self.current);
        function.regions = site
            .regions
            .iter()
            .map(|&parent| Region { parent })
            .collect();
        // With automatic placement the library inserts its own synchronisation.
        function.manual &= !self.auto;
        if !function.tiles.is_empty() || !function.events.is_empty() || !function.steps.is_empty() {
            self.functions.push(function);
        }
    }

    fn declare(
        &mut self,
        site: &mut Site<'a>,
        ty: &Path<'a>,
        declarator: &Declarator<'a>,
        role: Role,
    ) -> Option<usize> {
        if !self.inside {
            return None;
        }
        if ty.name() == "Event" {
            return Some(self.event(ty));
        }
        let tile_type = from_template(&site.env, ty)?;
        // An array or a pointer denotes several tiles, or one that is made elsewhere.
        if declarator.array || (declarator.indirect && role == Role::Local) {
            return None;
        }
        let arguments = constructor(declarator);
        let own = role == Role::Local && arguments.is_some();
        let constructed = constructed(&site.env, &tile_type.valid, arguments.unwrap_or(&[]));
        let valid = [0, 1].map(|axis| match tile_type.valid[axis] {
            Valid::Static(extent) => Some(extent),
            Valid::Dynamic => constructed[axis].map(|(extent, _)| extent),
            Valid::Unknown => None,
        });
        let address = match own {
            true => Address::Unassigned,
            false => Address::Unknown,
        };
        let state = State {
            tile: self.current.tiles.len(),
            valid,
            address,
        };
        self.current.tiles.push(Tile {
            name: declarator.name.to_owned(),
            span: declarator.span,
            ty: tile_type,
            constructed,
            own,
        });
        self.objects.push(Object::Tile(state));
        Some(self.objects.len() - 1)
    }

    fn call(&mut self, site: &mut Site<'a>, call: &Call<'a, '_>) {
        if let ExprKind::Member { object, name, .. } = &call.callee.kind {
            if let Some(index) = site.env.object(object) {
                self.method(&site.env, index, name, call.arguments);
            }
            // A method may change its arguments.
            let touched: Vec<_> = call.arguments.iter().filter_map(root).collect();
            self.forget(site, &touched);
            return;
        }
        let Some(path) = call.callee.path() else {
            return self.unknown(site, call);
        };
        let events = call.assigned || self.takes_event(site, call.arguments);
        let kind = match path.name() {
            "TSEL" => self.select(site, call.arguments),
            "TSELS" => self.select_scalar(site, call.arguments),
            "TCMP" | "TCMPS" => self.compare(site, path.name(), call.arguments),
            "TLOAD" => self.first(site, call.arguments).map(StepKind::Load),
            "TSTORE" | "TSTORE_FP" => {
                let tile = call.arguments.get(1);
                tile.map(|tile| StepKind::Store(self.operand(site, tile)))
            }
            "TASSIGN" => self.place(site, path, call),
            "TSYNC" => Some(StepKind::Sync(Sync::Other)),
            "set_flag" | "wait_flag" => self.flag(path.name(), call.arguments),
            "pipe_barrier" | "PipeBarrier" => Some(instructions::barrier(path, call.arguments)),
            name if is_tile_instruction(name) => {
                let touched = rebound(name, call.arguments);
                self.forget(site, &touched);
                Some(StepKind::Other(self.tiles_among(site, call.arguments)))
            }
            name if is_harmless(name) => return,
            _ => return self.unknown(site, call),
        };
        // With too few arguments the code does not compile, so there is nothing to report.
        if let Some(kind) = kind {
            self.step(site, call, path.name(), kind, events);
        }
    }

    fn assign(&mut self, site: &mut Site<'a>, target: &Expr<'a>, _: Option<&Expr<'a>>, _: Span) {
        // `tile.data() = other.data()` places the tile.
        let placed = match &target.kind {
            ExprKind::Call { callee, .. } => match &callee.kind {
                ExprKind::Member { object, .. } => &**object,
                _ => target,
            },
            _ => target,
        };
        let name: Vec<_> = root(placed).into_iter().collect();
        self.forget(site, &name);
    }

    fn changes(&self, callee: &Expr<'a>, arguments: &[Expr<'a>]) -> Vec<&'a str> {
        match &callee.kind {
            ExprKind::Member { object, name, .. } if name.starts_with("SetValid") => {
                root(object).into_iter().collect()
            }
            ExprKind::Path(path) => match path.name() {
                "TASSIGN" => arguments.first().and_then(root).into_iter().collect(),
                "set_flag" | "wait_flag" | "pipe_barrier" | "PipeBarrier" => Vec::new(),
                name if is_tile_instruction(name) => rebound(name, arguments),
                name if is_harmless(name) => Vec::new(),
                _ => arguments.iter().filter_map(root).collect(),
            },
            _ => arguments.iter().filter_map(root).collect(),
        }
    }

    fn forget(&mut self, site: &Site<'a>, names: &[&'a str]) {
        for name in names {
            let Some(crate::cpp::Entity::Object(index)) =
                site.env.get(name).map(|binding| &binding.entity)
            else {
                continue;
            };
            if let Some(Object::Tile(state)) = self.objects.get_mut(*index) {
                state.address = Address::Unknown;
                let ty = &self.current.tiles[state.tile].ty;
                for (axis, valid) in state.valid.iter_mut().enumerate() {
                    // Static valid extents are part of the type and cannot change.
                    if ty.valid[axis] == Valid::Dynamic {
                        *valid = None;
                    }
                }
            }
        }
    }
}

/// Returns the tiles that an instruction moves elsewhere: its first operand, or whatever a pipe fills.
fn rebound<'a>(name: &str, arguments: &[Expr<'a>]) -> Vec<&'a str> {
    let among = match name {
        _ if takes_from_pipe(name) => arguments,
        _ if makes_view(name) => &arguments[..arguments.len().min(1)],
        _ => &[],
    };
    among.iter().filter_map(root).collect()
}

/// Returns the arguments of the constructor; `None` if the tile is initialised as a copy.
fn constructor<'e, 'a>(declarator: &'e Declarator<'a>) -> Option<&'e [Expr<'a>]> {
    match &declarator.init {
        Init::Default => Some(&[]),
        Init::Arguments(list) => Some(list),
        Init::Value(value) => match &value.kind {
            ExprKind::Call {
                callee, arguments, ..
            } => {
                let made = callee.path()?;
                // `auto t = MaskT(16, 2)` and `MaskT t = MaskT(16, 2)`.
                let is_type = !made.name().starts_with(|first: char| first.is_lowercase());
                (is_type && !is_tile_instruction(made.name())).then_some(arguments.as_slice())
            }
            ExprKind::Braces(list) => Some(list),
            _ => None,
        },
    }
}

/// Returns the valid extents that the constructor receives: one for every dynamic axis.
fn constructed<'a>(
    env: &Environment<'a>,
    valid: &[Valid; 2],
    arguments: &[Expr<'a>],
) -> [Option<(i64, Span)>; 2] {
    let read = |at: usize| {
        let argument = arguments.get(at)?;
        Some((env.int64(argument)?, argument.span))
    };
    match (valid, arguments.len()) {
        ([Valid::Dynamic, Valid::Dynamic], 2) => [read(0), read(1)],
        ([Valid::Dynamic, _], 1) => [read(0), None],
        ([_, Valid::Dynamic], 1) => [None, read(0)],
        _ => [None, None],
    }
}

impl<'a> Tiles<'a> {
    fn event(&mut self, ty: &Path<'a>) -> usize {
        if let [source, destination] = ty.arguments.as_slice() {
            let end = |expr: &Expr<'a>| {
                let name = expr.path().map_or("", Path::name);
                (name.to_owned(), pipe(name))
            };
            self.current.events.push(EventType {
                span: ty.span,
                ends: [end(source), end(destination)],
            });
        }
        self.objects.push(Object::Event);
        self.objects.len() - 1
    }

    fn takes_event(&self, site: &Site<'a>, arguments: &[Expr<'a>]) -> bool {
        let objects = arguments
            .iter()
            .filter_map(|argument| site.env.object(argument));
        let mut known = objects.filter_map(|index| self.objects.get(index));
        known.any(|object| matches!(object, Object::Event))
    }

    fn step(
        &mut self,
        site: &Site<'a>,
        call: &Call<'a, '_>,
        name: &str,
        kind: StepKind,
        events: bool,
    ) {
        self.current.manual |= matches!(
            kind,
            StepKind::Assign(_) | StepKind::Sync(Sync::Set(..) | Sync::Wait(..))
        );
        self.current.steps.push(Step {
            span: call.expr.span,
            name: name.to_owned(),
            arguments: call.parentheses,
            region: site.region,
            events,
            kind,
        });
    }

    fn unknown(&mut self, site: &mut Site<'a>, call: &Call<'a, '_>) {
        let touched: Vec<_> = call.arguments.iter().filter_map(root).collect();
        self.forget(site, &touched);
        self.step(site, call, "", StepKind::Unknown, false);
    }

    fn method(&mut self, env: &Environment<'a>, index: usize, name: &str, arguments: &[Expr<'a>]) {
        let Some(Object::Tile(state)) = self.objects.get_mut(index) else {
            return;
        };
        let int = |at: usize| arguments.get(at).and_then(|argument| env.int64(argument));
        match name {
            "SetValidRow" => state.valid[0] = int(0),
            "SetValidCol" => state.valid[1] = int(0),
            "SetValidShape" => state.valid = [int(0), int(1)],
            _ => {}
        }
    }

    fn state(&self, site: &Site<'a>, expr: &Expr<'a>) -> Option<&State> {
        match self.objects.get(site.env.object(expr)?)? {
            Object::Tile(state) => Some(state),
            Object::Event => None,
        }
    }

    fn operand(&self, site: &Site<'a>, expr: &Expr<'a>) -> Operand {
        let text = self.text.get(expr.span.range()).unwrap_or("").to_owned();
        let unknown = Operand {
            span: expr.span,
            text,
            tile: None,
            ty: None,
            valid: [None, None],
            address: Address::Unknown,
        };
        match self.state(site, expr) {
            Some(state) => Operand {
                tile: Some(state.tile),
                ty: Some(self.current.tiles[state.tile].ty),
                valid: state.valid,
                address: state.address,
                ..unknown
            },
            None => unknown,
        }
    }

    fn first(&self, site: &Site<'a>, arguments: &[Expr<'a>]) -> Option<Operand> {
        Some(self.operand(site, arguments.first()?))
    }

    fn tiles_among(&self, site: &Site<'a>, arguments: &[Expr<'a>]) -> Vec<Operand> {
        let tiles = arguments
            .iter()
            .filter(|expr| self.state(site, expr).is_some());
        tiles.map(|expr| self.operand(site, expr)).collect()
    }
}
