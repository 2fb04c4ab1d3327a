/**
 * @file PTX, NVIDIA's virtual instruction set: modules as compilers write them, fragments as inline
 * assembly holds them.
 *
 * The grammar knows the shape of PTX, not its vocabulary: any word can be an opcode, any dotted word
 * a modifier or a type. Statements may stand outside functions, so that the text of an `asm`
 * statement is a source file, and so that a damaged function header does not cost its body.
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

const commaSep1 = (rule) => seq(rule, repeat(seq(",", rule)));
const commaSep = (rule) => optional(commaSep1(rule));

const PREC = {
  conditional: 1,
  logical_or: 2,
  logical_and: 3,
  or: 4,
  xor: 5,
  and: 6,
  equality: 7,
  relation: 8,
  shift: 9,
  sum: 10,
  product: 11,
  unary: 12,
};

module.exports = grammar({
  name: "ptx",

  // `.reg` and its like are dotted words, as modifiers are: what is not a keyword where it stands is
  // a modifier.
  word: ($) => $.modifier,

  extras: ($) => [/\s/, $.comment, $.line_marker],

  supertypes: ($) => [$._operand],

  rules: {
    source_file: ($) => repeat($._item),

    _item: ($) => choice($.function, $._statement),

    comment: (_) =>
      token(choice(/\/\/[^\n]*/, seq("/*", /[^*]*\*+([^/*][^*]*\*+)*/, "/"))),

    // What preprocessors leave behind: `# 12 "file.cu"`.
    line_marker: (_) => /#[^\n]*/,

    // Module directives: these end without a semicolon.

    version_directive: ($) =>
      seq(".version", field("version", choice($.float, $.integer))),

    target_directive: ($) =>
      seq(".target", commaSep1(field("target", $.identifier))),

    address_size_directive: ($) =>
      seq(".address_size", field("bits", $.integer)),

    file_directive: ($) =>
      seq(
        ".file",
        $.integer,
        field("path", $.string),
        optional(seq(",", $.integer, ",", $.integer)),
      ),

    loc_directive: ($) =>
      seq(
        ".loc",
        field("file", $.integer),
        field("line", $.integer),
        field("column", $.integer),
        optional(
          seq(
            ",",
            "function_name",
            $.identifier,
            optional(seq("+", $.integer)),
            ",",
            "inlined_at",
            $.integer,
            $.integer,
            $.integer,
          ),
        ),
      ),

    section: ($) =>
      seq(
        ".section",
        field("name", choice($.modifier, $.identifier)),
        "{",
        repeat(choice($.label, $.section_data)),
        "}",
      ),

    section_data: ($) =>
      seq(field("type", $.modifier), commaSep1($._section_value)),

    _section_value: ($) =>
      choice(
        $.integer,
        $.modifier,
        seq(
          $.identifier,
          repeat(seq(choice("+", "-"), choice($.identifier, $.integer))),
        ),
      ),

    // Directives that end with a semicolon.

    pragma_directive: ($) => seq(".pragma", commaSep1($.string), ";"),

    call_prototype: ($) =>
      seq(
        ".callprototype",
        optional(field("returns", $.parameter_list)),
        field("name", $.identifier),
        optional(field("parameters", $.parameter_list)),
        repeat($.function_directive),
        ";",
      ),

    directive: ($) => seq(field("name", $.modifier), commaSep($._operand), ";"),

    // Functions.

    function: ($) =>
      seq(
        repeat($.linkage),
        field("kind", choice(".entry", ".func")),
        repeat($.attribute),
        optional(field("returns", $.parameter_list)),
        field("name", $.identifier),
        optional(field("parameters", $.parameter_list)),
        repeat(choice($.function_directive, $.pragma_directive)),
        choice(field("body", $.block), ";"),
      ),

    linkage: (_) => choice(".extern", ".visible", ".weak", ".common"),

    parameter_list: ($) => seq("(", commaSep($.parameter), ")"),

    parameter: ($) =>
      seq(field("space", $.state_space), repeat($._type), $.declarator),

    // `.maxntid 128, 1, 1`, `.noreturn`.
    function_directive: ($) =>
      prec.right(seq(field("name", $.modifier), commaSep($.integer))),

    block: ($) => seq("{", repeat($._item), "}"),

    // Statements.

    _statement: ($) =>
      choice(
        $.version_directive,
        $.target_directive,
        $.address_size_directive,
        $.file_directive,
        $.loc_directive,
        $.section,
        $.pragma_directive,
        $.call_prototype,
        $.directive,
        $.variable,
        $.label,
        $.instruction,
        $.block,
        ";",
      ),

    label: ($) => seq(field("name", $.identifier), ":"),

    variable: ($) =>
      seq(
        repeat($.linkage),
        field("space", $.state_space),
        repeat($._type),
        commaSep1($.declarator),
        ";",
      ),

    state_space: (_) =>
      choice(
        ".reg",
        ".sreg",
        ".param",
        ".local",
        ".shared",
        ".global",
        ".const",
        ".tex",
      ),

    _type: ($) => choice($.alignment, $.attribute, field("type", $.modifier)),

    alignment: ($) => seq(".align", $.integer),

    attribute: ($) =>
      seq(
        ".attribute",
        "(",
        commaSep1(
          seq(
            $.modifier,
            optional(seq("(", commaSep1($.integer), ")")),
          ),
        ),
        ")",
      ),

    declarator: ($) =>
      seq(
        field("name", $.identifier),
        optional(seq("<", field("count", $.integer), ">")),
        repeat($.array_extent),
        optional(seq("=", field("value", $._operand))),
      ),

    array_extent: ($) => seq("[", optional($._operand), "]"),

    instruction: ($) =>
      seq(
        optional($.guard),
        field("opcode", $.identifier),
        repeat($.modifier),
        commaSep(field("operand", $._operand)),
        ";",
      ),

    guard: ($) =>
      seq(
        "@",
        optional(field("negated", "!")),
        field("predicate", $.identifier),
      ),

    // Operands.

    _operand: ($) =>
      choice(
        $.identifier,
        $.member,
        $.integer,
        $.float,
        $.string,
        $.address,
        $.vector,
        $.list,
        $.application,
        $.unary,
        $.binary,
        $.conditional,
      ),

    // `%tid.x`, `%r1.b0`.
    member: ($) =>
      seq(field("base", $.identifier), field("part", $.modifier)),

    address: ($) => seq("[", commaSep1($._operand), "]"),

    vector: ($) => seq("{", commaSep($._operand), "}"),

    // Arguments of a call; an expression in parentheses is a list of one.
    list: ($) => seq("(", commaSep($._operand), ")"),

    // `generic(x)` in initialisers.
    application: ($) =>
      seq(field("function", $.identifier), field("arguments", $.list)),

    unary: ($) =>
      prec(
        PREC.unary,
        seq(
          field("operator", choice("-", "+", "!", "~")),
          field("argument", $._operand),
        ),
      ),

    // `%p|%q` names two predicates: an expression like any other here.
    binary: ($) =>
      choice(
        ...[
          ["||", PREC.logical_or],
          ["&&", PREC.logical_and],
          ["|", PREC.or],
          ["^", PREC.xor],
          ["&", PREC.and],
          ["==", PREC.equality],
          ["!=", PREC.equality],
          ["<", PREC.relation],
          ["<=", PREC.relation],
          [">", PREC.relation],
          [">=", PREC.relation],
          ["<<", PREC.shift],
          [">>", PREC.shift],
          ["+", PREC.sum],
          ["-", PREC.sum],
          ["*", PREC.product],
          ["/", PREC.product],
        ].map(([operator, precedence]) =>
          prec.left(
            precedence,
            seq(
              field("left", $._operand),
              field("operator", operator),
              field("right", $._operand),
            ),
          ),
        ),
      ),

    conditional: ($) =>
      prec.right(
        PREC.conditional,
        seq(
          field("condition", $._operand),
          "?",
          field("consequence", $._operand),
          ":",
          field("alternative", $._operand),
        ),
      ),

    // `%0` and `%name` of inline assembly are names too, and so is the sink `_`.
    identifier: (_) => /[A-Za-z_$%][A-Za-z0-9_$]*/,

    // `.b64`, `.cta_group::1`; one colon is a common slip for two.
    modifier: (_) => /\.[A-Za-z0-9_$]+(::?[A-Za-z0-9_$]+)*/,

    integer: (_) => /0[xX][0-9a-fA-F]+U?|0[bB][01]+U?|[0-9]+U?/,

    float: (_) =>
      /0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}|[0-9]+\.[0-9]*([eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+/,

    string: (_) => /"([^"\\\n]|\\.)*"/,
  },
});
