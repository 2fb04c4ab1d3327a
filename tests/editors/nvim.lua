-- Run inside of headless Neovim by nvim.sh: diagnostics, hover, fix, commands.
local function fail(message)
  io.stderr:write('FAILED: ' .. message .. '\n')
  vim.cmd('cquit 1')
end

local function wait(what, condition)
  if not vim.wait(20000, condition, 20) then
    fail('waited in vain for ' .. what)
  end
end

local function check(condition, message)
  if not condition then
    fail(message)
  end
  io.stdout:write('ok: ' .. message .. '\n')
end

local ok, err = xpcall(function()
  local buffer = vim.api.nvim_get_current_buf()
  require('a2lint').setup({ settings = { hover = { budgetMs = 5000 } } })
  vim.cmd('setfiletype python')
  vim.cmd('doautocmd FileType python')

  local function codes()
    local found = {}
    for _, diagnostic in ipairs(vim.diagnostic.get(buffer)) do
      local code = diagnostic.code or (diagnostic.user_data and diagnostic.user_data.lsp.code)
      found[code] = diagnostic
    end
    return found
  end

  wait('diagnostics', function()
    return codes()['dup-coverage'] ~= nil and codes()['no-effect'] ~= nil
  end)
  check(codes()['dup-coverage'].lnum == 11, 'the finding stands on its line')

  wait('what the machine shows', function()
    return codes()['gm-out-of-bounds'] ~= nil
  end)
  check(codes()['dup-coverage'] ~= nil, 'what the machine shows joins what was found before')

  local function request(method, params)
    local answers = vim.lsp.buf_request_sync(buffer, method, params, 20000)
    for _, answer in pairs(answers or {}) do
      return answer.result
    end
  end
  local document = { uri = vim.uri_from_bufnr(buffer) }

  local hover = request('textDocument/hover', {
    textDocument = document,
    position = { line = 11, character = 9 },
  })
  local text = hover and hover.contents.value or ''
  io.stdout:write(text .. '\n')
  check(text:find('after this statement', 1, true) ~= nil, 'the hover has simulated the kernel')
  check(text:find('0.2500', 1, true) ~= nil, 'the hover shows values')

  local diagnostic = codes()['dup-coverage']
  local range = {
    start = { line = diagnostic.lnum, character = diagnostic.col },
    ['end'] = { line = diagnostic.lnum, character = diagnostic.col },
  }
  local actions = request('textDocument/codeAction', {
    textDocument = document,
    range = range,
    context = { diagnostics = {} },
  })
  local fix
  for _, action in ipairs(actions or {}) do
    if not fix and action.edit and not action.title:find('^Ignore') then
      fix = action
    end
  end
  check(fix ~= nil, 'there is a fix')
  vim.lsp.util.apply_workspace_edit(fix.edit, 'utf-16')
  wait('the finding to vanish', function()
    local found = codes()
    return found['dup-coverage'] == nil and found['no-effect'] ~= nil
  end)
  check(true, 'the fix "' .. fix.title .. '" has removed its finding')

  vim.cmd('undo')
  wait('the finding to come back', function()
    return codes()['dup-coverage'] ~= nil
  end)
  vim.api.nvim_win_set_cursor(0, { 12, 0 })
  vim.cmd('A2lintRun')
  wait('the report', function()
    return vim.api.nvim_buf_get_name(0):find('scale', 1, true) ~= nil
  end)
  local report = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  check(report:find('gm-out-of-bounds', 1, true) ~= nil, 'the run reports what it found')
  vim.cmd('close')

  vim.cmd('A2lintExplain dup-coverage')
  wait('the documentation', function()
    return vim.bo.filetype == 'markdown'
  end)
  check(vim.fn.getline(1):find('dup%-coverage') ~= nil, 'rules are explained')
  vim.cmd('close')

  if vim.lsp.inlay_hint then
    local hints = request('textDocument/inlayHint', {
      textDocument = document,
      range = { start = { line = 0, character = 0 }, ['end'] = { line = 30, character = 0 } },
    })
    check(#hints > 3, 'there are inlay hints')
  end

  -- Two files in C++: what a header says changes what is found in the file that includes it.
  local folder = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':h')
  local function edit(name)
    vim.cmd('edit ' .. folder .. '/' .. name)
    vim.cmd('setfiletype cpp')
    vim.cmd('doautocmd FileType cpp')
    return vim.api.nvim_get_current_buf()
  end
  buffer = edit('gather.cpp')
  wait('the server to read the file in C++', function()
    local answer = request('textDocument/hover', {
      textDocument = { uri = vim.uri_from_bufnr(buffer) },
      position = { line = 21, character = 6 },
    })
    return answer ~= nil and answer.contents.value:find('pattern_number 1', 1, true) ~= nil
  end)
  check(codes()['gather-mask-arguments'] == nil, 'the pattern of the header is a legal one')
  local header = edit('blend.h')
  vim.api.nvim_buf_set_lines(header, 1, 2, false, { 'constexpr int PATTERN = 9;' })
  wait('the finding in the file that includes the header', function()
    return codes()['gather-mask-arguments'] ~= nil
  end)
  check(codes()['gather-mask-arguments'].lnum == 21, 'an edited header shows where it is included')
  vim.api.nvim_buf_set_lines(header, 1, 2, false, { 'constexpr int PATTERN = 2;' })
  wait('the finding to go with the next edit', function()
    return codes()['gather-mask-arguments'] == nil
  end)
  check(true, 'and goes with the next edit of it')
end, debug.traceback)
if not ok then
  fail(err)
end
io.stdout:write('passed in Neovim ' .. tostring(vim.version().major) .. '.' .. tostring(vim.version().minor) .. '\n')
vim.cmd('qall!')
