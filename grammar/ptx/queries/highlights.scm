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
((instruction opcode: (identifier) @keyword.return)
  (#any-of? @keyword.return "ret" "exit" "trap"))
(guard "@" @operator)
(guard predicate: (identifier) @variable)

; Declarations

(state_space) @keyword.storage
(linkage) @keyword.modifier
(variable type: (modifier) @type.builtin)
(parameter type: (modifier) @type.builtin)
(section_data type: (modifier) @type.builtin)
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
