//! Syntax as text, with every group in parentheses.

use std::fmt::Write as _;

use crate::syntax::ast::*;

pub(super) fn items(items: &[Stmt]) -> String {
    let shown: Vec<String> = items.iter().map(stmt).collect();
    shown.join(" ")
}

pub(super) fn stmt(it: &Stmt) -> String {
    match &it.kind {
        StmtKind::Variables(all) => {
            let all: Vec<String> = all.iter().map(variable).collect();
            format!("{};", all.join(", "))
        }
        StmtKind::Bindings {
            names,
            by_reference,
            value,
        } => {
            let mark = if *by_reference { "&" } else { "" };
            format!("auto{mark}[{}] = {};", names.join(","), expr(value))
        }
        StmtKind::Function(it) => function(it),
        StmtKind::Class(it) => class(it),
        StmtKind::Enum(it) => enumeration(it),
        StmtKind::Alias(it) => format!(
            "{}using {} = {};",
            it.template.as_ref().map_or(String::new(), template),
            it.name,
            ty(&it.ty)
        ),
        StmtKind::UsingNamespace(it) => format!("using namespace {};", path(it)),
        StmtKind::NamespaceAlias(name, it) => format!("namespace {name} = {};", path(it)),
        StmtKind::Using(it) => format!("using {};", path(it)),
        StmtKind::Namespace(names, inside) => {
            format!("namespace {} {{ {} }}", names.join("::"), items(inside))
        }
        StmtKind::Instantiate(it) => format!("template {};", path(it)),
        StmtKind::StaticAssert(it) => format!("static_assert {};", expr(it)),
        StmtKind::Empty => ";".into(),
        StmtKind::Expr(it) => format!("{};", expr(it)),
        StmtKind::Block(inside) => format!("{{ {} }}", items(inside)),
        StmtKind::If(it) => conditional(it),
        StmtKind::Switch(it) => {
            let mut text = format!("switch {} {{", expr(&it.value));
            for group in &it.groups {
                for label in &group.labels {
                    match label {
                        Some(label) => write!(text, " case {}:", expr(label)),
                        None => write!(text, " default:"),
                    }
                    .unwrap();
                }
                write!(text, " {}", items(&group.body)).unwrap();
            }
            text + " }"
        }
        StmtKind::For(it) => format!(
            "for ({} {}; {}) {}",
            it.init.as_ref().map_or(";".into(), stmt),
            it.condition.as_ref().map_or(String::new(), expr),
            it.step.as_ref().map_or(String::new(), expr),
            stmt(&it.body)
        ),
        StmtKind::RangeFor(it) => format!(
            "for ({} : {}) {}",
            variable(&it.variable),
            expr(&it.range),
            stmt(&it.body)
        ),
        StmtKind::While(condition, body) => format!("while {} {}", expr(condition), stmt(body)),
        StmtKind::DoWhile(body, condition) => {
            format!("do {} while {};", stmt(body), expr(condition))
        }
        StmtKind::Return(value) => {
            format!("return {};", value.as_ref().map_or(String::new(), expr))
        }
        StmtKind::Break => "break;".into(),
        StmtKind::Continue => "continue;".into(),
        StmtKind::Unknown(what) => format!("<{what}>"),
    }
}

fn conditional(it: &If) -> String {
    let mut text = String::from(if it.is_constexpr {
        "if constexpr ("
    } else {
        "if ("
    });
    text += &it.init.as_ref().map_or(String::new(), |it| stmt(it) + " ");
    text += &it.condition.as_ref().map_or(String::new(), expr);
    text += ") ";
    text += &stmt(&it.then);
    text += &it
        .otherwise
        .as_ref()
        .map_or(String::new(), |it| format!(" else {}", stmt(it)));
    text
}

fn variable(it: &Variable) -> String {
    let mut text = it.template.as_ref().map_or(String::new(), template);
    if it.is_static {
        text += "static ";
    }
    if it.is_extern {
        text += "extern ";
    }
    if it.is_constexpr {
        text += "constexpr ";
    }
    text += &ty(&it.ty);
    if it.is_pack {
        text += "...";
    }
    text += " ";
    if let Some(owner) = &it.owner {
        text += &path(owner);
        text += "::";
    }
    text += &it.name;
    text + &init(&it.init)
}

fn init(it: &Init) -> String {
    match it {
        Init::None => String::new(),
        Init::Assign(value) => format!(" = {}", expr(value)),
        Init::Parens(values) => format!("({})", list(values)),
        Init::Braces(values) => format!("{{{}}}", list(values)),
    }
}

fn list(all: &[Expr]) -> String {
    let all: Vec<String> = all.iter().map(expr).collect();
    all.join(", ")
}

