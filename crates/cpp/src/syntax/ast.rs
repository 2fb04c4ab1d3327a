//! Typed syntax of a translation unit after preprocessing.
//!
//! All of C++ that kernels are written in has a node. What has none is [`ExprKind::Unknown`] or [`StmtKind::Unknown`],
//! with the name of the construct, so that evaluation can say what it does not understand.

use std::sync::Arc;

use a2lint_source::text::Span;

/// An identifier.
pub type Name = Arc<str>;

/// The number of a statement or lambda, unique within its translation unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// A translation unit.
#[derive(Debug, Default)]
pub struct Unit {
    /// The declarations that precede it, if they were read once for several units.
    pub before: Option<Arc<Unit>>,
    /// Declarations in order; namespaces hold their own.
    pub items: Vec<Stmt>,
    /// Places that could not be parsed.
    pub errors: Vec<Span>,
    /// Includes that name no file of the project, as they are written: `kernel_operator.h`.
    pub outside: Vec<(Name, Span)>,
    /// Parts of `#if` that do not count, where what is around them does.
    pub skipped: Vec<Span>,
    /// Notes about parsing and preprocessing: limits that were exceeded, malformed directives.
    pub notes: Vec<Note>,
}

/// A part of a translation unit that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Its place.
    pub span: Span,
    /// Its kind.
    pub kind: NoteKind,
}

/// A reason for which a part of a translation unit was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// `#error` in a part that counts, with its text.
    ErrorDirective(Name),
    /// A directive or a use of a macro that makes no sense, as a clause. It is passed over.
    Preprocessor(&'static str),
    /// Macros and includes make too many tokens: the rest is not read.
    TooManyTokens,
    /// The texts are too large: the rest is not read.
    TooMuchText,
    /// Files include each other too deeply: the rest is not read.
    IncludesTooDeep,
    /// Arguments of macros stand too deeply inside of each other: the rest is not read.
    MacrosTooDeep,
    /// Statements or expressions stand too deeply inside of each other: this one is not read.
    TooDeep,
    /// The text takes too many steps to parse: the rest is not read.
    TooHard,
}

/// A statement or declaration.
#[derive(Debug)]
pub struct Stmt {
    /// Its number.
    pub id: NodeId,
    /// Its place.
    pub span: Span,
    /// Its kind.
    pub kind: StmtKind,
}

