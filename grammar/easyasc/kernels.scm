; Kernels. `kernel` may be written bare, as a call, or behind a module (`m.kernel(...)`).

(decorated_definition
  (decorator
    [
      (identifier) @_word
      (attribute attribute: (identifier) @_word)
      (call function: (identifier) @_word)
      (call function: (attribute attribute: (identifier) @_word))
    ])
  definition: (function_definition)
  (#eq? @_word "kernel")) @kernel.definition

; `from easyasc.a2 import kernel as k`: a query cannot follow the new name, so it hands out the
; alias and every decorated function; the reader joins them.

(import_from_statement
  name: (aliased_import
    name: (dotted_name . (identifier) @import.name .)
    alias: (identifier) @import.alias)
  (#eq? @import.name "kernel"))

(decorated_definition
  (decorator
    [
      (identifier) @candidate.word
      (call function: (identifier) @candidate.word)
    ])
  definition: (function_definition)) @candidate.definition
