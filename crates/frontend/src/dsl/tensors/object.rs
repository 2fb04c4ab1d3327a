//! Tensors of host code as objects: several names, and several views, share one storage.

use std::cell::{Cell, Ref, RefCell};
use std::rc::Rc;

use super::contents::converted;
use crate::dsl::value::Value;
use a2lint_ir::{LaunchTensor, TensorInit};
use a2lint_isa::DType;

/// The library whose rules a tensor follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Library {
    Torch,
    Numpy,
}

/// The elements that one or several tensors share.
#[derive(Debug)]
pub(in super::super) struct Storage {
    contents: Cell<TensorInit>,
    /// Number of writes.
    version: Cell<u32>,
    /// Whether a tensor that refers to this storage may hold a copy instead, so that which elements a write changes
    /// is unknown.
    loose: Cell<bool>,
}

/// The elements of a storage that a tensor shows.
// Ordered, so that a view of a view shows the larger of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    /// All of them, in their order.
    Whole,
    /// All of them, in another order.
    Reordered,
    /// Some of them, or some of them several times.
    Some,
}

/// The current state of a tensor object.
#[derive(Clone, Debug)]
pub(super) struct Face {
    /// Element type; `None` if it is unknown, or no type of the device.
    pub dtype: Option<DType>,
    /// Extents; `None` if they are unknown.
    pub shape: Option<Vec<i64>>,
    /// The names with which the extents were written.
    pub spelled: Vec<Option<String>>,
    part: Part,
    /// Whether the element type differs from that of the storage.
    recast: bool,
    storage: Rc<Storage>,
}

/// A tensor of host code.
#[derive(Debug)]
pub(in super::super) struct HostTensor {
    pub library: Library,
    face: RefCell<Face>,
}

/// A state of a storage: equal versions hold the same elements.
#[derive(Clone, Debug)]
pub(in super::super) struct Version(Rc<Storage>, u32);

impl PartialEq for Version {
    fn eq(&self, other: &Version) -> bool {
        Rc::ptr_eq(&self.0, &other.0) && self.1 == other.1
    }
}

impl HostTensor {
    /// Creates a tensor with a storage of its own.
    pub fn new(
        library: Library,
        dtype: Option<DType>,
        (shape, spelled): (Option<Vec<i64>>, Vec<Option<String>>),
        contents: TensorInit,
    ) -> Rc<HostTensor> {
        let storage = Storage {
            contents: Cell::new(contents),
            version: Cell::new(0),
            loose: Cell::new(false),
        };
        let face = Face {
            dtype,
            shape,
            spelled,
            part: Part::Whole,
            recast: false,
            storage: Rc::new(storage),
        };
        Rc::new(HostTensor {
            library,
            face: RefCell::new(face),
        })
    }

