//! Spellings as numbers, so that they compare in one step.

use rustc_hash::FxHashMap;

use super::ast::Name;

/// The number of a spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sym(pub u32);

/// Spellings that were met, each once.
#[derive(Clone)]
pub struct Symbols {
    names: Vec<Name>,
    numbers: FxHashMap<Name, Sym>,
}

impl Default for Symbols {
    fn default() -> Self {
        let mut symbols = Symbols {
            names: Vec::new(),
            numbers: FxHashMap::default(),
        };
        for spelling in FIXED {
            symbols.of(spelling);
        }
        symbols
    }
}

impl Symbols {
    /// Interns a spelling and returns its number.
    pub fn of(&mut self, text: &str) -> Sym {
        if let Some(&known) = self.numbers.get(text) {
            return known;
        }
        let name: Name = text.into();
        let sym = Sym(self.names.len() as u32);
        self.names.push(name.clone());
        self.numbers.insert(name, sym);
        sym
    }

    /// Returns the number of an interned spelling.
    pub fn known(&self, text: &str) -> Option<Sym> {
        self.numbers.get(text).copied()
    }

    /// Returns the spelling of a number.
    pub fn text(&self, sym: Sym) -> &str {
        &self.names[sym.0 as usize]
    }

    /// Returns the spelling of a number, as a shared string.
    pub fn name(&self, sym: Sym) -> Name {
        self.names[sym.0 as usize].clone()
    }
}

macro_rules! fixed {
    ($($name:ident = $text:literal,)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Order { $($name,)* }
        const FIXED: &[&str] = &[$($text,)*];
        $(pub(crate) const $name: Sym = Sym(Order::$name as u32);)*
    };
}

fixed! {
    EMPTY = "", OPEN = "(", CLOSE = ")", CURLY = "{", END_CURLY = "}", SQUARE = "[", END_SQUARE = "]",
    SEMICOLON = ";", COMMA = ",", DOT = ".", ELLIPSIS = "...", ARROW = "->", ARROW_STAR = "->*", DOT_STAR = ".*",
    COLON = ":", SCOPE = "::", QUESTION = "?", PLUS = "+", MINUS = "-", STAR = "*", SLASH = "/", PERCENT = "%",
    CARET = "^", AMPERSAND = "&", PIPE = "|", TILDE = "~", EXCLAMATION = "!", EQUAL = "=", LESS = "<",
    GREATER = ">", PLUS_EQUAL = "+=", MINUS_EQUAL = "-=", STAR_EQUAL = "*=", SLASH_EQUAL = "/=",
    PERCENT_EQUAL = "%=", CARET_EQUAL = "^=", AMPERSAND_EQUAL = "&=", PIPE_EQUAL = "|=", SHIFT_LEFT = "<<",
    SHIFT_RIGHT = ">>", SHIFT_LEFT_EQUAL = "<<=", SHIFT_RIGHT_EQUAL = ">>=", EQUAL_EQUAL = "==", NOT_EQUAL = "!=",
    LESS_EQUAL = "<=", GREATER_EQUAL = ">=", AND_AND = "&&", OR_OR = "||", PLUS_PLUS = "++",
    MINUS_MINUS = "--", HASH = "#", HASH_HASH = "##",
    ASM_GNU = "__asm__", ALIGNAS = "alignas", ALIGNOF = "alignof", ASM = "asm", AUTO = "auto", BOOL = "bool",
    BREAK = "break",
    CASE = "case", CATCH = "catch", CHAR = "char", CLASS = "class", CONST = "const", CONSTEVAL = "consteval",
    CONSTEXPR = "constexpr", CONSTINIT = "constinit", CONST_CAST = "const_cast", CONTINUE = "continue",
    CO_AWAIT = "co_await", CO_RETURN = "co_return", CO_YIELD = "co_yield", DECLTYPE = "decltype",
    DEFAULT = "default", DELETE = "delete", DO = "do", DOUBLE = "double", DYNAMIC_CAST = "dynamic_cast",
    ELSE = "else", ENUM = "enum", EXPLICIT = "explicit", EXTERN = "extern", FALSE = "false", FINAL = "final",
    FLOAT = "float", FOR = "for", FRIEND = "friend", GOTO = "goto", IF = "if", INLINE = "inline", INT = "int",
    LONG = "long", MUTABLE = "mutable", NAMESPACE = "namespace", NEW = "new", NOEXCEPT = "noexcept",
    NULLPTR = "nullptr", OPERATOR = "operator", OVERRIDE = "override", PRIVATE = "private",
    PROTECTED = "protected", PUBLIC = "public", REGISTER = "register", REINTERPRET_CAST = "reinterpret_cast",
    REQUIRES = "requires", RETURN = "return", SHORT = "short", SIGNED = "signed", SIZEOF = "sizeof",
    STATIC = "static", STATIC_ASSERT = "static_assert", STATIC_CAST = "static_cast", STRUCT = "struct",
    SWITCH = "switch", TEMPLATE = "template", THIS = "this", THREAD_LOCAL = "thread_local", THROW = "throw",
    TRUE = "true", TRY = "try", TYPEDEF = "typedef", TYPEID = "typeid", TYPENAME = "typename", UNION = "union",
    UNSIGNED = "unsigned", USING = "using", VIRTUAL = "virtual", VOID = "void", VOLATILE = "volatile",
    WCHAR_T = "wchar_t", CHAR8_T = "char8_t", CHAR16_T = "char16_t", CHAR32_T = "char32_t", WHILE = "while",
    CONCEPT = "concept", AND = "and", OR = "or", NOT = "not", BITAND = "bitand", BITOR = "bitor", XOR = "xor",
    COMPL = "compl", AND_EQ = "and_eq", OR_EQ = "or_eq", XOR_EQ = "xor_eq", NOT_EQ = "not_eq",
    LAST_KEYWORD = "export",
    DEFINE = "define", UNDEF = "undef", INCLUDE = "include", INCLUDE_NEXT = "include_next", IFDEF = "ifdef",
    IFNDEF = "ifndef", ELIF = "elif", ELIFDEF = "elifdef", ELIFNDEF = "elifndef", ENDIF = "endif",
    PRAGMA = "pragma", ONCE = "once", ERROR = "error", DEFINED = "defined", VA_ARGS = "__VA_ARGS__",
    VA_OPT = "__VA_OPT__", HAS_INCLUDE = "__has_include", LINE_MACRO = "__LINE__", FILE_MACRO = "__FILE__",
    COUNTER_MACRO = "__COUNTER__", AICORE = "aicore", HOST = "host", ATTRIBUTE = "__attribute__",
    ATTRIBUTE_SHORT = "__attribute", DECLSPEC = "__declspec", EXTENSION = "__extension__",
}

/// Returns whether a spelling is a keyword of C++.
pub(crate) fn is_keyword(sym: Sym) -> bool {
    let is_contextual = matches!(sym, FINAL | OVERRIDE | CONCEPT);
    (ALIGNAS..=LAST_KEYWORD).contains(&sym) && !is_contextual
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_spelling_has_one_number() {
        let mut symbols = Symbols::default();
        assert_eq!(symbols.of("("), OPEN);
        assert_eq!(symbols.text(LESS_EQUAL), "<=");
        assert_eq!(symbols.of("name"), symbols.of("name"));
        assert!(is_keyword(IF) && !is_keyword(OVERRIDE) && !is_keyword(DEFINE));
        assert_eq!(FIXED.len(), EXTENSION.0 as usize + 1);
    }
}
