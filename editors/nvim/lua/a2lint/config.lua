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

--- Words that a C++ or CUDA file holds if it is for a2lint.
local words = { 'kernel_operator%.h', '__aicore__', 'AscendC', 'TSEL', 'TCMP', 'TASSIGN', 'tcgen05' }

--- Whether the server runs already.
local function is_running()
  for _, one in ipairs((vim.lsp.get_clients or vim.lsp.get_active_clients)()) do
    if one.name == 'a2lint' then
      return true
    end
  end
  return false
end

--- Whether a buffer is for a2lint: C++ without device code does not start it. Once it runs, it is told of headers.
function M.concerns(buffer)
  local filetype = vim.api.nvim_buf_get_option(buffer, 'filetype')
  if filetype ~= 'cpp' and filetype ~= 'cuda' then
    return true
  end
  if is_running() then
    return true
  end
  local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
  for _, word in ipairs(words) do
    if text:find(word) then
      return true
    end
  end
  return false
end

--- Tells Neovim the root of a buffer's project. Without an answer, no server is started for the buffer.
local function root_dir(buffer, found)
  if M.concerns(buffer) then
    found(vim.fs.root(buffer, M.root_markers) or vim.fn.getcwd())
  end
end

--- The client as vim.lsp.config() takes it.
function M.client()
  return {
    cmd = M.cmd(),
    capabilities = capabilities(),
    filetypes = M.filetypes,
    root_markers = M.root_markers,
    root_dir = root_dir,
    settings = { a2lint = M.user.settings },
    init_options = M.user.settings,
  }
end

return M
