//! AscendC `GatherMask` calls and what happens around them.

use a2lint_isa::masks::gather::{Extent, FixedPattern, Gather};
use a2lint_isa::masks::{Element, Target, Targets};
use a2lint_source::text::Span;

/// What one file gathers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unit {
    /// What it is meant for.
    pub targets: Targets,
    /// Functions with `GatherMask`, in source order.
    pub functions: Vec<Function>,
}

/// One function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The name where it is defined.
    pub name_span: Span,
    /// What happens, in source order.
    pub steps: Vec<Step>,
    /// For every branch and loop the one around it; the first, the function, is its own.
    pub regions: Vec<usize>,
    /// Whether the file says that the compiler orders no vector instructions.
    pub without_compiler: bool,
}

/// Something that happens.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The whole call.
    pub span: Span,
    /// The region it stands in.
    pub region: usize,
    /// What it is.
    pub kind: StepKind,
}

/// What happens.
#[derive(Clone, Debug, PartialEq)]
pub enum StepKind {
    /// `GatherMask`.
    Gather(Box<GatherCall>),
    /// A vector instruction with these tensors, the written one first.
    Vector {
        /// Its name.
        name: String,
        /// Tensor operands.
        operands: Vec<Tensor>,
        /// Whether it leaves the vector mask as it is (`isSetMask = false`).
        keeps_mask: bool,
    },
    /// `DataCopy` or `DataCopyPad`.
    Copy {
        /// The source, if it is a local tensor.
        source: Option<Tensor>,
        /// Constant number of elements.
        count: Option<i64>,
        /// The count as written, with its place.
        count_span: Option<Span>,
    },
    /// `GetValue` of a tensor.
    ScalarRead(Tensor),
    /// A barrier or event that the vector pipe takes part in.
    Sync(Sync),
    /// The mask mode is set, or the mask reset.
    MaskMode(MaskMode),
    /// Code that is not known; it may synchronise and set masks.
    Unknown,
}

/// Synchronisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sync {
    /// `PipeBarrier<PIPE_V>` or `PIPE_ALL`.
    VectorBarrier,
    /// `WaitFlag<HardEvent::V_S>` and the like.
    Event,
}

/// What sets the mask mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaskMode {
    /// `SetMaskCount`.
    Counter,
    /// `SetMaskNorm`, `ResetMask`.
    Normal,
}

/// A `GatherMask` call.
#[derive(Clone, Debug, PartialEq)]
pub struct GatherCall {
    /// Number of arguments.
    pub arity: usize,
    /// The name.
    pub name_span: Span,
    /// Destination.
    pub dst: Tensor,
    /// Source.
    pub src: Tensor,
    /// A template argument that is reserved.
    pub reserved: Option<Span>,
    /// The places of `reduceMode` and `mask`, where each was given what the other takes.
    pub swapped: Option<Span>,
    /// What selects.
    pub pattern: Pattern,
    /// Place of the pattern.
    pub pattern_span: Span,
    /// `reduceMode`.
    pub counter: Option<bool>,
    /// `mask`, with its place.
    pub mask: Option<Number>,
    /// The structure of strides.
    pub params: Option<Params>,
    /// `rsvdCnt`.
    pub count: Option<Count>,
}

/// What selects.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// A number, if it is known.
    Fixed(Option<i64>),
    /// A tensor.
    Tensor(Tensor),
    /// Either.
    Unknown,
}

/// A number as written.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Number {
    /// Its place.
    pub span: Span,
    /// Its value.
    pub value: Option<i64>,
    /// Whether a value that needs more was cut to eight bits on its way.
    pub narrowed: bool,
    /// The value that was written, where the field does not hold it.
    pub cut: Option<i64>,
    /// Whether the author wrote it; otherwise it is the default.
    pub written: bool,
}

/// `GatherMaskParams`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Params {
    /// Place of the argument.
    pub span: Span,
    /// `src0BlockStride`.
    pub block_stride: Number,
    /// `repeatTimes`.
    pub repeats: Number,
    /// `src0RepeatStride`.
    pub repeat_stride: Number,
    /// `src1RepeatStride`.
    pub pattern_stride: Number,
}

/// `rsvdCnt`.
#[derive(Clone, Debug, PartialEq)]
pub struct Count {
    /// Place of the argument.
    pub span: Span,
    /// As written.
    pub name: String,
    /// Where it is declared.
    pub declared: Option<Span>,
    /// Its type; `None` where it is not known.
    pub ty: Option<Element>,
    /// Whether the function looks at it after the call.
    pub used: bool,
}

/// A local tensor as an operand.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// Its place.
    pub span: Span,
    /// As written.
    pub text: String,
    /// Element type.
    pub element: Option<Element>,
    /// The memory behind it: equal numbers are the same memory.
    pub memory: Option<usize>,
    /// First byte in that memory.
    pub offset: Offset,
    /// Bytes of that memory.
    pub bytes: Option<i64>,
    /// Position of the memory, `VECIN`.
    pub position: Option<String>,
    /// Where the memory is declared.
    pub declared: Option<Span>,
}