    pub(super) fn face(&self) -> Ref<'_, Face> {
        self.face.borrow()
    }

    pub fn dtype(&self) -> Option<DType> {
        self.face().dtype
    }

    pub fn shape(&self) -> Option<Vec<i64>> {
        self.face().shape.clone()
    }

    pub fn rank(&self) -> Option<usize> {
        self.face().shape.as_ref().map(Vec::len)
    }

    /// Returns the extents with their names.
    pub(super) fn extents(&self) -> (Option<Vec<i64>>, Vec<Option<String>>) {
        let face = self.face();
        (face.shape.clone(), face.spelled.clone())
    }

    /// Returns the contents of the elements, as far as they are known.
    pub fn contents(&self) -> TensorInit {
        let face = self.face();
        let contents = match (face.recast, face.storage.contents.get()) {
            (false, contents) => contents,
            // The bit pattern of +0.0 is zero in every type; -0.0 is not.
            (true, TensorInit::Full(value)) if value.to_bits() == 0 => TensorInit::Full(0.0),
            (true, TensorInit::Empty) => TensorInit::Empty,
            (true, _) => TensorInit::Computed,
        };
        match (face.part, contents) {
            (Part::Whole, contents) => contents,
            // The sequence is in the order of the storage, not in that of the view.
            (_, TensorInit::Arange | TensorInit::Steps(..)) => TensorInit::Computed,
            (_, contents) => contents,
        }
    }

    /// Returns the tensor as an argument of a launch.
    pub fn argument(&self) -> LaunchTensor {
        let (shape, spelled) = self.extents();
        LaunchTensor {
            dtype: self.dtype(),
            shape,
            spelled,
            init: self.contents(),
        }
    }

    /// Returns the storage and its version if the tensor shows all of it.
    pub fn version(&self) -> Option<Version> {
        let face = self.face();
        let is_all = face.part == Part::Whole;
        is_all.then(|| Version(face.storage.clone(), face.storage.version.get()))
    }

    /// Returns whether the tensor may be a copy of its storage, or the storage a copy of it.
    pub fn is_loose(&self) -> bool {
        self.face().storage.loose.get()
    }

    /// Creates a tensor of the same library with a storage of its own.
    pub(super) fn fresh(
        &self,
        dtype: Option<DType>,
        extents: (Option<Vec<i64>>, Vec<Option<String>>),
        contents: TensorInit,
    ) -> Rc<HostTensor> {
        HostTensor::new(self.library, dtype, extents, contents)
    }

    /// Creates a tensor with the same extents and unknown elements.
    pub fn computed(&self, dtype: Option<DType>) -> Rc<HostTensor> {
        self.fresh(dtype, self.extents(), TensorInit::Computed)
    }

    /// Creates a tensor of which only the library and perhaps the element type are known.
    pub(super) fn unknown(&self, dtype: Option<DType>) -> Rc<HostTensor> {
        self.fresh(dtype, (None, Vec::new()), TensorInit::Computed)
    }

    /// Copies the elements.
    pub(super) fn copy(&self) -> Rc<HostTensor> {
        self.fresh(self.dtype(), self.extents(), self.contents())
    }

    /// Creates a view of the elements in other extents.
    pub(super) fn view(
        &self,
        (shape, spelled): (Option<Vec<i64>>, Vec<Option<String>>),
        part: Part,
    ) -> Rc<HostTensor> {
        let face = self.face();
        let face = Face {
            shape,
            spelled,
            part: face.part.max(part),
            ..face.clone()
        };
        Rc::new(HostTensor {
            library: self.library,
            face: RefCell::new(face),
        })
    }

    /// Creates a view for an operation that may also copy, and marks the storage as loose.
    pub(super) fn view_or_copy(
        &self,
        extents: (Option<Vec<i64>>, Vec<Option<String>>),
        part: Part,
    ) -> Rc<HostTensor> {
        self.face().storage.loose.set(true);
        self.view(extents, part)
    }

    /// Returns the same elements as a tensor of another library.
    pub(super) fn of_library(&self, library: Library) -> Rc<HostTensor> {
        Rc::new(HostTensor {
            library,
            face: RefCell::new(self.face().clone()),
        })
    }

    /// Reinterprets the bytes of the elements as another type; the last extent is scaled by the sizes.
    pub(super) fn reinterpreted(&self, dtype: Option<DType>) -> Rc<HostTensor> {
        let (shape, mut spelled) = self.extents();
        let shape = shape
            .zip(self.dtype().zip(dtype))
            .and_then(|(mut shape, (from, to))| {
                let last = shape.last_mut()?;
                let bytes = last.checked_mul(from.bits())?;
                if from.bits() != to.bits() {
                    spelled
                        .iter_mut()
                        .next_back()
                        .into_iter()
                        .for_each(|name| *name = None);
                }
                // The last extent must hold a whole number of the new elements.
                *last = (bytes % to.bits() == 0).then_some(bytes / to.bits())?;
                Some(shape)
            });
        let is_recast = self.dtype().is_none() || self.dtype() != dtype;
        let result = self.view((shape, spelled), Part::Whole);
        {
            let mut face = result.face.borrow_mut();
            face.dtype = dtype;
            face.recast |= is_recast;
        }
        result
    }

    /// Returns whether the elements are in the order of the storage.
    pub(super) fn is_contiguous(&self) -> bool {
        self.face().part == Part::Whole
    }

    /// Writes all elements; `None` for unknown contents.
    pub(super) fn fill(&self, contents: Option<TensorInit>) {
        let face = self.face();
        let contents = contents.unwrap_or(TensorInit::Computed);
        // A loose storage may not be written at all, so its contents are unknown afterwards.
        let is_known = !face.recast && !face.storage.loose.get();
        let contents = match (is_known, face.part, contents) {
            (true, Part::Whole, contents) => contents,
            (true, Part::Reordered, contents) if !in_order(contents) => contents,
            // Part of the storage is written with what the whole holds already.
            (true, Part::Some, TensorInit::Full(value))
                if face.storage.contents.get() == TensorInit::Full(value) =>
            {
                contents
            }
            _ => TensorInit::Computed,
        };
        face.storage.write(contents);
    }

    /// Writes some of the elements.
    pub(super) fn fill_part(&self, contents: Option<TensorInit>) {
        let face = self.face();
        let same = !face.recast
            && matches!(contents, Some(TensorInit::Full(_)))
            && contents == Some(face.storage.contents.get());
        face.storage.write(match contents {
            Some(contents) if same => contents,
            _ => TensorInit::Computed,
        });
    }

    /// Writes the result of an in-place operation.
    pub fn update(&self, result: Option<Value>) {
        let contents = match result {
            Some(Value::HostTensor(result)) => {
                // The in-place operation keeps type and shape; another result would have been converted or broadcast.
                let is_same = result.dtype().is_some()
                    && result.dtype() == self.dtype()
                    && result.shape() == self.shape();
                is_same.then(|| result.contents())
            }
            _ => None,
        };
        self.fill(contents);
    }

    /// Handles unknown code that may have written to the elements.
    pub fn expose(&self) {
        self.face().storage.write(TensorInit::Computed);
    }

    /// Gives the object other extents.
    pub(super) fn reshape_in_place(
        &self,
        extents: (Option<Vec<i64>>, Vec<Option<String>>),
        part: Part,
    ) {
        let mut face = self.face.borrow_mut();
        (face.shape, face.spelled) = extents;
        face.part = face.part.max(part);
    }

    /// Makes the object unknown: its extents, type and storage.
    pub fn forget(&self) {
        self.expose();
        let mut face = self.face.borrow_mut();
        (face.dtype, face.shape, face.spelled) = (None, None, Vec::new());
        face.part = Part::Some;
        face.recast = true;
        face.storage.loose.set(true);
    }

    /// Converts the elements to another type, in a storage of their own.
    pub(super) fn converted(&self, dtype: Option<DType>) -> Rc<HostTensor> {
        let (shape, spelled) = self.extents();
        let count = shape.as_deref().and_then(super::shapes::elements);
        let contents = converted(self.contents(), self.dtype(), dtype, count);
        self.fresh(dtype, (shape, spelled), contents)
    }
}

impl Storage {
    fn write(&self, contents: TensorInit) {
        self.contents.set(contents);
        self.version.set(self.version.get() + 1);
    }
}

/// Returns whether contents depend on the position of an element.
fn in_order(contents: TensorInit) -> bool {
    matches!(contents, TensorInit::Arange | TensorInit::Steps(..))
}
