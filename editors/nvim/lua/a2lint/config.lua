-- What every way of starting the server shares.
local M = {}

M.filetypes = { 'python', 'cpp', 'cuda', 'ptx', 'pto', 'mlir' }
M.root_markers = { 'a2lint.toml', 'pyproject.toml', '.git' }

--- What the user has set with require('a2lint').setup{}.
M.user = { cmd = nil, settings = {} }

--- The command that starts the server: the setting, then the environment, then PATH.
function M.cmd()
  if M.user.cmd then
    return M.user.cmd
  end
  local binary = vim.env.A2LINT
  if binary == nil or binary == '' then
    binary = 'a2lint'
  end
  return { binary, 'lsp' }
end

--- What every Neovim can, and that links to rules open (plugin/a2lint.lua).
local function capabilities()
  local can = vim.lsp.protocol.make_client_capabilities()
  return vim.tbl_deep_extend('force', can, { experimental = { a2lint = { ruleLinks = true } } })
end

--- The client as vim.lsp.config() takes it.
function M.client()
  return {
    cmd = M.cmd(),
    capabilities = capabilities(),
    filetypes = M.filetypes,
    root_markers = M.root_markers,
    settings = { a2lint = M.user.settings },
    init_options = M.user.settings,
  }
end

return M
