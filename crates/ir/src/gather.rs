//! Describes AscendC `GatherMask` calls and the steps around them.

use a2lint_isa::masks::gather::{Extent, FixedPattern, Gather};
use a2lint_isa::masks::{Element, Target, Targets};
use a2lint_source::text::Span;

/// The functions of one file that call `GatherMask`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unit {
    /// The products (targets) that the file is compiled for.
    pub targets: Targets,
    /// Functions with `GatherMask`, in source order.
    pub functions: Vec<Function>,
}

/// One function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Function {
    /// The name of the function.
    pub name: String,
    /// The name where it is defined.
    pub name_span: Span,
    /// The steps of the function, in source order.
    pub steps: Vec<Step>,
    /// For each branch and loop (region) the region around it; the first region is the function and its own
    /// parent.
    pub regions: Vec<usize>,
    /// Whether the file states that the compiler does not synchronise vector instructions (`a2lint: auto-sync
    /// off`).
    pub without_compiler: bool,
}

/// One step of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The whole call.
    pub span: Span,
    /// The region around the step.
    pub region: usize,
    /// The kind of the step.
    pub kind: StepKind,
}

/// The kind of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum StepKind {
    /// `GatherMask`.
    Gather(Box<GatherCall>),
    /// A vector instruction with these tensors, the written one first.
    Vector {
        /// The name of the instruction.
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
    /// A call that sets the mask mode, or resets the mask.
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

/// The mask mode that a call sets.
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
    /// The place of `reduceMode` and `mask` if their arguments are interchanged.
    pub swapped: Option<Span>,
    /// The pattern that selects elements.
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

/// The pattern that selects elements.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// A number, if it is known.
    Fixed(Option<i64>),
    /// A tensor.
    Tensor(Tensor),
    /// A fixed pattern or a tensor; which of them is unknown.
    Unknown,
}

/// A number as written.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Number {
    /// The place of the number.
    pub span: Span,
    /// The value of the number.
    pub value: Option<i64>,
    /// Whether a wider value was truncated to eight bits by a conversion in the source.
    pub narrowed: bool,
    /// The written value, where the field is too narrow for it.
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
    /// The type of the variable; `None` where it is not known.
    pub ty: Option<Element>,
    /// Whether the function reads it after the call.
    pub used: bool,
}

/// A local tensor as an operand.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// The place of the operand.
    pub span: Span,
    /// As written.
    pub text: String,
    /// Element type.
    pub element: Option<Element>,
    /// The number of the memory that the tensor views; tensors with equal numbers share memory.
    pub memory: Option<usize>,
    /// The offset of the first byte in that memory.
    pub offset: Offset,
    /// The size of that memory in bytes.
    pub bytes: Option<i64>,
    /// Position of the memory, `VECIN`.
    pub position: Option<String>,
    /// Where the memory is declared.
    pub declared: Option<Span>,
}

/// A byte offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offset {
    /// An offset in bytes.
    Known(i64),
    /// An offset in elements whose type is not known.
    Elements(i64),
    /// An offset that contains the count of elements that a gather keeps: any number.
    Running,
    /// Not known.
    Unknown,
}

impl Tensor {
    /// Returns the offset in bytes, if it is known.
    pub fn start(&self) -> Option<i64> {
        match self.offset {
            Offset::Known(start) => Some(start),
            _ => None,
        }
    }

    /// Returns the offset in bytes for elements of this size, if it is known.
    pub fn start_for(&self, element_bytes: i64) -> Option<i64> {
        match self.offset {
            Offset::Known(start) => Some(start),
            Offset::Elements(count) => count.checked_mul(element_bytes),
            Offset::Running | Offset::Unknown => None,
        }
    }

    /// Returns the number of whole elements from the start of the tensor to the end of its memory.
    pub fn capacity(&self) -> Option<i64> {
        let bytes = self.bytes?.checked_sub(self.start()?)?;
        Some(bytes.div_euclid(self.element?.bytes()))
    }
}

impl GatherCall {
    /// Returns the element type of the source, or else of the destination.
    pub fn element(&self) -> Option<Element> {
        self.src.element.or(self.dst.element)
    }

    /// Returns the number of repeats, if it is known.
    pub fn repeats(&self) -> Option<i64> {
        self.params?.repeats.value
    }

    /// Returns the fixed pattern; `None` for a pattern tensor or an unknown number.
    pub fn fixed(&self) -> Option<FixedPattern> {
        match self.pattern {
            Pattern::Fixed(number) => FixedPattern::new(number?),
            _ => None,
        }
    }

    /// Returns the pattern tensor.
    pub fn tensor(&self) -> Option<&Tensor> {
        match &self.pattern {
            Pattern::Tensor(tensor) => Some(tensor),
            _ => None,
        }
    }

    /// Returns a lower bound of what the first repeat reads, for elements of `element_bytes` bytes: strides
    /// that are not known count as 0.
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

    /// Returns the parameters of the instruction on one target; `None` where one that it needs is not known.
    pub fn resolve(&self, target: Target) -> Option<Gather> {
        let params = self.params?;
        // A value that is wider than its field reaches the instruction truncated, so it counts as unknown.
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
    /// Returns whether one of two regions encloses the other, so that one execution can run the code of both.
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

    /// Returns the calls of `GatherMask` with their indices among the steps.
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
