//! Classes: members by name, instances, and their layout in cells and bytes.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Eval;
use super::frame::inner_context;
use super::functions::names_constructors;
use super::names::{Context, ContextKind, Ctx, Entities, Entity, Found, declared, inline_type};
use super::types::{ClassId, Kind, TemplateArg, TemplateId, Ty};
use super::values::{CellId, FunctionId};
use crate::library::Evaluated;
use crate::syntax::ast::{
    Class, Function, FunctionKind, Name, Packing, Path, Stmt, StmtKind, Type, TypeKind, Variable,
};

/// The members of a class definition.
#[derive(Debug, Default)]
pub(crate) struct Members<'u> {
    pub names: FxHashMap<Name, Entities<'u>>,
    pub fields: Vec<&'u Variable>,
    pub constructors: Vec<&'u Function>,
    pub destructor: Option<&'u Function>,
    pub conversions: Vec<&'u Function>,
    /// `using Base::member;`
    pub usings: Vec<&'u Path>,
    /// Whether one of them names the constructors of a base.
    pub inherits_constructors: bool,
    pub has_virtual: bool,
    /// Whether it has a constructor that copies or moves.
    pub copies: bool,
    /// Whether it has an operator that assigns its own type.
    pub assigns: bool,
}

/// A class.
#[derive(Debug)]
pub(crate) struct ClassInfo<'u> {
    pub decl: &'u Class,
    pub name: Name,
    /// The template it is an instance of, and its arguments.
    pub template: Option<TemplateId>,
    pub arguments: Vec<TemplateArg>,
    /// The scope of its members.
    pub context: Ctx<'u>,
    pub members: Rc<Members<'u>>,
    pub progress: Progress,
    pub bases: Vec<Base>,
    pub fields: Vec<Field<'u>>,
    pub layout: ClassLayout,
}

/// The progress of the layout of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    Declared,
    Underway,
    Complete,
}

/// The layout of a class: sizes and offsets.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ClassLayout {
    /// Number of cells of an object.
    pub cells: u32,
    /// Size in bytes; `None` if the size of a member is unknown.
    pub size: Option<u64>,
    /// The size without padding at the end, which members of derived classes may use.
    data_size: u64,
    pub align: u64,
    pub has_virtual: bool,
    is_empty: bool,
    is_pod: bool,
    /// Whether members may differ in who may access them, which decides whether derived classes use the padding.
    has_sections: bool,
    pub has_destructor: bool,
    pub copies: bool,
    pub assigns: bool,
}

/// A base class.
#[derive(Clone, Debug)]
pub(crate) struct Base {
    pub class: ClassId,
    /// Number of cells before it in the object.
    pub cell: u32,
}

/// A data member.
#[derive(Clone, Debug)]
pub(crate) struct Field<'u> {
    pub name: Name,
    pub ty: Ty,
    pub cell: u32,
    pub byte: u64,
    pub decl: &'u Variable,
}