/// The kinds of statements and declarations.
#[derive(Debug)]
pub enum StmtKind {
    /// `T a = 1, *b, c[2];`: variables, members, parameters' kin. One entry for each declarator.
    Variables(Vec<Variable>),
    /// `auto [a, b] = pair;`
    Bindings {
        /// The names.
        names: Vec<Name>,
        /// Whether it is `auto&` or `const auto&`.
        by_reference: bool,
        /// The value whose parts they name.
        value: Expr,
    },
    /// A function, with or without a body; also a member function, constructor, destructor, operator or conversion.
    Function(Arc<Function>),
    /// A class, struct or union, with or without a body.
    Class(Arc<Class>),
    /// An enumeration.
    Enum(Arc<Enum>),
    /// `using N = T;`, `typedef T N;`, also a template.
    Alias(Arc<Alias>),
    /// `using namespace a::b;`
    UsingNamespace(Path),
    /// `namespace a = b::c;`
    NamespaceAlias(Name, Path),
    /// `using a::b;`, `using Base::member;`
    Using(Path),
    /// `namespace a::b { … }`; no names for an anonymous one. `inline` namespaces as well.
    Namespace(Vec<Name>, Vec<Stmt>),
    /// `template class C<T>;`, `template void f<T>(…);`
    Instantiate(Path),
    /// `static_assert(condition, …);`
    StaticAssert(Expr),
    /// `public:` and its kin, `friend …;`, `;`, attributes: nothing to evaluate.
    Empty,
    /// An expression.
    Expr(Expr),
    /// `{ … }`
    Block(Vec<Stmt>),
    /// `if`, with an initialiser and a declaration as a condition where it has one.
    If(Box<If>),
    /// `switch`
    Switch(Box<Switch>),
    /// `for (init; condition; step) body`
    For(Box<For>),
    /// `for (T x : range) body`
    RangeFor(Box<RangeFor>),
    /// `while (condition) body`
    While(Expr, Box<Stmt>),
    /// `do body while (condition);`
    DoWhile(Box<Stmt>, Expr),
    /// `return value;`
    Return(Option<Expr>),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `goto`, `try`, `asm`, a label, text that does not parse: the name of the construct.
    Unknown(&'static str),
}

/// A variable, data member or parameter.
#[derive(Debug)]
pub struct Variable {
    /// Its name; empty where it has none.
    pub name: Name,
    /// The place of the name, or of the declaration where it has none.
    pub name_span: Span,
    /// Its type, with what the declarator adds to it (`*`, `&`, `[2]`).
    pub ty: Type,
    /// Whether it has `const` at the outermost level, or `constexpr`.
    pub is_const: bool,
    /// Whether it has `constexpr` or `constinit`.
    pub is_constexpr: bool,
    /// Whether it has `static` (a member, or a local that keeps its value) or `thread_local`.
    pub is_static: bool,
    /// Whether it has `extern` without an initialiser.
    pub is_extern: bool,
    /// Template parameters of a variable template, or of `template <> T C<int>::x`.
    pub template: Option<Template>,
    /// What a specialisation of a variable template is for: `template <> int width<half>`.
    pub patterns: Option<Vec<TemplateArgument>>,
    /// The class of a static member that is defined outside of it: `Class<T>::name`.
    pub owner: Option<Path>,
    /// The initialiser; for a parameter, its default.
    pub init: Init,
    /// Whether a parameter is a pack: `Ts... xs`.
    pub is_pack: bool,
    /// Whether a member is a bit field.
    pub is_bit_field: bool,
}

impl Variable {
    /// Creates a variable of a type without a name or initialiser.
    pub(crate) fn unnamed(ty: Type, span: Span) -> Variable {
        Variable {
            name: "".into(),
            name_span: span,
            ty,
            is_const: false,
            is_constexpr: false,
            is_static: false,
            is_extern: false,
            template: None,
            patterns: None,
            owner: None,
            init: Init::None,
            is_pack: false,
            is_bit_field: false,
        }
    }
}

/// An initialiser.
#[derive(Debug)]
pub enum Init {
    /// None.
    None,
    /// `= value`, also `= {a, b}`.
    Assign(Expr),
    /// `(a, b)`
    Parens(Vec<Expr>),
    /// `{a, b}`
    Braces(Vec<Expr>),
}

/// Template parameters and what a specialisation is for.
#[derive(Debug)]
pub struct Template {
    /// The parameters; none for `template <>`.
    pub parameters: Vec<TemplateParameter>,
    /// `requires` clauses and the like are not read; whether there is one.
    pub is_constrained: bool,
}

/// A parameter of a template.
#[derive(Debug)]
pub struct TemplateParameter {
    /// Its name; empty where it has none.
    pub name: Name,
    /// The types, values or templates that it accepts.
    pub kind: TemplateParameterKind,
    /// Whether it takes any number of arguments.
    pub is_pack: bool,
}

/// The kinds of template parameters.
#[derive(Debug)]
pub enum TemplateParameterKind {
    /// `typename T = Default`
    Type(Option<Type>),
    /// `int N = 1`, `auto V`
    Value(Type, Option<Expr>),
    /// `template <typename> class C = Default`
    Template(Option<Path>),
}

/// An argument of a template.
#[derive(Debug)]
pub enum TemplateArgument {
    /// A type. A name alone may as well be a value: which of both, evaluation decides.
    Type(Type),
    /// A value.
    Value(Expr),
    /// `Ts...`
    Pack(Box<TemplateArgument>),
}

/// A name with qualifiers: `::a::B<int>::c<3>`.
#[derive(Debug)]
pub struct Path {
    /// Its place.
    pub span: Span,
    /// Whether it starts with `::`.
    pub is_absolute: bool,
    /// Its parts, outermost first; at least one.
    pub segments: Vec<Segment>,
}

/// One part of a name.
#[derive(Debug)]
pub struct Segment {
    /// The identifier; `operator+`, `operator()`, `operator T` and `~C` are spelled so, without blanks but before a
    /// type.
    pub name: Name,
    /// Its place.
    pub span: Span,
    /// Template arguments, where `<…>` is written.
    pub arguments: Option<Vec<TemplateArgument>>,
    /// The expression of `decltype(…)`, which then stands in the place of the name. It is evaluated for its type.
    pub decltype: Option<Box<Expr>>,
}

/// A type.
#[derive(Debug)]
pub struct Type {
    /// Its place.
    pub span: Span,
    /// Its kind.
    pub kind: TypeKind,
    /// Whether it has `const` at this level.
    pub is_const: bool,
}

/// The kinds of types.
#[derive(Debug)]
pub enum TypeKind {
    /// `void`
    Void,
    /// `bool`
    Bool,
    /// `char`, `short`, `int`, `long`, `long long` and their unsigned kin, as they are written. Fixed-width names
    /// (`uint32_t`) are paths.
    Integer(IntegerKind),
    /// `float`
    Float,
    /// `double`, `long double`
    Double,
    /// `auto`
    Auto,
    /// `decltype(auto)`
    DecltypeAuto,
    /// `decltype(expression)`, and whether the expression is a name without parentheses around it.
    Decltype(Box<Expr>, bool),
    /// A name, with or without `typename`.
    Path(Path),
    /// `T*`; address spaces (`__gm__`, `__ubuf__`) are kept.
    Pointer(Box<Type>, AddressSpace),
    /// `T&`
    Reference(Box<Type>),
    /// `T&&`
    RvalueReference(Box<Type>),
    /// `T[n]`, `T[]`
    Array(Box<Type>, Option<Box<Expr>>),
    /// `R(A, B)`: the type of a function, or of what a function pointer points to.
    Function(Box<Type>, Vec<Type>),
    /// A class or enumeration that is defined where it is used: `struct { … } x;`
    Class(Arc<Class>),
    /// The same for an enumeration.
    Enum(Arc<Enum>),
    /// Anything else: the name of the construct.
    Unknown(&'static str),
}

/// The integer types that have keywords.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum IntegerKind {
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    Unsigned,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
}

/// The memory that a pointer points into, by the attribute of the type that it points to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AddressSpace {
    /// None is written.
    #[default]
    Private,
    /// `__gm__`
    Gm,
    /// `__ubuf__`
    Ub,
    /// `__cbuf__`
    L1,
    /// `__ca__`
    L0A,
    /// `__cb__`
    L0B,
    /// `__cc__`
    L0C,
    /// `__fbuf__`, `__biasbuf__`, `__ssbuf__` and others.
    Other,
}