fn template(it: &Template) -> String {
    let all: Vec<String> = it
        .parameters
        .iter()
        .map(|it| {
            let dots = if it.is_pack { "..." } else { "" };
            match &it.kind {
                TemplateParameterKind::Type(None) => format!("typename{dots} {}", it.name),
                TemplateParameterKind::Type(Some(default)) => {
                    format!("typename {} = {}", it.name, ty(default))
                }
                TemplateParameterKind::Value(of, None) => format!("{}{dots} {}", ty(of), it.name),
                TemplateParameterKind::Value(of, Some(default)) => {
                    format!("{} {} = {}", ty(of), it.name, expr(default))
                }
                TemplateParameterKind::Template(_) => format!("template {}", it.name),
            }
        })
        .collect();
    format!("template<{}> ", all.join(", "))
}

fn function(it: &Function) -> String {
    let mut text: String = it.templates.iter().map(template).collect();
    for (name, _) in &it.attributes {
        text += name;
        text += " ";
    }
    for (is, word) in [
        (it.is_static, "static "),
        (it.is_virtual, "virtual "),
        (it.is_constexpr, "constexpr "),
    ] {
        if is {
            text += word;
        }
    }
    match it.kind {
        FunctionKind::Plain => {}
        FunctionKind::Constructor => text += "ctor ",
        FunctionKind::Destructor => text += "dtor ",
        FunctionKind::Conversion => text += "conv ",
    }
    if let Some(returns) = &it.returns {
        text += &ty(returns);
        text += " ";
    }
    let parameters: Vec<String> = it.parameters.iter().map(variable).collect();
    text += &format!(
        "{}({}{})",
        path(&it.path),
        parameters.join(", "),
        if it.is_variadic { ", ..." } else { "" }
    );
    if it.is_const {
        text += " const";
    }
    if it.is_deleted {
        text += " = delete";
    }
    if it.is_defaulted {
        text += " = default";
    }
    for it in &it.initialisers {
        text += &format!(" : {}{}", path(&it.target), init(&it.init));
    }
    match &it.body {
        Some(body) => format!("{text} {{ {} }}", items(body)),
        None => text + ";",
    }
}

fn class(it: &Class) -> String {
    let mut text = it.template.as_ref().map_or(String::new(), template);
    text += if it.is_union { "union " } else { "class " };
    text += &it.path.as_ref().map_or("?".into(), path);
    for base in &it.bases {
        text += &format!(" : {}", path(base));
    }
    match &it.members {
        Some(members) => format!("{text} {{ {} }}", items(members)),
        None => text + ";",
    }
}

fn enumeration(it: &Enum) -> String {
    let mut text = String::from(if it.is_scoped { "enum class " } else { "enum " });
    text += &it.path.as_ref().map_or("?".into(), path);
    text += &it
        .underlying
        .as_ref()
        .map_or(String::new(), |it| format!(" : {}", ty(it)));
    let all = it.enumerators.as_ref();
    let all = all.map(|all| {
        let all = all.iter().map(|(name, value)| match value {
            Some(value) => format!("{name} = {}", expr(value)),
            None => name.to_string(),
        });
        all.collect::<Vec<_>>().join(", ")
    });
    format!("{text} {{{}}}", all.unwrap_or_default())
}

pub(super) fn path(it: &Path) -> String {
    let parts: Vec<String> = it
        .segments
        .iter()
        .map(|it| match &it.arguments {
            None => it.name.to_string(),
            Some(all) => {
                let all: Vec<String> = all.iter().map(argument).collect();
                format!("{}<{}>", it.name, all.join(", "))
            }
        })
        .collect();
    format!(
        "{}{}",
        if it.is_absolute { "::" } else { "" },
        parts.join("::")
    )
}

fn argument(it: &TemplateArgument) -> String {
    match it {
        TemplateArgument::Type(it) => ty(it),
        TemplateArgument::Value(it) => expr(it),
        TemplateArgument::Pack(it) => format!("{}...", argument(it)),
    }
}

fn ty(it: &Type) -> String {
    let mut text = match &it.kind {
        TypeKind::Void => "void".into(),
        TypeKind::Bool => "bool".into(),
        TypeKind::Integer(kind) => format!("{kind:?}"),
        TypeKind::Float => "float".into(),
        TypeKind::Double => "double".into(),
        TypeKind::Auto => "auto".into(),
        TypeKind::DecltypeAuto => "decltype(auto)".into(),
        TypeKind::Decltype(it, _) => format!("decltype({})", expr(it)),
        TypeKind::Path(it) => path(it),
        TypeKind::Pointer(it, AddressSpace::Private) => format!("{}*", ty(it)),
        TypeKind::Pointer(it, space) => format!("{}*{space:?}", ty(it)),
        TypeKind::Reference(it) => format!("{}&", ty(it)),
        TypeKind::RvalueReference(it) => format!("{}&&", ty(it)),
        TypeKind::Array(it, None) => format!("{}[]", ty(it)),
        TypeKind::Array(it, Some(length)) => format!("{}[{}]", ty(it), expr(length)),
        TypeKind::Function(returns, all) => {
            let all: Vec<String> = all.iter().map(ty).collect();
            format!("fn({})->{}", all.join(", "), ty(returns))
        }
        TypeKind::Class(it) => class(it),
        TypeKind::Enum(it) => enumeration(it),
        TypeKind::Unknown(what) => format!("<{what}>"),
    };
    if it.is_const {
        text += " const";
    }
    text
}

