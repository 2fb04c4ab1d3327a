vim.cmd([[autocmd BufRead,BufNewFile *.ptx setfiletype ptx]])
vim.cmd([[autocmd BufRead,BufNewFile *.pto setfiletype pto]])
vim.cmd([[autocmd BufRead,BufNewFile *.cce,*.asc setfiletype cpp]])
vim.cmd([[autocmd BufRead,BufNewFile *.mlir setfiletype mlir]])
