-- Debugs flash attention with nvim-dap. Run by nvim-dap.sh.
local root = ...
local dap = require('dap')
local PATIENCE = 20000

local function wait(what, condition)
  assert(vim.wait(PATIENCE, condition, 20), what)
  print('ok: ' .. what)
end

require('a2lint').setup({})
assert(dap.adapters.a2lint, 'the adapter is registered')
vim.cmd('edit ' .. root .. '/tests/kernels/flash_attention.py')
vim.bo.filetype = 'python'

local stops = {}
dap.listeners.after.event_stopped['test'] = function(_, body)
  table.insert(stops, body)
end

--- Waits for the next stop, and for the frame that nvim-dap shows of it.
local function stopped(what, number, line)
  wait(what, function()
    local frame = #stops == number and dap.session() and dap.session().current_frame
    return frame and (line == nil or frame.line == line)
  end)
end

local function evaluate(expression, context)
  local answer
  local frame = dap.session().current_frame.id
  local arguments = { expression = expression, frameId = frame, context = context or 'watch' }
  dap.session():evaluate(arguments, function(err, body)
    answer = err and err.message or body.result
  end)
  wait(expression, function()
    return answer ~= nil
  end)
  return answer
end

vim.fn.cursor(213, 1)
dap.set_breakpoint('vec1 iteration 0, 0')
dap.run(dap.configurations.python[#dap.configurations.python])
stopped('it stops before the first step', 1)
dap.continue()
stopped('it stops at the breakpoint', 2, 213)
assert(stops[2].reason == 'breakpoint')
assert(evaluate('ub_s[first][0:2, 0:4]'):find('^float %[2, 4%]: %-'), 'a tile has values')
assert(evaluate('undefined(ub_s[first])') == '0')
dap.step_over()
stopped('it goes a line further', 3, 214)
dap.step_back()
stopped('it goes back', 4, 213)
assert(evaluate('who ub_s[first][0, 0]', 'repl'):find('^line 208: muls'), 'somebody wrote it')
dap.reverse_continue()
stopped('it goes back to the start', 5)
dap.terminate()
wait('it ends', function()
  return dap.session() == nil
end)
vim.cmd('qa!')
