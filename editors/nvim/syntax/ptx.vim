" PTX: directives, registers, types, numbers.
if exists('b:current_syntax')
  finish
endif
syntax match ptxComment "//.*$"
syntax region ptxComment start="/\*" end="\*/"
syntax match ptxDirective "^\s*\.\(version\|target\|address_size\|visible\|entry\|func\|extern\|reg\|param\|shared\|global\|local\|const\|align\|maxntid\|reqntid\|pragma\)\>"
syntax match ptxType "\.\(pred\|b8\|b16\|b32\|b64\|b128\|u8\|u16\|u32\|u64\|s8\|s16\|s32\|s64\|f16\|f16x2\|bf16\|f32\|f64\)\>"
syntax match ptxInstruction "^\s*\(@!\?%\w\+\s\+\)\?\zs\a\w*\ze[. \t;]"
syntax match ptxRegister "%\w\+\(\.[xyzw]\)\?"
syntax match ptxNumber "\<\(0[xX]\x\+\|0[fF]\x\{8}\|0[dD]\x\{16}\|\d\+\)U\?\>"
syntax match ptxLabel "^\s*\$\?\w\+:"
syntax region ptxString start=+"+ end=+"+
highlight default link ptxComment Comment
highlight default link ptxDirective PreProc
highlight default link ptxType Type
highlight default link ptxInstruction Statement
highlight default link ptxRegister Identifier
highlight default link ptxNumber Number
highlight default link ptxLabel Label
highlight default link ptxString String
let b:current_syntax = 'ptx'