pub(super) fn expr(it: &Expr) -> String {
    match &it.kind {
        ExprKind::Int(value, suffix) => {
            let unsigned = if suffix.is_unsigned { "u" } else { "" };
            format!("{value}{unsigned}{}", "l".repeat(suffix.longs.into()))
        }
        ExprKind::Float(value, is_float) => {
            format!("{value:?}{}", if *is_float { "f" } else { "" })
        }
        ExprKind::Char(value) => format!("'{value}'"),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Null => "nullptr".into(),
        ExprKind::String(value) => format!("{value:?}"),
        ExprKind::Path(it) => path(it),
        ExprKind::This => "this".into(),
        ExprKind::Member {
            object,
            is_arrow,
            member,
        } => {
            format!(
                "{}{}{}",
                expr(object),
                if *is_arrow { "->" } else { "." },
                path(member)
            )
        }
        ExprKind::Call { callee, arguments } => format!("{}({})", expr(callee), list(arguments)),
        ExprKind::Launch {
            callee,
            configuration,
            arguments,
        } => {
            format!(
                "{}<<<{}>>>({})",
                expr(callee),
                list(configuration),
                list(arguments)
            )
        }
        ExprKind::Construct(of, arguments) => format!("new:{}({})", ty(of), list(arguments)),
        ExprKind::Braces(of, all) => {
            let all: Vec<String> = all
                .iter()
                .map(|it| match &it.field {
                    Some(field) => format!(".{field}={}", expr(&it.value)),
                    None => expr(&it.value),
                })
                .collect();
            format!(
                "{}{{{}}}",
                of.as_ref().map_or(String::new(), |it| ty(it)),
                all.join(", ")
            )
        }
        ExprKind::Index(object, index) => format!("{}[{}]", expr(object), list(index)),
        ExprKind::Unary(op, it) => format!("({op:?} {})", expr(it)),
        ExprKind::Step {
            target,
            is_increment,
            is_prefix,
        } => {
            let op = if *is_increment { "++" } else { "--" };
            match is_prefix {
                true => format!("({op}{})", expr(target)),
                false => format!("({}{op})", expr(target)),
            }
        }
        ExprKind::Binary(op, left, right) => format!("({} {op:?} {})", expr(left), expr(right)),
        ExprKind::Assign(target, op, value) => {
            let op = op.map_or(String::new(), |op| format!("{op:?}"));
            format!("({} {op}= {})", expr(target), expr(value))
        }
        ExprKind::Conditional(it) => {
            format!("({} ? {} : {})", expr(&it[0]), expr(&it[1]), expr(&it[2]))
        }
        ExprKind::Comma(left, right) => format!("({} , {})", expr(left), expr(right)),
        ExprKind::Cast(kind, of, it) => format!("{kind:?}<{}>({})", ty(of), expr(it)),
        ExprKind::SizeOfType(it) => format!("sizeof:{}", ty(it)),
        ExprKind::SizeOf(it) => format!("sizeof({})", expr(it)),
        ExprKind::SizeOfPack(it) => format!("sizeof...({it})"),
        ExprKind::AlignOf(it) => format!("alignof:{}", ty(it)),
        ExprKind::Lambda(it) => lambda(it),
        ExprKind::PackExpansion(it) => format!("{}...", expr(it)),
        ExprKind::Fold {
            op,
            pack,
            init,
            is_left,
        } => {
            let side = if *is_left { "left" } else { "right" };
            let init = init
                .as_ref()
                .map_or(String::new(), |it| format!(" from {}", expr(it)));
            format!("fold-{side}({op:?} {}{init})", expr(pack))
        }
        ExprKind::MemberPointer {
            object,
            is_arrow,
            member,
        } => {
            let sign = if *is_arrow { "->*" } else { ".*" };
            format!("{}{sign}{}", expr(object), expr(member))
        }
        ExprKind::Unknown(what, parts) => format!("<{what}: {}>", list(parts)),
    }
}

fn lambda(it: &Lambda) -> String {
    let mut captures: Vec<String> = match it.default {
        CaptureDefault::None => Vec::new(),
        CaptureDefault::ByReference => vec!["&".into()],
        CaptureDefault::ByCopy => vec!["=".into()],
    };
    captures.extend(it.captures.iter().map(|it| {
        let mark = if it.by_reference { "&" } else { "" };
        let value = it
            .value
            .as_ref()
            .map_or(String::new(), |it| format!(" = {}", expr(it)));
        format!("{mark}{}{value}", it.name)
    }));
    let parameters: Vec<String> = it.parameters.iter().map(variable).collect();
    let returns = it
        .returns
        .as_ref()
        .map_or(String::new(), |it| format!(" -> {}", ty(it)));
    let mutable = if it.is_mutable { " mutable" } else { "" };
    format!(
        "[{}]({}){mutable}{returns} {{ {} }}",
        captures.join(", "),
        parameters.join(", "),
        items(&it.body)
    )
}