/// A function.
#[derive(Debug)]
pub struct Function {
    /// Its number.
    pub id: NodeId,
    /// Its place, attributes and template header included.
    pub span: Span,
    /// Its name with the class or namespace before it: `Class<T>::name`. A constructor has the name of its class.
    pub path: Path,
    /// Template headers, outermost first: of the class in `template <…> void C<T>::f()`, then its own.
    pub templates: Vec<Template>,
    /// Parameters.
    pub parameters: Vec<Variable>,
    /// Whether it ends with `...`, a C variadic.
    pub is_variadic: bool,
    /// The return type; `None` for constructors and destructors.
    pub returns: Option<Type>,
    /// Its kind.
    pub kind: FunctionKind,
    /// Whether it has `constexpr` or `consteval`.
    pub is_constexpr: bool,
    /// Whether it has `static`.
    pub is_static: bool,
    /// Whether it has `virtual` or `override`.
    pub is_virtual: bool,
    /// Whether it has `explicit`.
    pub is_explicit: bool,
    /// Whether it has `const` after the parameters.
    pub is_const: bool,
    /// The objects that it can be called on, by `&` or `&&` after the parameters.
    pub callable_on: CallableOn,
    /// Whether it has `= delete`.
    pub is_deleted: bool,
    /// Whether it has `= default`.
    pub is_defaulted: bool,
    /// Attributes of device functions, as they are written: `__global__`, `__aicore__`, `__vector__`, `__mix__(1,2)`.
    pub attributes: Vec<(Name, Span)>,
    /// `member(value)` of a constructor.
    pub initialisers: Vec<Initialiser>,
    /// The body; `None` for a declaration.
    pub body: Option<Vec<Stmt>>,
}

/// The objects that a member function can be called on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallableOn {
    /// Any.
    Any,
    /// Objects with a name, and others if it is `const`: `&`.
    Lvalues,
    /// Temporary and moved objects: `&&`.
    Rvalues,
}

/// The kinds of functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionKind {
    /// A function or member function, operators included.
    Plain,
    /// A constructor.
    Constructor,
    /// A destructor.
    Destructor,
    /// `operator T()`: the type is what it returns.
    Conversion,
}

/// `member(value)`, `Base<T>(value)` or `member{value}` before the body of a constructor.
#[derive(Debug)]
pub struct Initialiser {
    /// The member or base class.
    pub target: Path,
    /// The value.
    pub init: Init,
}

