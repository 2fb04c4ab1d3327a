; Highlights of the DSL, to be laid over those of Python (the later capture wins).

; Instructions and other calls that stand as statements.
(expression_statement
  .
  (call
    function: [
      (identifier) @function.call
      (attribute attribute: (identifier) @function.method.call)
    ])
  .)

; `dst <<= src` moves data.
(augmented_assignment operator: "<<=" @keyword.operator)

; Types of values.
((identifier) @type.builtin
  (#any-of? @type.builtin
    "Tensor" "DBuff" "TBuff" "QBuff" "GMTensor" "GMTensorList" "GM" "GMList" "GMBuff" "Var"
    "SEvent" "DEvent" "TEvent" "QEvent" "CvMutex" "VcMutex"))

; Enumerations and their members.
(attribute
  object: [
    (identifier) @type
    (attribute attribute: (identifier) @type)
  ]
  attribute: (identifier) @constant
  (#any-of? @type "DT" "Position" "Pipe" "RoundMode" "CompareMode" "SelectMode" "Layout"))

; Decorators.
(decorator
  [
    (identifier) @attribute
    (attribute attribute: (identifier) @attribute)
    (call function: (identifier) @attribute)
    (call function: (attribute attribute: (identifier) @attribute))
  ]
  (#any-of? @attribute "kernel" "func"))

; Device control flow.
(for_statement
  right: (call
    function: [
      (identifier) @keyword.repeat
      (attribute attribute: (identifier) @keyword.repeat)
    ])
  (#any-of? @keyword.repeat "range" "unroll"))

(with_item
  value: (call
    function: [
      (identifier) @keyword.directive
      (attribute attribute: (identifier) @keyword.directive)
    ])
  (#any-of? @keyword.directive
    "auto_sync" "vec_scope" "cube_scope" "atomic_add" "atomic_max" "atomic_min" "If" "Elif" "Else"))
