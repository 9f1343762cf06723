import TurndownService from "turndown";
import { fitBytes } from "../fit-text.js";
import type { Slices } from "./slices.js";

const firstRow = "data-first-row";
const elementsAtOnce = 300;

/** Writes what is in an element of a copy as markdown, piece by piece, as far as it fits. Changes what it writes. */
export async function writeMarkdown(root: Element, { slices, bytesMax }: { slices: Slices; bytesMax: number }) {
  const parts: string[] = [];
  let left = bytesMax;
  for (const table of Array.from(root.querySelectorAll("table"))) {
    if (isLayout(table)) unwrap(table);
    else {
      table.rows[0]?.setAttribute(firstRow, "");
      putCellsOnOneLine(table);
    }
  }
  for (const { whole, isNext } of piecesOf(root)) {
    const text = writer.turndown(whole).trim();
    if (text !== "") {
      const part = parts.length === 0 ? text : `${isNext ? "\n" : "\n\n"}${text}`;
      const { bytes, end } = fitBytes(part, left);
      left -= bytes;
      parts.push(part.slice(0, end));
      if (end < part.length) return { text: parts.join(""), isTruncated: true };
    }
    if (slices.isOver()) return { text: parts.join(""), isTruncated: true };
    await slices.yieldToEventLoop();
  }
  return { text: parts.join(""), isTruncated: false };
}

interface Piece {
  whole: HTMLElement;
  /** Where the children go: into a part of the list or table that the piece continues. */
  into: Element;
  isNext: boolean;
}

/** Cuts an element into pieces: turndown needs more than twice the time for twice as much. */
function* piecesOf(element: Element, isNext = false): Generator<Piece> {
  let done = 0;
  let size = 0;
  let piece = begin();
  for (const child of Array.from(element.childNodes)) {
    const isElement = child instanceof Element;
    const elements = isElement ? child.getElementsByTagName("*").length + 1 : 1;
    const isOpened = isElement && elements > elementsAtOnce && opened.has(child.localName);
    // Words of one line stay together.
    if (size > 0 && (isOpened || (size + elements > elementsAtOnce && isElement && !inline.has(child.localName)))) {
      yield piece;
      isNext = true;
      piece = begin();
      size = 0;
    }
    if (isElement) done += 1;
    if (isOpened) {
      yield* piecesOf(child, isNext && continued.has(child.localName));
      isNext = true;
      piece = begin();
    } else {
      piece.into.append(child);
      size += elements;
    }
  }
  if (size > 0) yield piece;

  function begin(): Piece {
    const whole = element.ownerDocument.createElement("div");
    if (!continued.has(element.localName)) return { whole, into: whole, isNext: false };
    const into = element.cloneNode(false) as Element;
    if (element.localName === "ol") into.setAttribute("start", String(Number(element.getAttribute("start") ?? 1) + done));
    const around = rowGroups.has(element.localName) ? element.ownerDocument.createElement("table") : whole;
    around.append(into);
    if (around !== whole) whole.append(around);
    return { whole, into, isNext };
  }
}

const names = (list: string): ReadonlySet<string> => new Set(list.split(" "));
const rowGroups = names("thead tbody tfoot");
const continued = names("ul ol table thead tbody tfoot");
const opened = names(
  "address article aside body center div dl fieldset figure footer form header main nav section ul ol table tbody tfoot thead",
);
const inline = names("a b br code em i img span strong sub sup");

/** What one line of a table does not show. */
const structure = "table,ul,ol,h1,h2,h3,h4,h5,h6,blockquote,hr";

/** Whether a table only places things on the page: it has one column, code in it, or cells with lists and the like in most of its rows. */
function isLayout(table: HTMLTableElement): boolean {
  const rows = Array.from(table.rows).filter(({ cells }) => cells.length > 1);
  const simple = rows.filter((row) => row.querySelector(structure) === null);
  return simple.length <= rows.length / 2 || table.querySelector("pre") !== null;
}