/// A class, struct or union.
#[derive(Debug)]
pub struct Class {
    /// Its number.
    pub id: NodeId,
    /// Its place.
    pub span: Span,
    /// Its name; template arguments are what a specialisation is for. `None` for an unnamed one.
    pub path: Option<Path>,
    /// Whether it is a union.
    pub is_union: bool,
    /// What attributes and `#pragma pack` say of its layout.
    pub packing: Packing,
    /// Template parameters.
    pub template: Option<Template>,
    /// Base classes in order.
    pub bases: Vec<Path>,
    /// Whether a base class is virtual.
    pub has_virtual_base: bool,
    /// Members; `None` for a declaration without a body.
    pub members: Option<Vec<Stmt>>,
}

/// What a program says of the layout of a class beside its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Bounds of alignments, in bytes.
    Within {
        /// The largest alignment of a member: `#pragma pack(1)`, `packed`.
        most: u64,
        /// The smallest alignment of the class: `alignas(64)`.
        least: u64,
    },
    /// Something that is not evaluated, such as `alignas` at a member.
    Unknown,
}

/// An enumeration.
#[derive(Debug)]
pub struct Enum {
    /// Its number.
    pub id: NodeId,
    /// Its name.
    pub path: Option<Path>,
    /// Whether it is an `enum class`.
    pub is_scoped: bool,
    /// The type after `:`.
    pub underlying: Option<Type>,
    /// Enumerators; `None` for a declaration.
    pub enumerators: Option<Vec<(Name, Option<Expr>)>>,
}

/// Another name of a type.
#[derive(Debug)]
pub struct Alias {
    /// The name.
    pub name: Name,
    /// Template parameters.
    pub template: Option<Template>,
    /// The type.
    pub ty: Type,
}

/// An `if`.
#[derive(Debug)]
pub struct If {
    /// Whether it is `if constexpr`.
    pub is_constexpr: bool,
    /// A declaration before the condition, or as the condition.
    pub init: Option<Stmt>,
    /// The condition; `None` where the declaration is the condition.
    pub condition: Option<Expr>,
    /// The statement after it.
    pub then: Stmt,
    /// The statement after `else`.
    pub otherwise: Option<Stmt>,
}

/// A `switch`.
#[derive(Debug)]
pub struct Switch {
    /// The value that is compared with the labels.
    pub value: Expr,
    /// Its body: groups of statements, each after its labels, in order. Control falls from one to the next.
    pub groups: Vec<SwitchGroup>,
}

/// Statements after `case` labels.
#[derive(Debug)]
pub struct SwitchGroup {
    /// Values; `None` is `default`.
    pub labels: Vec<Option<Expr>>,
    /// Statements up to the next label.
    pub body: Vec<Stmt>,
}

/// A `for`.
#[derive(Debug)]
pub struct For {
    /// Before the first iteration.
    pub init: Option<Stmt>,
    /// Before each iteration.
    pub condition: Option<Expr>,
    /// After each iteration.
    pub step: Option<Expr>,
    /// The body.
    pub body: Stmt,
}

/// A `for` over a range.
#[derive(Debug)]
pub struct RangeFor {
    /// The variable.
    pub variable: Variable,
    /// The range of the loop.
    pub range: Expr,
    /// The body.
    pub body: Stmt,
}

/// An expression.
#[derive(Debug)]
pub struct Expr {
    /// Its place.
    pub span: Span,
    /// Its kind.
    pub kind: ExprKind,
}

