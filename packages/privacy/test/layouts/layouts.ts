import type { LabelledKind } from "./kinds.js";
import { digits, type Random } from "./random.js";

/** A text or page, and the values in it that must go. */
export interface LaidOut {
  readonly content: string;
  readonly format: "text" | "markdown" | "html";
  readonly values: readonly string[];
}

/** A way in which pages put a label and its value together. */
export interface LabelLayout {
  readonly name: string;
  lay(kind: LabelledKind, random: Random): LaidOut;
}

const people = ["Ada", "Ben", "Chloe", "Dmitri", "Emma"];
const places = ["Berlin", "Leeds", "Lyon", "Porto", "Turin"];
const lead = ["", "Your details\n", "Profile\n\n", "Saved by Ada on Monday\n"];
const tail = ["", "\nSave", "\nLast change on Monday\n", "\n\nContinue"];

/** One label, one value, something around them. */
const single =
  (write: (label: string, value: string, random: Random) => string): LabelLayout["lay"] =>
  (kind, random) => {
    const value = kind.make(random);
    return {
      content: random.pick(lead) + write(random.pick(kind.labels), value, random) + random.pick(tail),
      format: "text",
      values: [value],
    };
  };

/** A table of three rows, the value's column in any place. */
const table =
  (format: LaidOut["format"], write: (rows: readonly string[][]) => string): LabelLayout["lay"] =>
  (kind, random) => {
    const values = [kind.make(random), kind.make(random), kind.make(random)];
    const at = random.int(3);
    const rows = [["Name", "City"], ...values.map(() => [random.pick(people), random.pick(places)])];
    rows.forEach((row, index) => row.splice(at, 0, index === 0 ? random.pick(kind.labels) : (values[index - 1] ?? "")));
    return { content: write(rows), format, values };
  };

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const html = (body: string): string => `<!doctype html><html><body><h1>Profile</h1>${body}<p>Last change on Monday</p></body></html>`;
const page =
  (write: (label: string, value: string, random: Random) => string): LabelLayout["lay"] =>
  (kind, random) => {
    const value = kind.make(random);
    return { content: html(write(escaped(random.pick(kind.labels)), escaped(value), random)), format: "html", values: [value] };
  };

/** The layouts of the matrix. */
export const layouts: readonly LabelLayout[] = [
  { name: "same line", lay: single((label, value) => `${label}: ${value}`) },
  { name: "next line", lay: single((label, value, random) => `${label}${random.pick(["", ":"])}\n${value}`) },
  { name: "blank line", lay: single((label, value, random) => `${label}${random.pick(["", ":"])}\n\n${value}`) },
  { name: "tab row", lay: single((label, value) => `Name\tAda\n${label}\t${value}\nCity\tLeeds`) },
  {
    name: "pipe row",
    lay: (kind, random) => {
      const value = kind.make(random);
      const content = `| Field | Value |\n| --- | --- |\n| Name | Ada |\n| ${random.pick(kind.labels)} | ${value} |\n| City | Leeds |\n`;
      return { content, format: random.pick(["text", "markdown"] as const), values: [value] };
    },
  },
  { name: "tab column", lay: table("text", (rows) => rows.map((row) => row.join("\t")).join("\n")) },
  {
    name: "Markdown column",
    lay: table("markdown", (rows) =>
      rows.map((row, index) => `| ${row.join(" | ")} |${index === 0 ? `\n|${row.map(() => " --- |").join("")}` : ""}`).join("\n"),
    ),
  },
  {
    name: "HTML column",
    lay: table("html", (rows) =>
      html(
        `<table>${rows.map((row, index) => `<tr>${row.map((cell) => (index === 0 ? `<th>${escaped(cell)}</th>` : `<td>${escaped(cell)}</td>`)).join("")}</tr>`).join("\n")}</table>`,
      ),
    ),
  },
  { name: "CSV column", lay: table("text", (rows) => rows.map((row) => row.join(",")).join("\n")) },
  { name: "definition list", lay: page((label, value) => `<dl><dt>Name</dt><dd>Ada</dd><dt>${label}</dt><dd>${value}</dd></dl>`) },
  {
    name: "adjacent elements",
    lay: page((label, value, random) => {
      const name = random.pick(["span", "b", "strong"]);
      return `<div><${name}>${label}</${name}><span class="v">${value}</span></div>`;
    }),
  },
  { name: "value (label)", lay: single((label, value, random) => `${random.pick(["", "Ada, "])}${value} (${label})`) },
  {
    name: "JSON in a string",
    lay: (kind, random) => {
      const value = kind.make(random);
      let content = JSON.stringify({
        id: random.text(3, digits),
        name: "Ada",
        [random.pick([kind.key, random.pick(kind.labels)])]: value,
        city: "Leeds",
      });
      for (let depth = 1 + random.int(3); depth > 0; depth--)
        content = JSON.stringify(depth === 1 ? { event: "saved", body: content } : content);
      return { content, format: "text", values: [value] };
    },
  },
  {
    name: "key=value",
    lay: (kind, random) => {
      const value = kind.make(random);
      const key = random.pick([kind.key, kind.key.toUpperCase()]);
      const line = random.pick([
        `${key}="${value}"`,
        `export ${key}='${value}'`,
        /\s/.test(value) ? `${key}="${value}"` : `${key}=${value}`,
      ]);
      return { content: `NAME=Ada\n${line}\nCITY=Leeds\n`, format: "text", values: [value] };
    },
  },
];
