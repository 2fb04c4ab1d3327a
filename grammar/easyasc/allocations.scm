; Buffers, device scalars, events and mutexes that are bound to a name.

(assignment
  left: (identifier) @allocation.name
  right: (call
    function: [
      (identifier) @allocation.constructor
      (attribute attribute: (identifier) @allocation.constructor)
    ]) @allocation.call
  (#any-of? @allocation.constructor
    "Tensor" "DBuff" "TBuff" "QBuff" "GMTensor" "GMBuff" "split_workspace" "Var"
    "SEvent" "DEvent" "TEvent" "QEvent" "CvMutex" "VcMutex"))
