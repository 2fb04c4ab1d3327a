-- Links to rules (a2lint:/rules/NAME.md) open as documentation.
if vim.g.loaded_a2lint then
  return
end
vim.g.loaded_a2lint = true

vim.api.nvim_create_autocmd('BufReadCmd', {
  pattern = 'a2lint:/*',
  callback = function(event)
    local rule = event.match:match('([%w-]+)%.md$')
    if rule then
      require('a2lint').explain(rule)
    end
  end,
})
