//! Names that nothing declares: which name of the API is meant.

use a2lint_cpp::eval::Eval;
use a2lint_cpp::syntax::NOWHERE;
use a2lint_ir::NoteKind;
use a2lint_source::spelling::{are_siblings, nearest, one_edit_away};
use a2lint_source::text::Span;

use super::cx::Cx;

/// Classes of which every method is listed: any other name is an error.
const WHOLE: &[&str] = &["TQue", "TQueBind"];

/// Methods of the classes that have objects, modelled or not.
const METHODS: &[(&str, &[&str])] = &[
    ("TQue", QUEUE),
    ("TQueBind", QUEUE),
    (
        "TPipe",
        &[
            "Init",
            "Destroy",
            "Reset",
            "InitBuffer",
            "InitBufPool",
            "InitSpmBuffer",
            "WriteSpmBuffer",
            "ReadSpmBuffer",
            "AllocEventID",
            "FetchEventID",
            "ReleaseEventID",
            "GetBaseAddr",
        ],
    ),
    (
        "TBuf",
        &[
            "Get",
            "GetWithOffset",
            "GetBufLen",
            "AllocTensor",
            "FreeTensor",
            "EnQue",
            "DeQue",
            "Init",
        ],
    ),
    (
        "LocalTensor",
        &[
            "GetValue",
            "SetValue",
            "GetSize",
            "SetSize",
            "GetLength",
            "GetPosition",
            "GetPhyAddr",
            "GetShapeInfo",
            "SetShapeInfo",
            "GetUserTag",
            "SetUserTag",
            "GetBufferHandle",
            "SetBufferLen",
            "SetAddr",
            "ReinterpretCast",
            "Print",
            "ToFile",
        ],
    ),
    (
        "GlobalTensor",
        &[
            "SetGlobalBuffer",
            "GetPhyAddr",
            "GetValue",
            "SetValue",
            "GetSize",
            "GetShapeInfo",
            "SetShapeInfo",
            "SetL2CacheHint",
        ],
    ),
];

const QUEUE: &[&str] = &[
    "AllocTensor",
    "FreeTensor",
    "EnQue",
    "DeQue",
    "VacantInQue",
    "HasTensorInQue",
    "HasIdleBuffer",
    "GetTensorCountInQue",
    "GetState",
    "GetBufferAddr",
    "AllocBuffer",
    "FreeBuffer",
    "FreeAllEvent",
    "InitBufHandle",
    "InitStartBufHandle",
];

/// Functions of the API and of the standard library that are not modelled and are one edit away from one that is.
const OTHERS: &[&str] = &[
    "Acos",
    "Acosh",
    "Ands",
    "Asin",
    "Asinh",
    "Atan",
    "Atanh",
    "Ceil",
    "Cos",
    "Cosh",
    "Divs",
    "Erfc",
    "Exp2",
    "Floor",
    "Fmod",
    "Frac",
    "Gathers",
    "Gelu",
    "GetMask",
    "GetPadValue",
    "Log10",
    "Log2",
    "Mean",
    "Mod",
    "MrgSort4",
    "Mula",
    "Mull",
    "Nand",
    "Ors",
    "Pow",
    "Rint",
    "Round",
    "Selu",
    "Sign",
    "Sin",
    "Sinh",
    "Subs",
    "Sum",
    "Sums",
    "Swish",
    "Tan",
    "Tanh",
    "Trunc",
    "Xor",
    "Xors",
];

impl Cx<'_, '_, '_> {
    /// Notes that a class has no method of the name of the call, if all of its methods are known or one has a name that
    /// is one edit away.
    pub fn note_missing_method(&mut self, class: &str) {
        let (name, span) = (self.call.name, self.call.name_span);
        let own = METHODS.iter().find(|(of, _)| *of == class);
        let methods = own.map_or(&[][..], |(_, methods)| *methods);
        if methods.contains(&name) {
            return;
        }
        let near = one_edit_away(name, methods.iter().copied());
        let is_whole = WHOLE.contains(&class);
        if near.is_some() || is_whole {
            let alike = || nearest(name, methods.iter().copied()).map(str::to_owned);
            let kind = NoteKind::UnknownName {
                name: name.to_owned(),
                of: Some(format!("`{class}`")),
                nearest: near.or_else(alike),
            };
            self.builder().note(span, kind);
        }
    }
}

/// Notes a name that nothing declares, if a function of the API or a variable of the function is one edit away.
pub fn note_undeclared(eval: &mut Eval<'_>, name: &str, is_called: bool, span: Span) {
    // A name without small letters may be a macro of a header of the API.
    let may_be_macro = !name.chars().any(|c| c.is_ascii_lowercase());
    // Functions of the API begin with a capital letter; helpers of a project often do not.
    let is_helper = is_called && !name.starts_with(|c: char| c.is_ascii_uppercase());
    if may_be_macro || is_helper || name.len() < 2 || OTHERS.contains(&name) {
        return;
    }
    let nearest = match is_called {
        true => {
            let all = eval.all_functions();
            let api = all.iter().filter(|(_, decl)| decl.path.span == NOWHERE);
            let names = api.filter_map(|(_, decl)| decl.path.segments.last());
            let names: Vec<_> = names.map(|it| &*it.name).collect();
            if names.contains(&name) {
                // The API has it; what makes it visible is not known.
                return;
            }
            // Names of the API are short, and there are more than are known here: `Gelu` is one edit away from `Relu`.
            let alike = names.into_iter();
            let alike = alike.filter(|it| it.chars().next() == name.chars().next());
            one_edit_away(name, alike)
        }
        false => one_edit_away(name, eval.local_names()),
    };
    if let Some(nearest) = nearest {
        let kind = NoteKind::UnknownName {
            name: name.to_owned(),
            of: None,
            nearest: (!are_siblings(&nearest, name)).then_some(nearest),
        };
        eval.builder.note(span, kind);
    }
}