/** Turns lists, headings and tables in cells into text. Semicolons separate the items of a list. */
function putCellsOnOneLine(table: HTMLTableElement): void {
  for (const item of Array.from(table.querySelectorAll("li:not(:last-child)"))) item.append(";");
  for (const part of Array.from(table.querySelectorAll(structure))) unwrap(part);
}

/** Replaces an element and its rows, cells or items with plain blocks. */
function unwrap(element: Element): void {
  const own = Array.from(element.querySelectorAll("caption,thead,tbody,tfoot,tr,td,th,li"));
  for (const part of [element, ...own.filter((part) => part.closest("table,ul,ol") === element)]) {
    const div = part.ownerDocument.createElement("div");
    div.append(...Array.from(part.childNodes));
    part.replaceWith(div);
  }
}

const columnsOf = (row: Element): number =>
  Math.max(
    1,
    Array.from(row.children).reduce((sum, cell) => sum + Math.min(100, Number(cell.getAttribute("colspan") ?? 1) || 1), 0),
  );

const writer = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-", hr: "---", br: "" });
// No marks inside text: the filter must recognise a number of which a part is bold.
Object.assign(writer.options, { emDelimiter: "", strongDelimiter: "" });
writer.escape = (text) => text;
const isWebLink = (node: Element) => node.localName === "a" && /^https?:/.test(node.getAttribute("href") ?? "");
writer.addRule("other links", { filter: (node) => node.localName === "a" && !isWebLink(node), replacement: (content) => content });
writer.addRule("links", {
  filter: isWebLink,
  replacement(content, node) {
    const words = content.replaceAll(/\s+/g, " ").trim();
    // A link around blocks, or around a picture without words, is written without its address.
    if (words === "" || /\n\s*\n/.test(content.trim())) return content;
    // Not every reader of Markdown counts parentheses.
    const address = (node.getAttribute("href") ?? "").replaceAll("(", "%28").replaceAll(")", "%29");
    return `${/^\s*/.exec(content)?.[0]}[${words}](${address})${/\s*$/.exec(content)?.[0]}`;
  },
});
writer.addRule("pictures", {
  filter: "img",
  replacement(_, node) {
    const words = (node.getAttribute("alt") ?? "").replaceAll(/\s+/g, " ").trim();
    const source = node.getAttribute("src");
    return words === "" || source === null ? words : `![${words}](${source})`;
  },
});
writer.addRule("items", {
  filter: "li",
  replacement(content, node) {
    const { parentElement: list } = node;
    const isCounted = list?.localName === "ol";
    const index = isCounted ? Array.from(list.children).indexOf(node) : 0;
    const mark = isCounted ? `${Number(list.getAttribute("start") ?? 1) + index}. ` : "- ";
    const text = content
      .trim()
      .replaceAll(/\n{2,}/g, "\n")
      .replaceAll("\n", `\n${" ".repeat(mark.length)}`);
    return text === "" ? "" : `${mark}${text}\n`;
  },
});
writer.addRule("cells", {
  filter: ["td", "th"],
  replacement: (content, node) => {
    const span = Math.min(100, Math.max(1, Number(node.getAttribute("colspan") ?? 1) || 1));
    return ` ${content.replaceAll(/\s+/g, " ").trim().replaceAll("|", "\\|")} |${"  |".repeat(span - 1)}`;
  },
});
writer.addRule("rows", {
  filter: "tr",
  replacement: (content, node) =>
    content.trim() === "" ? "" : `\n|${content}${node.hasAttribute(firstRow) ? `\n|${" --- |".repeat(columnsOf(node))}` : ""}`,
});
writer.addRule("tables", { filter: "table", replacement: (content) => `\n\n${content.replaceAll(/\n{2,}/g, "\n").trim()}\n\n` });
writer.addRule("parts of tables", { filter: ["thead", "tbody", "tfoot"], replacement: (content) => content });
writer.addRule("captions", { filter: "caption", replacement: (content) => `${content.trim()}\n` });
