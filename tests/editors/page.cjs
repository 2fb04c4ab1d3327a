// What the scripts that drive VS Code in a browser have in common.

function check(condition, message) {
  if (!condition) {
    throw new Error(message);
  }
  console.log(`ok: ${message}`);
}

/** Runs a command of the palette. */
async function run(page, command) {
  await page.keyboard.press("F1");
  await page.locator(".quick-input-widget input").first().fill(`>${command}`);
  await page.locator(".quick-input-list .monaco-list-row", { hasText: command }).first().waitFor();
  await page.keyboard.press("Enter");
}

/** Opens a file at a line, which comes to the middle. */
async function open(page, name, line) {
  await page.keyboard.press("Control+P");
  await page.locator(".quick-input-widget input").first().fill(name);
  // Enter takes the row that is chosen; a line by itself would be one of the file that is open.
  const chosen = page.locator(".quick-input-list .monaco-list-row.focused", { hasText: name }).first();
  await chosen.waitFor();
  await page.keyboard.type(`:${line}`);
  await chosen.waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".tab.active", { hasText: name }).waitFor();
  await page.waitForTimeout(500);
}

/** Clicks a lens until it answers: a lens that is about to be drawn anew takes no click. `selector` and `text` find what
 * it opens. */
async function lens(page, title, selector, text) {
  const opened = text ? page.locator(selector, { hasText: text }) : page.locator(selector);
  const shown = typeof title === "string" ? page.getByText(title, { exact: true }) : page.getByText(title);
  for (let attempt = 0; attempt < 6; attempt++) {
    await shown.first().click();
    try {
      await opened.first().waitFor({ timeout: 5_000 });
      return;
    } catch (error) {
      if (error.name !== "TimeoutError") throw error;
    }
  }
  throw new Error(`the lens ${title} opens no ${text || selector}`);
}

module.exports = { check, lens, open, run };
