import { expect } from "vitest";
import { test } from "../../test/content-test.js";

const card = "4111 1111 1111 1111";
const family = "👩‍👩‍👧‍👦";

/** Selects each of the elements: as one selection of several ranges, which Firefox makes of cells and by Ctrl, and Chromium of nothing. */
const selectEach = `(...selectors) => {
  const ranges = selectors.map((selector) => {
    const range = document.createRange();
    range.selectNodeContents(document.querySelector(selector));
    return range;
  });
  const selection = {
    rangeCount: ranges.length,
    isCollapsed: false,
    getRangeAt: (index) => ranges[index],
    toString: () => ranges.map(String).join(""),
  };
  Document.prototype.getSelection = () => selection;
}`;

// A deep run has ends at every place of a number, others at a third of them.
const stride = process.env["TEST_DEEP"] === "1" ? 1 : 3;

test.for([
  ["the limit of the content", "{ contentBytesMax: 2000 + 3 * step }"],
  ["the time there is", "{ host: lab.ticking(60 + step) }"],
])("splits no number when %s cuts a selection of several parts, and says that it was cut", async ([, options], { browser }) => {
  const lines = Array.from({ length: 300 }, (_, index) => `<p>Line ${index} ${family}</p>`).join("");
  // Whichever ends it does so inside of the second part, and in the middle of a number.
  const numbers = `Paid with ${"<i>4111 </i><i>1111 </i><i>1111 </i><i>1111</i>, ".repeat(300)}`;
  const long = `<p>${numbers}</p>${lines}`;
  await using page = await browser.open(
    `<!doctype html><title>Parts</title><p id="first">The keeper ${family}<input></p><div id="second">${long}</div><p id="third">Third part, all of it</p>`,
  );
  const sent = await page.run(
    `async (lab) => {
      (${selectEach})("#first", "#second", "#third");
      const read = [];
      for (let step = 0; step < 12; step += ${stride}) {
        const { capture, sent } = lab.open(${options});
        await capture.selection();
        read.push(...sent);
      }
      return read;
    }` as unknown as () => Promise<{ content: string; metadata: object }[]>,
  );
  expect(sent).toHaveLength(12 / stride);
  for (const { content, metadata } of sent) {
    expect(metadata).toMatchObject({ truncated: true });
    expect(content.startsWith(`The keeper ${family}\nPaid with ${card}`)).toBe(true);
    expect(content.isWellFormed()).toBe(true);
    // Whole numbers are the filter's, and half of one would pass it.
    expect(content.replaceAll(card, "")).not.toMatch(/\d{4}/);
  }
});

test("parts of a selection share the limit, and all of them are there when they fit", async ({ browser }) => {
  const parts = ["one", "two", "three"].map((id) => `<p id="${id}"><input>${id} ${`${id} `.repeat(200)}</p>`).join("");
  await using page = await browser.open(`<!doctype html><title>Parts</title><div id="all">${parts}</div>`);
  const sent = await page.run(
    `async (lab) => {
      (${selectEach})("#one", "#two", "#three");
      const read = [];
      for (const contentBytesMax of [100_000, 1_500]) {
        const { capture, sent } = lab.open({ contentBytesMax});
        await capture.selection();
        read.push(...sent);
      }
      return read;
    }` as unknown as () => Promise<{ content: string; metadata: object }[]>,
  );
  const [whole, cut] = sent;
  expect(whole?.metadata).not.toHaveProperty("truncated");
  expect(whole?.content).toMatch(/^one .*two .*three$/s);
  expect(cut?.metadata).toMatchObject({ truncated: true });
  expect(cut?.content).toMatch(/^one .*two$/s);
  expect(new TextEncoder().encode(cut?.content).length).toBeLessThanOrEqual(1_500);
});

test("drops half a surrogate pair at both ends of a selection", async ({ browser }) => {
  await using page = await browser.open(
    `<!doctype html><title>Halves</title><p id="tower">🗼 tower 🗼</p><p id="field"><input value="x"></p>`,
  );
  const sent = await page.run(async (lab) => {
    const { capture, sent } = lab.open();
    const text = (document.querySelector("#tower") as Element).firstChild as Text;
    getSelection()?.setBaseAndExtent(text, 1, text, text.length - 1);
    await capture.selection();
    // And node by node.
    getSelection()?.setBaseAndExtent(text, 1, document.querySelector("#field") as Element, 1);
    await capture.selection();
    return sent;
  });
  // Browsers do not agree whether a pair that is selected half is read.
  for (const { content } of sent) {
    expect(content.trim()).toMatch(/^tower(?: 🗼)?$/u);
    expect(content.isWellFormed()).toBe(true);
  }
  expect(sent).toHaveLength(2);
});
