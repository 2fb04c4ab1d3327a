" PTO assembly: operations, values, types, attributes.
if exists('b:current_syntax')
  finish
endif
syntax match ptoComment "//.*$"
syntax match ptoOperation "\<\(pto\|func\|arith\|scf\|memref\|module\)\.\h\w*\(\.\h\w*\)*"
syntax keyword ptoKeyword func module return ins outs
syntax match ptoMnemonic "\<T[A-Z][A-Z0-9_]\+\>"
syntax match ptoValue "%[0-9A-Za-z_$.-]\+\(#\d\+\)\?"
syntax match ptoSymbol "@[0-9A-Za-z_$.-]\+"
syntax match ptoType "!\h\w*\(\.\h\w*\)*"
syntax match ptoType "\<\([iuf]\d\+\|si\d\+\|ui\d\+\|bf16\|index\)\>"
syntax match ptoAttribute "#\h\w*\(\.\h\w*\)*"
syntax match ptoNumber "\<-\?\(0x\x\+\|\d\+\(\.\d\+\)\?\([eE][+-]\?\d\+\)\?\)\>"
syntax region ptoString start=+"+ skip=+\\"+ end=+"+
highlight default link ptoComment Comment
highlight default link ptoOperation Statement
highlight default link ptoKeyword Keyword
highlight default link ptoMnemonic Statement
highlight default link ptoValue Identifier
highlight default link ptoSymbol Function
highlight default link ptoType Type
highlight default link ptoAttribute PreProc
highlight default link ptoNumber Number
highlight default link ptoString String
let b:current_syntax = 'pto'
