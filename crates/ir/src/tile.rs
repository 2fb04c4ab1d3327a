//! Describes PTO tiles and the instructions that select by mask, from C++ and from assembly.

mod types;

pub use types::{Layout, Memory, TileType, Valid};

use a2lint_isa::masks::{Element, Targets};
use a2lint_source::text::Span;

/// The tile instructions of one file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unit {
    /// The products (targets) that the file is compiled for.
    pub targets: Targets,
    /// Instructions that the tile library of the project accepts without a scratch tile.
    pub without_scratch: Vec<&'static str>,
    /// Functions with tile instructions, in source order.
    pub functions: Vec<Function>,
}

/// One function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Function {
    /// The name of the function.
    pub name: String,
    /// The name where it is defined.
    pub name_span: Span,
    /// Whether it is a kernel: the host starts it, and no other function calls it.
    pub entry: bool,
    /// Whether it is PTO assembly.
    pub assembly: bool,
    /// Whether it assigns the addresses of its tiles itself.
    pub manual: bool,
    /// Tiles that it declares.
    pub tiles: Vec<Tile>,
    /// Event types that it declares.
    pub events: Vec<EventType>,
    /// The steps of the function, in source order.
    pub steps: Vec<Step>,
    /// Branches and loops; the first is the function itself.
    pub regions: Vec<Region>,
    /// The operations of assembly as written.
    pub texts: Vec<Text>,
}

/// A branch or loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Region {
    /// Index of the surrounding region; the outermost region is its own parent.
    pub parent: usize,
}

/// A declared tile.
#[derive(Clone, Debug, PartialEq)]
pub struct Tile {
    /// The name of the tile.
    pub name: String,
    /// The place of its declaration.
    pub span: Span,
    /// The type of the tile.
    pub ty: TileType,
    /// Rows and columns given to the constructor, with their places.
    pub constructed: [Option<(i64, Span)>; 2],
    /// Whether the function certainly declares the tile itself: it is neither a parameter nor a copy.
    pub own: bool,
}

/// An `Event<Source, Destination>`.
#[derive(Clone, Debug, PartialEq)]
pub struct EventType {
    /// Its place in the source.
    pub span: Span,
    /// The operation that sets it and the one that waits, with their pipes.
    pub ends: [(String, Option<TilePipe>); 2],
}

a2lint_isa::named! {
    /// Pipes as far as they matter here.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum TilePipe {
        S = "S",
        V = "V",
        M = "M",
        Mte1 = "MTE1",
        Mte2 = "MTE2",
        Mte3 = "MTE3",
        Fix = "FIX",
        All = "ALL",
    }
    /// Returns the spelling after `PIPE_`.
    fn name
}

impl TilePipe {
    /// Returns the pipe that `PIPE_V`, `V` and the like mean.
    pub fn from_name(text: &str) -> Option<Self> {
        let text = text.trim_matches('"');
        let name = text.strip_prefix("PIPE_").unwrap_or(text);
        TilePipe::ALL.into_iter().find(|pipe| pipe.name() == name)
    }
}

/// One step of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The whole instruction.
    pub span: Span,
    /// The name of the instruction as written.
    pub name: String,
    /// The arguments of the instruction, parentheses included.
    pub arguments: Span,
    /// The region around the step.
    pub region: usize,
    /// Whether it takes or returns an event object.
    pub events: bool,
    /// The kind of the step.
    pub kind: StepKind,
}

/// The kind of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum StepKind {
    /// `TSEL`.
    Select(Select),
    /// `TSELS` with a mask.
    SelectScalar {
        /// Written.
        dst: Operand,
        /// Packed bits.
        mask: Operand,
        /// Taken where the bit is set.
        src: Operand,
        /// Scratch.
        tmp: Option<Operand>,
    },
    /// `TCMP` and `TCMPS`.
    Compare(Compare),
    /// `TLOAD`.
    Load(Operand),
    /// `TSTORE`.
    Store(Operand),
    /// `TASSIGN`: the tile with its new address.
    Assign(Operand),
    /// Any other tile instruction, with its operands, the written one first.
    Other(Vec<Operand>),
    /// A flag, event or barrier.
    Sync(Sync),
    /// Code that is not known: it may synchronise, and place tiles.
    Unknown,
}

/// `TSEL`.
#[derive(Clone, Debug, PartialEq)]
pub struct Select {
    /// Written.
    pub dst: Operand,
    /// Packed bits.
    pub mask: Operand,
    /// Taken where the bit is set.
    pub src0: Operand,
    /// Taken where it is not.
    pub src1: Operand,
    /// Scratch.
    pub tmp: Option<Operand>,
}

/// `TCMP`, or `TCMPS` with a scalar.
#[derive(Clone, Debug, PartialEq)]
pub struct Compare {
    /// Packed bits.
    pub dst: Operand,
    /// Left side.
    pub src0: Operand,
    /// Right side; nothing for a scalar.
    pub src1: Option<Operand>,
    /// Mode, with its place.
    pub mode: Option<(CompareMode, Span)>,
}

a2lint_isa::named! {
    /// Comparison.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum CompareMode {
        Eq = "EQ",
        Ne = "NE",
        Lt = "LT",
        Le = "LE",
        Gt = "GT",
        Ge = "GE",
    }
    /// Returns the spelling in C++.
    fn name
}

