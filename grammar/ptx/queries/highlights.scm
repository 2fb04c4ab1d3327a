; Comments and literals

(comment) @comment
(line_marker) @keyword.directive
(string) @string
(integer) @number
(float) @number.float

; Names

(identifier) @variable
((identifier) @variable.builtin
  (#match? @variable.builtin "^%(tid|ntid|laneid|warpid|nwarpid|ctaid|nctaid|smid|nsmid|gridid|clusterid|nclusterid|cluster_ctaid|cluster_nctaid|cluster_ctarank|cluster_nctarank|is_explicit_cluster|lanemask_(eq|le|lt|ge|gt)|clock|clock64|clock_hi|globaltimer|globaltimer_(lo|hi)|pm[0-9]+(_64)?|envreg[0-9]+|total_smem_size|dynamic_smem_size|aggr_smem_size|current_graph_exec)$"))
(member part: (modifier) @variable.member)
(label name: (identifier) @label)
(function name: (identifier) @function)
(parameter (declarator name: (identifier) @variable.parameter))
(application function: (identifier) @function.call)
(target_directive target: (identifier) @constant)

; Instructions

(instruction opcode: (identifier) @function.builtin)
(instruction (modifier) @attribute)
((instruction (modifier) @type.builtin)
  (#match? @type.builtin "^\\.(pred|[bsuf](8|16|32|64|128|256)|f16x2|bf16(x2)?|tf32|[su]16x2|e[2-5]m[0-9]+(x[24])?|b4x16|b6x16_p32|b8x16)$"))
((instruction (modifier) @keyword.storage)
  (#match? @keyword.storage "^\\.(global|local|const|tex|reg|sreg|(shared|param)(::[a-z]+)?)$"))
((instruction (modifier) @type)
  (#match? @type "^\\.kind::"))
((instruction (modifier) @property)
  (#match? @property "^\\.(cta_group|collector|scale_vec|multicast|mbarrier)::"))
((instruction (modifier) @keyword.modifier)
  (#match? @keyword.modifier "^\\.(volatile|relaxed|acquire|release|acq_rel|weak|mmio|sc|cta|cluster|gpu|sys|sync|async|aligned|uni)$"))
((instruction opcode: (identifier) @_jump operand: (identifier) @label)
  (#eq? @_jump "bra"))
((instruction opcode: (identifier) @_jump operand: (identifier) @variable operand: (identifier) @label)
  (#eq? @_jump "brx"))
((instruction opcode: (identifier) @_call operand: (identifier) @function.call)
  (#eq? @_call "call"))
((instruction opcode: (identifier) @keyword.return)
  (#any-of? @keyword.return "ret" "exit" "trap"))
(guard "@" @keyword.conditional)
(guard negated: _ @operator)
(guard predicate: (identifier) @variable)

; Declarations

(state_space) @keyword.storage
(linkage) @keyword.modifier
(variable type: (modifier) @type.builtin)
(parameter type: (modifier) @type.builtin)
(section_data type: (modifier) @type.builtin)
(section name: (_) @module)
(declarator "<" @punctuation.bracket count: (integer) @constant ">" @punctuation.bracket)
(directive name: (modifier) @keyword.directive)
(function_directive name: (modifier) @keyword.directive)

[
  ".version"
  ".target"
  ".address_size"
  ".file"
  ".loc"
  ".section"
  ".pragma"
  ".callprototype"
  ".align"
  ".attribute"
] @keyword.directive

[
  ".entry"
  ".func"
] @keyword.function

; Punctuation

[
  ","
  ";"
  ":"
] @punctuation.delimiter

[
  "("
  ")"
  "["
  "]"
  "{"
  "}"
] @punctuation.bracket

(unary operator: _ @operator)
(binary operator: _ @operator)