/// A byte offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offset {
    /// So many bytes.
    Known(i64),
    /// So many elements of a type that is not known.
    Elements(i64),
    /// A count of kept elements: any number.
    Running,
    /// Not known.
    Unknown,
}

impl Tensor {
    /// Byte offset, if it is known.
    pub fn start(&self) -> Option<i64> {
        match self.offset {
            Offset::Known(start) => Some(start),
            _ => None,
        }
    }

    /// Byte offset for elements of this size.
    pub fn start_for(&self, element_bytes: i64) -> Option<i64> {
        match self.offset {
            Offset::Known(start) => Some(start),
            Offset::Elements(count) => count.checked_mul(element_bytes),
            Offset::Running | Offset::Unknown => None,
        }
    }

    /// Whole elements from the start to the end of the memory.
    pub fn capacity(&self) -> Option<i64> {
        let bytes = self.bytes?.checked_sub(self.start()?)?;
        Some(bytes.div_euclid(self.element?.bytes()))
    }
}

impl GatherCall {
    /// The element type, of either tensor.
    pub fn element(&self) -> Option<Element> {
        self.src.element.or(self.dst.element)
    }

    /// Number of repeats, if it is known.
    pub fn repeats(&self) -> Option<i64> {
        self.params?.repeats.value
    }

    /// The fixed pattern, if it is one and known.
    pub fn fixed(&self) -> Option<FixedPattern> {
        match self.pattern {
            Pattern::Fixed(number) => FixedPattern::new(number?),
            _ => None,
        }
    }

    /// The pattern tensor.
    pub fn tensor(&self) -> Option<&Tensor> {
        match &self.pattern {
            Pattern::Tensor(tensor) => Some(tensor),
            _ => None,
        }
    }

    /// What the first repeat takes, as far as it surely does, for elements of one size: what is not
    /// known is left out.
    pub fn at_least(&self, element_bytes: u64) -> Option<Gather> {
        let params = self.params?;
        let extent = match self.counter? {
            false => Extent::Normal { repeats: 1 },
            true => Extent::PerRepeat {
                repeats: 1,
                count: u64::from(u32::try_from(self.mask?.value?).ok()?),
            },
        };
        let block_stride = params
            .block_stride
            .value
            .and_then(|blocks| u64::try_from(blocks).ok());
        (params.repeats.value != Some(0)).then(|| Gather {
            element_bytes,
            extent,
            // Without a stride the first block is what is surely read.
            block_stride: block_stride.unwrap_or(0),
            repeat_stride: 0,
            pattern_stride: 0,
        })
    }

    /// The instruction in numbers on one target; `None` where any that it needs is not known.
    pub fn resolve(&self, target: Target) -> Option<Gather> {
        let params = self.params?;
        // What a field of the structure cannot hold is not what the instruction gets.
        let natural = |number: Number, bits: u32| {
            let value = u64::try_from(number.value?).ok()?;
            (value >> bits == 0).then_some(value)
        };
        let count = || natural(self.mask?, 32);
        let extent = match self.counter? {
            false => Extent::Normal {
                repeats: natural(params.repeats, 16)?,
            },
            true if target.counts_in_total() => Extent::Total { count: count()? },
            true => Extent::PerRepeat {
                repeats: natural(params.repeats, 16)?,
                count: count()?,
            },
        };
        // Strides that no second step uses need not be known.
        let gather = Gather {
            element_bytes: u64::try_from(self.element()?.bytes()).ok()?,
            extent,
            block_stride: 0,
            repeat_stride: 0,
            pattern_stride: 0,
        };
        if !matches!(gather.element_bytes, 1 | 2 | 4) {
            return None;
        }
        let one_repeat = gather.repeats() <= 1;
        let one_block = gather.length(0) <= gather.block();
        let stride = |number: Number, bits: u32, unused: bool| match unused {
            true => natural(number, bits).or(Some(0)),
            false => natural(number, bits),
        };
        Some(Gather {
            block_stride: stride(params.block_stride, 8, one_block)?,
            repeat_stride: stride(params.repeat_stride, 16, one_repeat)?,
            pattern_stride: stride(
                params.pattern_stride,
                8,
                one_repeat || self.fixed().is_some(),
            )?,
            ..gather
        })
    }
}

impl Function {
    /// Whether one of two regions lies in the other, so that their code can run one after the other.
    pub fn related(&self, one: usize, other: usize) -> bool {
        self.encloses(one, other) || self.encloses(other, one)
    }

    fn encloses(&self, outer: usize, mut inner: usize) -> bool {
        loop {
            if outer == inner {
                return true;
            }
            match self.regions.get(inner) {
                Some(&parent) if parent != inner => inner = parent,
                _ => return false,
            }
        }
    }

    /// Calls of `GatherMask` with their place among the steps.
    pub fn calls(&self) -> impl Iterator<Item = (usize, &Step, &GatherCall)> {
        self.steps
            .iter()
            .enumerate()
            .filter_map(|(at, step)| match &step.kind {
                StepKind::Gather(call) => Some((at, step, &**call)),
                _ => None,
            })
    }
}
