-- Commands and links of a2lint. require('a2lint').setup{} is enough for every Neovim from 0.7 on.
local config = require('a2lint.config')
local M = {}

local function clients(buffer)
  local get = vim.lsp.get_clients or vim.lsp.get_active_clients
  return get({ bufnr = buffer, name = 'a2lint' })
end

-- Older versions do not filter by name.
local function client(buffer)
  for _, one in ipairs(clients(buffer)) do
    if one.name == 'a2lint' then
      return one
    end
  end
end

--- Has the server execute a command and hands the result on.
local function execute(command, argument, done)
  local one = client(vim.api.nvim_get_current_buf())
  if not one then
    return vim.notify('a2lint is not running in this buffer', vim.log.levels.WARN)
  end
  local params = { command = command, arguments = { argument } }
  local function answer(err, result)
    if err then
      vim.notify(err.message, vim.log.levels.ERROR)
    elseif result then
      done(result)
    end
  end
  if vim.fn.has('nvim-0.11') == 1 then
    one:request('workspace/executeCommand', params, answer)
  else
    one.request('workspace/executeCommand', params, answer)
  end
end

--- Shows lines in a window below.
local function show(title, text, filetype)
  local lines = vim.split(text, '\n', { plain = true })
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.api.nvim_buf_set_option(buffer, 'modifiable', false)
  vim.api.nvim_buf_set_option(buffer, 'bufhidden', 'wipe')
  vim.api.nvim_buf_set_option(buffer, 'filetype', filetype or 'a2lint')
  pcall(vim.api.nvim_buf_set_name, buffer, 'a2lint: ' .. title)
  vim.cmd('botright ' .. math.min(#lines + 1, 20) .. 'split')
  vim.api.nvim_win_set_buf(0, buffer)
  return buffer
end

--- Runs one of the server's commands about a kernel and shows its text.
function M.kernel_command(command)
  local argument = command.arguments[1]
  execute(command.command, argument, function(result)
    if not result.html then
      return show(result.title, result.text)
    end
    -- A page opens in the browser.
    local path = vim.fn.tempname() .. '.html'
    vim.fn.writefile(vim.split(result.html, '\n', { plain = true }), path)
    if vim.ui.open then
      vim.ui.open(path)
    else
      vim.notify('a2lint: the report is ' .. path)
    end
  end)
end

--- Runs the lens above the kernel around the cursor: 'a2lint.run', 'a2lint.showMemory' or 'a2lint.test'; another
--- command may take the kernel of the lens.
function M.at_cursor(name, command)
  local buffer = vim.api.nvim_get_current_buf()
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  local params = { textDocument = vim.lsp.util.make_text_document_params() }
  vim.lsp.buf_request(buffer, 'textDocument/codeLens', params, function(err, lenses)
    if err or not lenses then
      return
    end
    local best
    for _, lens in ipairs(lenses) do
      local start = lens.range.start.line
      local above = start <= line or best == nil
      if lens.command.command == name and above then
        if best == nil or start > best.range.start.line then
          best = lens
        end
      end
    end
    if not best then
      return vim.notify('there is no kernel here', vim.log.levels.WARN)
    end
    M.kernel_command({ command = command or name, arguments = best.command.arguments })
  end)
end

--- Shows the documentation of a rule.
function M.explain(rule)
  execute('a2lint.explain', rule, function(result)
    show(result.title, result.markdown, 'markdown')
  end)
end

local function make_commands()
  vim.api.nvim_create_user_command('A2lintRun', function()
    M.at_cursor('a2lint.run')
  end, { desc = 'Simulate the kernel around the cursor' })
  vim.api.nvim_create_user_command('A2lintReport', function()
    M.at_cursor('a2lint.run', 'a2lint.report')
  end, { desc = 'Open the report on the kernel around the cursor' })
  vim.api.nvim_create_user_command('A2lintMemory', function()
    M.at_cursor('a2lint.showMemory')
  end, { desc = 'Show the memory map of the kernel around the cursor' })
  vim.api.nvim_create_user_command('A2lintTest', function()
    M.at_cursor('a2lint.test')
  end, { desc = 'Try laws on the kernel around the cursor' })
  vim.api.nvim_create_user_command('A2lintExplain', function(opts)
    M.explain(opts.args)
  end, { nargs = 1, desc = 'Show the documentation of a rule' })
end

-- Lenses are run on the side of the client, so that their text can be shown.
local function take_lenses()
  vim.lsp.commands['a2lint.run'] = M.kernel_command
  vim.lsp.commands['a2lint.showMemory'] = M.kernel_command
  vim.lsp.commands['a2lint.test'] = M.kernel_command
end

--- Starts the server for a buffer, for versions without vim.lsp.enable().
local function start(buffer)
  local name = vim.api.nvim_buf_get_name(buffer)
  local found = vim.fs and vim.fs.find and vim.fs.find(config.root_markers, { upward = true, path = name })[1]
  local root = found and vim.fs.dirname(found) or vim.fn.getcwd()
  local options = config.client()
  options.name = 'a2lint'
  options.root_dir = root
  options.root_markers = nil
  if vim.lsp.start then
    return vim.lsp.start(options, { bufnr = buffer })
  end
  M.started = M.started or {}
  M.started[root] = M.started[root] or vim.lsp.start_client(options)
  vim.lsp.buf_attach_client(buffer, M.started[root])
end

--- Registers `a2lint dap` with nvim-dap, where that is installed: an adapter, and a configuration for the file of
--- the buffer.
function M.setup_dap()
  local found, dap = pcall(require, 'dap')
  if not found or dap.adapters.a2lint then
    return found
  end
  dap.adapters.a2lint = { type = 'executable', command = config.cmd()[1], args = { 'dap' } }
  for _, filetype in ipairs { 'python', 'cpp' } do
    dap.configurations[filetype] = dap.configurations[filetype] or {}
    table.insert(dap.configurations[filetype], {
      type = 'a2lint',
      request = 'launch',
      name = 'Kernel (a2lint)',
      program = '${file}',
      stopOnEntry = true,
    })
  end
  return true
end

--- Sets everything up. Options: cmd (a list), settings (the table under `a2lint.`).
function M.setup(options)
  options = options or {}
  config.user.cmd = options.cmd
  config.user.settings = options.settings or {}
  make_commands()
  take_lenses()
  M.setup_dap()
  if vim.lsp.enable then
    vim.lsp.config('a2lint', config.client())
    return vim.lsp.enable('a2lint')
  end
  vim.api.nvim_create_autocmd('FileType', {
    pattern = config.filetypes,
    callback = function(event)
      if config.concerns(event.buf) then
        start(event.buf)
      end
    end,
  })
end

return M