impl CompareMode {
    /// Returns the mode of a spelling in either case.
    pub fn from_name(text: &str) -> Option<Self> {
        let mut all = CompareMode::ALL.into_iter();
        all.find(|mode| mode.name().eq_ignore_ascii_case(text))
    }
}

/// A tile as an operand, with what is known of it here.
#[derive(Clone, Debug, PartialEq)]
pub struct Operand {
    /// The place of the operand.
    pub span: Span,
    /// Its text in the source.
    pub text: String,
    /// Index of the declared tile.
    pub tile: Option<usize>,
    /// The type of the operand; `None` where it is not known.
    pub ty: Option<TileType>,
    /// Valid rows and columns.
    pub valid: [Option<i64>; 2],
    /// The address of the tile.
    pub address: Address,
}

/// The address of a tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Address {
    /// No address has been assigned so far.
    Unassigned,
    /// The address is not known.
    #[default]
    Unknown,
    /// At this byte of its memory; placed there.
    At(i64, Span),
}

/// Bytes of the largest memory of a core, L1.
const LARGEST_MEMORY: i64 = 512 << 10;

impl Operand {
    /// Returns the element type, if it is known.
    pub fn element(&self) -> Option<Element> {
        self.ty?.element
    }

    /// Returns the addresses of the first byte and past the last byte, if they are known.
    pub fn range(&self) -> Option<(i64, i64)> {
        let Address::At(start, _) = self.address else {
            return None;
        };
        let bytes = self.ty?.bytes()?;
        // A tile that is larger than every memory uses only its valid part, whose extents may be known only
        // at run time.
        let is_used_whole = bytes <= LARGEST_MEMORY || self.valid.iter().all(Option::is_some);
        Some((start, start.checked_add(bytes)?)).filter(|_| is_used_whole)
    }
}

/// Synchronisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sync {
    /// `set_flag`.
    Set(TilePipe, TilePipe),
    /// `wait_flag`.
    Wait(TilePipe, TilePipe),
    /// `pipe_barrier`.
    Barrier(TilePipe),
    /// Something else that orders pipes.
    Other,
}

/// An assembly operation as written.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// The whole operation.
    pub span: Span,
    /// The name of the operation without `pto.`.
    pub name: String,
    /// The form of the operation.
    pub form: Form,
    /// Operands without a preceding definition.
    pub undefined: Vec<Span>,
    /// Inputs.
    pub inputs: Vec<Span>,
    /// Types of the inputs; in the bare form the one type of all.
    pub input_types: Vec<TileType>,
    /// Results or outputs.
    pub outputs: Vec<Span>,
    /// Types of the results or outputs.
    pub output_types: Vec<TileType>,
}

/// Forms of an assembly operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `%d = tsel %m, %a, %b : T`.
    Bare,
    /// `%d = pto.tsel %m, %a, %b : (T, T, T) -> T`.
    Results,
    /// `pto.tsel ins(%m, %a, %b : T, T, T) outs(%d : T)`.
    InsOuts {
        /// Whether `outs` is there.
        outs: bool,
    },
}

impl Function {
    /// Returns whether one of two regions encloses the other, so that one execution can run the code of both.
    pub fn related(&self, one: usize, other: usize) -> bool {
        self.encloses(one, other) || self.encloses(other, one)
    }

    fn encloses(&self, outer: usize, mut inner: usize) -> bool {
        loop {
            if outer == inner {
                return true;
            }
            let Some(region) = self.regions.get(inner).filter(|r| r.parent != inner) else {
                return false;
            };
            inner = region.parent;
        }
    }
}

/// Lists the tile operands of a step, the written one first, by reference or by mutable reference.
macro_rules! listed {
    ($kind:expr, $iter:ident) => {
        match $kind {
            StepKind::Select(Select {
                dst,
                mask,
                src0,
                src1,
                tmp,
            }) => [dst, mask, src0, src1].into_iter().chain(tmp).collect(),
            StepKind::SelectScalar {
                dst,
                mask,
                src,
                tmp,
            } => [dst, mask, src].into_iter().chain(tmp).collect(),
            StepKind::Compare(Compare {
                dst, src0, src1, ..
            }) => [dst, src0].into_iter().chain(src1).collect(),
            StepKind::Load(tile) | StepKind::Store(tile) | StepKind::Assign(tile) => vec![tile],
            StepKind::Other(operands) => operands.$iter().collect(),
            StepKind::Sync(_) | StepKind::Unknown => Vec::new(),
        }
    };
}

impl StepKind {
    /// Returns the tile operands, the written one first.
    pub fn operands_mut(&mut self) -> Vec<&mut Operand> {
        listed!(self, iter_mut)
    }
}

impl Step {
    /// Returns the tile operands, the written one first.
    pub fn operands(&self) -> Vec<&Operand> {
        listed!(&self.kind, iter)
    }

    /// Returns the operands of instructions that select and compare, each with its role.
    pub fn parts(&self) -> Vec<(&'static str, &Operand)> {
        let names: &[&'static str] = match &self.kind {
            StepKind::Select(_) => &["dst", "mask", "src0", "src1", "tmp"],
            StepKind::SelectScalar { .. } => &["dst", "mask", "src", "tmp"],
            StepKind::Compare(_) => &["dst", "src0", "src1"],
            _ => &[],
        };
        names.iter().copied().zip(self.operands()).collect()
    }
}