/// The kinds of expressions.
#[derive(Debug)]
pub enum ExprKind {
    /// An integer literal with its suffix; its type follows from both.
    Int(u128, IntSuffix),
    /// A floating literal: its value as a double, exactly parsed, and whether it ends with `f`.
    Float(f64, bool),
    /// A character literal.
    Char(u32),
    /// `true`, `false`
    Bool(bool),
    /// `nullptr`
    Null,
    /// A string literal without quotes, escapes resolved.
    String(Name),
    /// A name.
    Path(Path),
    /// `this`
    This,
    /// `object.member`, `object->member`; the member may be qualified and have template arguments.
    Member {
        /// The object.
        object: Box<Expr>,
        /// Whether it is `->`.
        is_arrow: bool,
        /// The member.
        member: Path,
    },
    /// `callee(arguments)`
    Call {
        /// The callee. A type here makes it a conversion or construction, which evaluation finds out.
        callee: Box<Expr>,
        /// The arguments.
        arguments: Vec<Expr>,
    },
    /// `kernel<<<blocks, shared, stream>>>(arguments)`
    Launch {
        /// The kernel.
        callee: Box<Expr>,
        /// The launch configuration between the brackets.
        configuration: Vec<Expr>,
        /// The arguments.
        arguments: Vec<Expr>,
    },
    /// `T(a, b)` where `T` can be nothing but a type (`float(x)`, `unsigned(x)`).
    Construct(Box<Type>, Vec<Expr>),
    /// `T{a, b}`, or `{a, b}` alone.
    Braces(Option<Box<Type>>, Vec<BraceItem>),
    /// `object[index]`
    Index(Box<Expr>, Vec<Expr>),
    /// `object.*member`, `pointer->*member`
    MemberPointer {
        /// The object, or a pointer to it.
        object: Box<Expr>,
        /// Whether `->*` is written.
        is_arrow: bool,
        /// The pointer to a member.
        member: Box<Expr>,
    },
    /// An operator with one operand.
    Unary(UnaryOp, Box<Expr>),
    /// `++x`, `--x`, `x++`, `x--`
    Step {
        /// The operand that is changed.
        target: Box<Expr>,
        /// Whether it is `++`.
        is_increment: bool,
        /// Whether it stands before the operand.
        is_prefix: bool,
    },
    /// An operator with two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `target = value`, `target += value`
    Assign(Box<Expr>, Option<BinaryOp>, Box<Expr>),
    /// `a ? b : c`
    Conditional(Box<[Expr; 3]>),
    /// `a, b`
    Comma(Box<Expr>, Box<Expr>),
    /// A conversion.
    Cast(CastKind, Box<Type>, Box<Expr>),
    /// `sizeof(T)`
    SizeOfType(Box<Type>),
    /// `sizeof x`; `sizeof(name)` is this with a path, which may name a type.
    SizeOf(Box<Expr>),
    /// `sizeof...(Ts)`
    SizeOfPack(Name),
    /// `alignof(T)`
    AlignOf(Box<Type>),
    /// A lambda.
    Lambda(Arc<Lambda>),
    /// `pattern...`
    PackExpansion(Box<Expr>),
    /// `(pack op ...)`, `(... op pack)`, `(init op ... op pack)`
    Fold {
        /// The operator.
        op: FoldOp,
        /// The pattern with the pack.
        pack: Box<Expr>,
        /// The other operand, where there is one.
        init: Option<Box<Expr>>,
        /// Whether it is a left fold: `(... op pack)`.
        is_left: bool,
    },
    /// `new T(…)`, `delete x`, `throw x`, `co_await x`, anything else: the name of the construct, and the expressions
    /// in it.
    Unknown(&'static str, Vec<Expr>),
}

/// The suffix of an integer literal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IntSuffix {
    /// Whether it has the suffix `u`.
    pub is_unsigned: bool,
    /// 1 for `l`, 2 for `ll`.
    pub longs: u8,
    /// Whether the literal is decimal: others may take unsigned types.
    pub is_decimal: bool,
}

/// An item in braces.
#[derive(Debug)]
pub struct BraceItem {
    /// `.name =`
    pub field: Option<Name>,
    /// The value.
    pub value: Expr,
}

/// The spellings of conversions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum CastKind {
    /// `(T)x`
    CStyle,
    Static,
    Reinterpret,
    Const,
    Dynamic,
}

/// A lambda.
#[derive(Debug)]
pub struct Lambda {
    /// Its number.
    pub id: NodeId,
    /// `[&]`, `[=]`, or neither.
    pub default: CaptureDefault,
    /// `[x, &y, z = w, this]`
    pub captures: Vec<Capture>,
    /// Template parameters.
    pub template: Option<Template>,
    /// Parameters.
    pub parameters: Vec<Variable>,
    /// Whether it has `mutable`.
    pub is_mutable: bool,
    /// The type after `->`.
    pub returns: Option<Type>,
    /// The body.
    pub body: Vec<Stmt>,
}

/// The default capture of a lambda.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum CaptureDefault {
    None,
    ByReference,
    ByCopy,
}

/// One capture.
#[derive(Debug)]
pub struct Capture {
    /// The name; `this` for `this` and `*this`.
    pub name: Name,
    /// Whether it is `&name`.
    pub by_reference: bool,
    /// `name = value`
    pub value: Option<Expr>,
}

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum UnaryOp {
    Plus,
    Minus,
    Not,
    Complement,
    AddressOf,
    Dereference,
}

/// An operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    BitAnd,
    BitOr,
    BitXor,
    And,
    Or,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// The operator of a fold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum FoldOp {
    Binary(BinaryOp),
    Comma,
    Other,
}