impl<'u> Eval<'u> {
    /// Returns the members of a class definition.
    pub(crate) fn members_of(&mut self, class: &'u Class) -> Rc<Members<'u>> {
        let key = std::ptr::from_ref(class) as usize;
        if let Some(known) = self.members.get(&key) {
            return known.clone();
        }
        let own_name = class_name(class);
        let mut members = Members::default();
        for item in class.members.as_deref().unwrap_or_default() {
            add_member(&mut members, item, &own_name);
        }
        let members = Rc::new(members);
        self.members.insert(key, members.clone());
        members
    }

    /// Returns the class of a definition that is no template, as seen from a scope.
    pub(crate) fn class_of(&mut self, decl: &'u Class, context: &Ctx<'u>) -> ClassId {
        self.class_instance(decl, decl, context, None, Vec::new(), &[])
    }

    /// Returns the class of a definition. `key` is the template that it specialises; `bound` are the arguments of its
    /// template header.
    pub(crate) fn class_instance(
        &mut self,
        key: &'u Class,
        decl: &'u Class,
        context: &Ctx<'u>,
        template: Option<TemplateId>,
        arguments: Vec<TemplateArg>,
        bound: &[(Name, TemplateArg)],
    ) -> ClassId {
        let mut all = arguments.clone();
        outer_arguments(context, &mut all);
        let key = (std::ptr::from_ref(key) as usize, all);
        if let Some(&known) = self.class_ids.get(&key) {
            return known;
        }
        let id = ClassId(self.classes.len() as u32);
        self.class_ids.insert(key, id);
        let outer = inner_context(context, bound);
        let members = self.members_of(decl);
        self.classes.push(ClassInfo {
            decl,
            name: class_name(decl),
            template,
            arguments,
            context: Rc::new(Context {
                parent: Some(outer),
                kind: ContextKind::Class(id),
            }),
            members,
            progress: Progress::Declared,
            bases: Vec::new(),
            fields: Vec::new(),
            layout: ClassLayout::default(),
        });
        id
    }

    /// Lays a class out. Its members are known afterwards.
    pub(crate) fn complete(&mut self, id: ClassId) -> Evaluated<()> {
        let info = &mut self.classes[id.index()];
        // A class may name itself while it is laid out, in the signature of a member for example.
        if info.progress != Progress::Declared {
            return Ok(());
        }
        info.progress = Progress::Underway;
        let (decl, context) = (info.decl, info.context.clone());
        let members = info.members.clone();
        self.nested(|eval| {
            eval.in_context(context, |eval| {
                for base in &decl.bases {
                    // Several classes share one object of it, which no cells have been laid out for.
                    if decl.has_virtual_base {
                        let what = "virtual base classes are not followed".to_owned();
                        eval.builder.note_unknown(base.span, what);
                        continue;
                    }
                    eval.add_base(id, base)?;
                }
                for &field in &members.fields {
                    // Bit fields hold fewer values than their type, and share bytes.
                    let ty = match field.is_bit_field {
                        true => Ty::unknown(),
                        false => eval.variable_type(field)?,
                    };
                    let name = field.name.clone();
                    let info = &mut eval.classes[id.index()];
                    info.fields.push(Field {
                        name,
                        ty,
                        cell: 0,
                        byte: 0,
                        decl: field,
                    });
                }
                eval.lay_out(id, &members)
            })
        })?;
        self.classes[id.index()].progress = Progress::Complete;
        let context = self.classes[id.index()].context.clone();
        for item in decl.members.as_deref().unwrap_or_default() {
            if let StmtKind::StaticAssert(condition) = &item.kind {
                self.in_context(context.clone(), |eval| eval.static_assert(condition))?;
            }
        }
        Ok(())
    }

    fn add_base(&mut self, id: ClassId, path: &'u Path) -> Evaluated<()> {
        let found = self.find_path(path)?;
        let arguments = path
            .segments
            .last()
            .and_then(|last| last.arguments.as_deref());
        let ty = self.found_type(found, arguments, path.span)?;
        match ty.map(|ty| ty.kind) {
            Some(Kind::Class(class)) if class != id => {
                self.complete(class)?;
                let info = &mut self.classes[id.index()];
                info.bases.push(Base { class, cell: 0 });
            }
            _ => {
                let what = format!("the base class `{}` is not known", path_text(path));
                self.builder.note_unknown(path.span, what);
            }
        }
        Ok(())
    }

    /// Lays out base classes and members as the Itanium ABI does for single inheritance.
    fn lay_out(&mut self, id: ClassId, members: &Members<'u>) -> Evaluated<()> {
        let mut layout = ClassLayout {
            cells: 1,
            align: 1,
            has_virtual: members.has_virtual,
            copies: members.copies,
            assigns: members.assigns,
            has_destructor: members.destructor.is_some_and(|it| !it.is_defaulted),
            ..ClassLayout::default()
        };
        let info = &self.classes[id.index()];
        let mut bases = info.bases.clone();
        let mut fields = info.fields.clone();
        let is_union = info.decl.is_union;
        let (most, least, mut offset) = match info.decl.packing {
            Packing::Within { most, least } => (most, least, Some(0_u64)),
            Packing::Unknown => (u64::MAX, 1, None),
        };
        let of_base = |eval: &Self, base: &Base| eval.classes[base.class.index()].layout;
        let has_dynamic_base = bases.iter().any(|it| of_base(self, it).has_virtual);
        // The pointer to the virtual table comes first; a class shares the pointer of its base if the base has one.
        if members.has_virtual && !has_dynamic_base {
            offset = Some(8);
            layout.align = 8;
        }
        for base in &mut bases {
            let of = of_base(self, base);
            base.cell = layout.cells;
            layout.cells = layout.cells.saturating_add(of.cells);
            layout.align = layout.align.max(of.align);
            layout.has_virtual |= of.has_virtual;
            layout.copies |= of.copies;
            layout.assigns |= of.assigns;
            layout.has_destructor |= of.has_destructor;
            if !of.is_empty {
                let size = match of.is_pod {
                    true if of.has_sections && of.size != Some(of.data_size) => None,
                    true => of.size,
                    false => of.size.map(|_| of.data_size),
                };
                let at = offset.map(|offset| offset.next_multiple_of(of.align));
                offset = at.zip(size).map(|(at, size)| at + size);
            }
        }
        // Compilers do not agree on how `pack` aligns base classes and the pointer to the virtual table.
        if most < layout.align {
            offset = None;
        }
        let mut end = offset;
        for field in &mut fields {
            field.cell = layout.cells;
            let cells = self.cells_of(&field.ty)?;
            layout.cells = layout.cells.saturating_add(cells);
            let (copies, assigns, destroys) = self.special_members(&field.ty);
            layout.copies |= copies;
            layout.assigns |= assigns;
            layout.has_destructor |= destroys;
            let of = self.size_and_align(&field.ty)?;
            // Members of a union all start at its beginning.
            let before = if is_union { end.map(|_| 0) } else { end };
            match (before, of) {
                (Some(before), Some((size, align))) => {
                    let align = align.min(most);
                    let at = before.next_multiple_of(align);
                    field.byte = at;
                    layout.align = layout.align.max(align);
                    let after = at.saturating_add(size);
                    end = Some(end.unwrap_or(0).max(after));
                }
                _ => end = None,
            }
        }
        layout.is_empty = fields.is_empty() && !layout.has_virtual && end == Some(0);
        layout.is_pod = bases.is_empty()
            && !layout.has_virtual
            && members.constructors.is_empty()
            && members.destructor.is_none()
            && !layout.assigns;
        let items = self.classes[id.index()]
            .decl
            .members
            .as_deref()
            .unwrap_or_default();
        layout.has_sections = items
            .iter()
            .any(|item| matches!(item.kind, StmtKind::Empty));
        layout.align = layout.align.max(least);
        layout.data_size = end.unwrap_or(0);
        layout.size = end.map(|end| end.max(1).next_multiple_of(layout.align));
        let info = &mut self.classes[id.index()];
        info.bases = bases;
        info.fields = fields;
        info.layout = layout;
        Ok(())
    }

    /// Returns whether copying, assigning and destroying an object of a type run functions of the sources.
    fn special_members(&self, ty: &Ty) -> (bool, bool, bool) {
        match &ty.kind {
            Kind::Class(class) => {
                let layout = &self.classes[class.index()].layout;
                (layout.copies, layout.assigns, layout.has_destructor)
            }
            Kind::Array(of, _) => self.special_members(of),
            Kind::Library(of) => (false, false, self.library.has_destructor(of)),
            _ => (false, false, false),
        }
    }

    /// Returns whether the destruction of an object of a type has a side effect.
    pub(crate) fn has_destructor(&self, ty: &Ty) -> bool {
        self.special_members(ty).2
    }

    /// Returns the number of cells of an object of a type.
    pub(crate) fn cells_of(&mut self, ty: &Ty) -> Evaluated<u32> {
        Ok(match &ty.kind {
            Kind::Class(class) => {
                self.complete(*class)?;
                self.classes[class.index()].layout.cells.max(1)
            }
            Kind::Array(of, length) => {
                let each = self.cells_of(of)?;
                let length = u32::try_from(length.unwrap_or(0)).unwrap_or(u32::MAX);
                each.saturating_mul(length).saturating_add(1)
            }
            _ => 1,
        })
    }

    /// Returns size and alignment of a type in bytes.
    pub(crate) fn size_and_align(&mut self, ty: &Ty) -> Evaluated<Option<(u64, u64)>> {
        Ok(match &ty.kind {
            Kind::Int(of) => Some((of.bytes(), of.bytes())),
            Kind::Float(of) => Some((of.bytes(), of.bytes())),
            Kind::Enum(id) => {
                let bytes = self.underlying(*id)?.bytes();
                Some((bytes, bytes))
            }
            Kind::Null | Kind::Pointer(..) | Kind::Reference(..) => Some((8, 8)),
            Kind::Array(of, length) => {
                let of = self.size_and_align(of)?;
                let length = length.as_ref().copied();
                of.zip(length)
                    .and_then(|((size, align), length)| Some((size.checked_mul(length)?, align)))
            }
            Kind::Class(class) => {
                self.complete(*class)?;
                let layout = &self.classes[class.index()].layout;
                layout.size.map(|size| (size, layout.align))
            }
            Kind::Library(of) => self.library.layout(of),
            Kind::Void | Kind::Closure(_) | Kind::Function(_) | Kind::Unknown => None,
        })
    }

    /// Looks a name up in a class and its bases.
    pub(crate) fn find_in_class(
        &mut self,
        class: ClassId,
        name: &Name,
    ) -> Evaluated<Option<Found<'u>>> {
        self.complete(class)?;
        let info = &self.classes[class.index()];
        let members = info.members.clone();
        let context = info.context.clone();
        if let Some(own) = members.names.get(name) {
            let own = own.clone();
            let inherited = members
                .usings
                .iter()
                .filter(|path| path.segments.last().is_some_and(|last| last.name == *name));
            let mut functions = Vec::new();
            for path in inherited {
                let found = self
                    .nested(|eval| eval.in_context(context.clone(), |eval| eval.find_path(path)))?;
                match &found {
                    Found::Entities(..) | Found::Functions(_) => {
                        let more = self.functions_of(&found);
                        if more.is_empty() {
                            return Ok(Some(found));
                        }
                        functions.extend(more);
                    }
                    _ => return Ok(Some(found)),
                }
            }
            if functions.is_empty() {
                return Ok(Some(Found::Entities(own, context, Some(class))));
            }
            for entity in own {
                if let Entity::Function(decl) = entity {
                    functions.push(self.function(decl, &context, Some(class)));
                }
            }
            return Ok(Some(Found::Functions(functions)));
        }
        // Every member lookup goes through here, so nothing is copied for classes without unnamed members.
        let unnamed = info.fields.iter().filter(|field| field.name.is_empty());
        let unnamed = unnamed.filter_map(|field| field.ty.class());
        for inner in unnamed.collect::<Vec<ClassId>>() {
            if let Some(Found::Entities(entities, context, _)) =
                self.nested(|eval| eval.find_in_class(inner, name))?
            {
                // A member of an unnamed struct or union is found as one of the class around it.
                return Ok(Some(Found::Entities(entities, context, Some(class))));
            }
        }
        let info = &self.classes[class.index()];
        // The name of a class is a member of itself: in a template it means the instance.
        if info.name == *name && !name.is_empty() {
            let own = Entities::from_iter([Entity::Own(class)]);
            return Ok(Some(Found::Entities(own, context, Some(class))));
        }
        let bases: Vec<ClassId> = info.bases.iter().map(|base| base.class).collect();
        for base in bases {
            let found = self.nested(|eval| eval.find_in_class(base, name))?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Returns the functions among the declarations that lookup has found.
    pub(crate) fn functions_of(&mut self, found: &Found<'u>) -> Vec<FunctionId> {
        match found {
            Found::Functions(functions) => functions.clone(),
            Found::Entities(entities, context, class) => {
                let mut functions = Vec::new();
                for entity in entities {
                    if let Entity::Function(decl) = entity {
                        functions.push(self.function(decl, context, *class));
                    }
                }
                functions
            }
            _ => Vec::new(),
        }
    }

    /// Returns the number of cells between an object and a base subobject; `None` without such a base.
    pub(crate) fn base_offset(&self, from: ClassId, to: ClassId) -> Option<u32> {
        if from == to {
            return Some(0);
        }
        let bases = &self.classes[from.index()].bases;
        bases.iter().find_map(|base| {
            let rest = self.base_offset(base.class, to)?;
            Some(base.cell + rest)
        })
    }

    /// Returns the number of steps of inheritance between two classes.
    pub(crate) fn base_distance(&self, from: ClassId, to: ClassId) -> Option<u32> {
        if from == to {
            return Some(0);
        }
        let bases = self.classes[from.index()].bases.iter();
        bases
            .filter_map(|base| self.base_distance(base.class, to))
            .min()
            .map(|distance| distance + 1)
    }

    /// Returns the data member of this name in a class or its bases, and the number of cells before it.
    pub(crate) fn field(&mut self, class: ClassId, name: &str) -> Evaluated<Option<Field<'u>>> {
        self.complete(class)?;
        let info = &self.classes[class.index()];
        if let Some(own) = info.fields.iter().find(|field| &*field.name == name) {
            return Ok(Some(own.clone()));
        }
        // Members of unnamed structs and unions are members of the class around them.
        let unnamed: Vec<Field<'u>> = info
            .fields
            .iter()
            .filter(|field| field.name.is_empty())
            .cloned()
            .collect();
        for outer in unnamed {
            if let Kind::Class(inner) = outer.ty.kind
                && let Some(mut found) = self.field(inner, name)?
            {
                found.cell += outer.cell;
                found.byte += outer.byte;
                return Ok(Some(found));
            }
        }
        if self.classes[class.index()].members.names.contains_key(name) {
            return Ok(None);
        }
        let bases = self.classes[class.index()].bases.clone();
        for base in bases {
            if let Some(mut found) = self.field(base.class, name)? {
                found.cell += base.cell;
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Returns whether a class itself has a data member of a name, also in an unnamed struct or union.
    pub(crate) fn has_field(&self, class: ClassId, name: &Name) -> bool {
        let mut fields = self.classes[class.index()].fields.iter();
        fields.any(|field| match field.ty.kind {
            Kind::Class(inner) if field.name.is_empty() => self.has_field(inner, name),
            _ => field.name == *name,
        })
    }

    /// Returns the cell of the complete object that a base subobject belongs to.
    pub(crate) fn whole_object(&self, cell: CellId) -> CellId {
        let mut at = cell;
        while self.memory.get(at).is_base {
            match self.memory.parent(at) {
                Some(parent) => at = parent,
                None => break,
            }
        }
        at
    }
}

/// Returns the name of a class without its template arguments.
pub(crate) fn class_name(class: &Class) -> Name {
    let last = class.path.as_ref().and_then(|path| path.segments.last());
    last.map_or_else(|| "".into(), |segment| segment.name.clone())
}

/// Returns a path as written, without template arguments.
pub(crate) fn path_text(path: &Path) -> String {
    let names: Vec<&str> = path.segments.iter().map(|part| &*part.name).collect();
    names.join("::")
}

/// Adds the arguments of templates and the classes that a scope stands in.
pub(crate) fn outer_arguments(context: &Ctx<'_>, all: &mut Vec<TemplateArg>) {
    let mut at = Some(context);
    while let Some(context) = at {
        match &context.kind {
            ContextKind::Namespace(_) => return,
            ContextKind::Class(class) => {
                all.push(TemplateArg::Type(Kind::Class(*class).into()));
                return;
            }
            ContextKind::Template(arguments) => {
                all.extend(arguments.iter().map(|(_, argument)| argument.clone()));
            }
            ContextKind::Block(_) => {}
        }
        at = context.parent.as_ref();
    }
}

fn add_member<'u>(members: &mut Members<'u>, item: &'u Stmt, class: &Name) {
    match &item.kind {
        StmtKind::Variables(variables) => {
            for variable in variables {
                let names = &mut members.names;
                inline_type(&variable.ty.kind, &mut |name, entity| {
                    names.entry(name.clone()).or_default().push(entity);
                });
                let entity = Entity::Variable(variable);
                let name = variable.name.clone();
                members.names.entry(name).or_default().push(entity);
                if !variable.is_static && variable.template.is_none() {
                    members.fields.push(variable);
                }
            }
        }
        StmtKind::Function(function) => add_function(members, function, class),
        StmtKind::Using(path) => {
            members.usings.push(path);
            if names_constructors(path) {
                // It declares no name: looked up in the class, its own would lead back to it.
                members.inherits_constructors = true;
            } else if let Some(last) = path.segments.last() {
                members.names.entry(last.name.clone()).or_default();
            }
        }
        _ => declared(item, &mut |name, entity| {
            members.names.entry(name.clone()).or_default().push(entity);
        }),
    }
}

fn add_function<'u>(members: &mut Members<'u>, function: &'u Function, class: &Name) {
    members.has_virtual |= function.is_virtual;
    match function.kind {
        FunctionKind::Constructor => {
            members.copies |= takes_own(function, class) && !function.is_defaulted;
            members.constructors.push(function);
        }
        FunctionKind::Destructor => members.destructor = Some(function),
        FunctionKind::Conversion => members.conversions.push(function),
        FunctionKind::Plain => {
            let Some(last) = function.path.segments.last() else {
                return;
            };
            let is_assignment = &*last.name == "operator=";
            members.assigns |=
                is_assignment && takes_own(function, class) && !function.is_defaulted;
            let entity = Entity::Function(function);
            members
                .names
                .entry(last.name.clone())
                .or_default()
                .push(entity);
        }
    }
}

/// Returns whether the only argument that a function needs is of the class itself.
pub(crate) fn takes_own(function: &Function, class: &Name) -> bool {
    let Some((first, rest)) = function.parameters.split_first() else {
        return false;
    };
    let has_default = |it: &Variable| !matches!(it.init, crate::syntax::ast::Init::None);
    rest.iter().all(has_default) && names_class(&first.ty, class)
}

fn names_class(ty: &Type, class: &Name) -> bool {
    match &ty.kind {
        TypeKind::Reference(of) | TypeKind::RvalueReference(of) => names_class(of, class),
        TypeKind::Path(path) => path.segments.last().is_some_and(|last| last.name == *class),
        _ => false,
    }
}
