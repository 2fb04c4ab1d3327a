; What a kernel issues: calls that stand as statements, and `dst <<= src`.
; Which names are instructions is the instruction table's business.

(expression_statement
  .
  (call
    function: [
      (identifier) @instruction.name
      (attribute attribute: (identifier) @instruction.name)
    ]) @instruction.call
  .)

(augmented_assignment
  left: (_) @copy.dst
  operator: "<<=" @copy.operator
  right: (_) @copy.src) @copy
