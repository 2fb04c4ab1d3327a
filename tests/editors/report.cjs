// Clicks through the pages in a folder: memory, tile, finding, source. Ends with 1 where something is not there.
const assert = require("node:assert");
const fs = require("node:fs");
const { chromium } = require("playwright-core");

const folder = process.argv[2];
const MOST_MILLISECONDS = 1000;
const MOST_BYTES = 1_500_000;
const binaries = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

async function opened(browser, name, scheme) {
  const context = await browser.newContext({
    viewport: { width: 1400, height: 900 },
    colorScheme: scheme,
    offline: true,
  });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith("file:")) complaints.push(`asks for ${request.url()}`);
  });
  const start = performance.now();
  await page.goto(`file://${folder}/${name}.html`);
  await page.waitForSelector("#tabs button");
  return { page, complaints, milliseconds: performance.now() - start };
}

async function main() {
  const executablePath = binaries.find((path) => fs.existsSync(path));
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });

  // Opening a browser's first page takes time that is none of the page's.
  await (await opened(browser, "dup_narrow", "light")).page.close();
  const bytes = fs.statSync(`${folder}/flash_attention.html`).size;
  assert(bytes <= MOST_BYTES, `${bytes} bytes`);
  const flash = await opened(browser, "flash_attention", "light");
  assert(flash.milliseconds <= MOST_MILLISECONDS, `${flash.milliseconds} ms`);
  for (const [key, view] of [["2", "memory"], ["3", "timeline"], ["4", "tiles"], ["1", "findings"]]) {
    await flash.page.keyboard.press(key);
    await flash.page.waitForSelector(`[data-view=${view}][aria-selected=true]`);
    await flash.page.screenshot({ path: `${folder}/flash_attention-${view}.png` });
  }
  // A statement in a loop has several executions.
  let before = "";
  for (const row of await flash.page.locator(".row[role=button]").all()) {
    await row.click();
    before = (await flash.page.locator("#view label").textContent()) ?? "";
    if (/1 of [2-9]/.test(before)) break;
  }
  assert.match(before, /1 of [2-9]/);
  await flash.page.screenshot({ path: `${folder}/flash_attention-tiles.png` });
  await flash.page.keyboard.press("ArrowRight");
  assert.notStrictEqual(await flash.page.textContent("#view label"), before, "another execution");
  assert.deepStrictEqual(flash.complaints, []);

  // Memory, tile, finding, source.
  const broken = await opened(browser, "dup_narrow", "dark");
  const { page } = broken;
  await page.click("[data-view=memory]");
  await page.focus("[data-buffer=shift8]");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[data-view=tiles][aria-selected=true]");
  assert((await page.locator("canvas").count()) > 0, "a tile is drawn");
  await page.screenshot({ path: `${folder}/dup_narrow-tiles.png` });
  await page.click("[data-open-finding]");
  await page.waitForSelector(".finding.here");
  await page.screenshot({ path: `${folder}/dup_narrow-findings.png` });
  const link = page.locator(".finding.here button[data-line]").first();
  const line = await link.getAttribute("data-line");
  await link.click();
  await page.waitForSelector(`#line-${line}.here`);
  assert((await page.textContent(`#line-${line}`)).includes("dup("), "the source of the finding");
  await page.keyboard.press("j");
  await page.waitForSelector(".finding.here");
  assert.deepStrictEqual(broken.complaints, []);

  // The time over a size: every size is in the table, and what was run has a mark.
  for (const [name, scheme, sizes, left] of [["sizes", "light", 9, 0], ["steps", "dark", 8, 2]]) {
    const { page, complaints } = await opened(browser, name, scheme);
    await page.waitForSelector("[data-view=sizes][aria-selected=true]");
    assert.strictEqual(await page.locator("[data-size]").count(), sizes);
    assert.strictEqual(await page.locator("[data-point]").count(), sizes - left);
    const box = await page.locator("svg.plot").boundingBox();
    for (const text of await page.locator("svg.plot text").all()) {
      const { x, width } = await text.boundingBox();
      assert(x >= box.x && x + width <= box.x + box.width, "text inside of the plot");
    }
    await page.screenshot({ path: `${folder}/${name}.png` });
    await page.keyboard.press("1");
    await page.waitForSelector("[data-view=findings][aria-selected=true]");
    await page.keyboard.press("5");
    await page.waitForSelector("svg.plot");
    assert.deepStrictEqual(complaints, []);
  }
  await browser.close();
  console.log(`flash attention: ${bytes} bytes, open after ${Math.round(flash.milliseconds)} ms, all clicks led on`);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
