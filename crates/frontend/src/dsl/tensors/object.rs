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

/// The elements of one or several tensors.
#[derive(Debug)]
pub(in super::super) struct Storage {
    contents: Cell<TensorInit>,
    /// How often something has been written to it.
    version: Cell<u32>,
    /// Whether a tensor that points here may hold a copy instead: which one is written is not known.
    loose: Cell<bool>,
}

/// Which elements of its storage a tensor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    /// All of them, in their order.
    Whole,
    /// All of them, in another order.
    Reordered,
    /// Some of them, or some of them several times.
    Some,
}

/// What a tensor object is at the moment.
#[derive(Clone, Debug)]
pub(super) struct Face {
    /// Element type; `None` where it is not known, or none of the device's.
    pub dtype: Option<DType>,
    /// Extents; `None` where they are not known.
    pub shape: Option<Vec<i64>>,
    /// The name that each extent is spelled with.
    pub spelled: Vec<Option<String>>,
    part: Part,
    /// Whether its element type is another one than that of the storage.
    recast: bool,
    storage: Rc<Storage>,
}

/// A tensor of host code.
#[derive(Debug)]
pub(in super::super) struct HostTensor {
    pub library: Library,
    face: RefCell<Face>,
}

/// A state of a storage: equal ones hold the same elements.
#[derive(Clone, Debug)]
pub(in super::super) struct Version(Rc<Storage>, u32);

impl PartialEq for Version {
    fn eq(&self, other: &Version) -> bool {
        Rc::ptr_eq(&self.0, &other.0) && self.1 == other.1
    }
}

impl HostTensor {
    /// A tensor with a storage of its own.
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

    /// Its extents with their names.
    pub(super) fn extents(&self) -> (Option<Vec<i64>>, Vec<Option<String>>) {
        let face = self.face();
        (face.shape.clone(), face.spelled.clone())
    }

    /// Its elements, as far as they are known.
    pub fn contents(&self) -> TensorInit {
        let face = self.face();
        let contents = match (face.recast, face.storage.contents.get()) {
            (false, contents) => contents,
            (true, TensorInit::Full(value)) if value.to_bits() == 0 => TensorInit::Full(0.0),
            (true, TensorInit::Empty) => TensorInit::Empty,
            (true, _) => TensorInit::Computed,
        };
        match (face.part, contents) {
            (Part::Whole, contents) => contents,
            (_, TensorInit::Arange | TensorInit::Steps(..)) => TensorInit::Computed,
            (_, contents) => contents,
        }
    }

    /// The tensor as an argument of a launch.
    pub fn argument(&self) -> LaunchTensor {
        let (shape, spelled) = self.extents();
        LaunchTensor {
            dtype: self.dtype(),
            shape,
            spelled,
            init: self.contents(),
        }
    }

    /// Which state of which storage it shows, where it shows all of it.
    pub fn version(&self) -> Option<Version> {
        let face = self.face();
        let is_all = face.part == Part::Whole;
        is_all.then(|| Version(face.storage.clone(), face.storage.version.get()))
    }

    /// Whether it may hold a copy of what its storage holds, or the storage a copy of what it holds.
    pub fn is_loose(&self) -> bool {
        self.face().storage.loose.get()
    }

    /// A tensor of the same kind with a storage of its own.
    pub(super) fn fresh(
        &self,
        dtype: Option<DType>,
        extents: (Option<Vec<i64>>, Vec<Option<String>>),
        contents: TensorInit,
    ) -> Rc<HostTensor> {
        HostTensor::new(self.library, dtype, extents, contents)
    }

    /// A tensor with the same extents, and elements that are not known.
    pub fn computed(&self, dtype: Option<DType>) -> Rc<HostTensor> {
        self.fresh(dtype, self.extents(), TensorInit::Computed)
    }

    /// A tensor of which nothing but its library is known, and its element type where it is the same.
    pub(super) fn unknown(&self, dtype: Option<DType>) -> Rc<HostTensor> {
        self.fresh(dtype, (None, Vec::new()), TensorInit::Computed)
    }

    /// A copy of its elements.
    pub(super) fn copy(&self) -> Rc<HostTensor> {
        self.fresh(self.dtype(), self.extents(), self.contents())
    }

    /// A view of its elements, in other extents.
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

    /// A view or a copy, whichever the library makes.
    pub(super) fn view_or_copy(
        &self,
        extents: (Option<Vec<i64>>, Vec<Option<String>>),
        part: Part,
    ) -> Rc<HostTensor> {
        self.face().storage.loose.set(true);
        self.view(extents, part)
    }

    /// The same elements as a tensor of another library.
    pub(super) fn of_library(&self, library: Library) -> Rc<HostTensor> {
        Rc::new(HostTensor {
            library,
            face: RefCell::new(self.face().clone()),
        })
    }

    /// The bytes of its elements as elements of another type. The last extent grows or shrinks with their size.
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

    /// Whether its elements stand one after the other.
    pub(super) fn is_contiguous(&self) -> bool {
        self.face().part == Part::Whole
    }

    /// Writes all of its elements; `None` where what they become is not known.
    pub(super) fn fill(&self, contents: Option<TensorInit>) {
        let face = self.face();
        let contents = contents.unwrap_or(TensorInit::Computed);
        let is_known = !face.recast && !face.storage.loose.get();
        let contents = match (is_known, face.part, contents) {
            (true, Part::Whole, contents) => contents,
            (true, Part::Reordered, contents) if !in_order(contents) => contents,
            (true, Part::Some, TensorInit::Full(value))
                if face.storage.contents.get() == TensorInit::Full(value) =>
            {
                contents
            }
            _ => TensorInit::Computed,
        };
        face.storage.write(contents);
    }

    /// Writes some of its elements.
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

    /// Writes the result of an operation that is done in place.
    pub fn update(&self, result: Option<Value>) {
        let contents = match result {
            Some(Value::HostTensor(result)) => {
                let is_same = result.dtype().is_some()
                    && result.dtype() == self.dtype()
                    && result.shape() == self.shape();
                is_same.then(|| result.contents())
            }
            _ => None,
        };
        self.fill(contents);
    }

    /// Takes it that code which is not known may have written to its elements.
    pub fn expose(&self) {
        self.face().storage.write(TensorInit::Computed);
    }

    /// Takes it that the object has other extents from here on.
    pub(super) fn reshape_in_place(
        &self,
        extents: (Option<Vec<i64>>, Vec<Option<String>>),
        part: Part,
    ) {
        let mut face = self.face.borrow_mut();
        (face.shape, face.spelled) = extents;
        face.part = face.part.max(part);
    }

    /// Takes it that the object is anything from here on: other extents, another type, another storage.
    pub fn forget(&self) {
        self.expose();
        let mut face = self.face.borrow_mut();
        (face.dtype, face.shape, face.spelled) = (None, None, Vec::new());
        face.part = Part::Some;
        face.recast = true;
        face.storage.loose.set(true);
    }

    /// The same elements converted to another type, in a storage of their own.
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

/// Whether contents say which element stands where.
fn in_order(contents: TensorInit) -> bool {
    matches!(contents, TensorInit::Arange | TensorInit::Steps(..))
}
