-- Configuration for vim.lsp.enable('a2lint'), Neovim 0.11 and later.
return require('a2lint.config').client()
