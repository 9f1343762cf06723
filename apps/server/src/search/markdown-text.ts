import { htmlText } from "./html-text.js";

const fence = /^ {0,3}(`{3,}|~{3,})/;
/** Underlines of headings, rules, and the line under a table's head. */
const ruler = /^[\s|:=*_-]+$/;
const definition = /^ {0,3}\[[^\]]+\]:\s/;
const blockMarks = /^(?:\s{0,64}(?:#{1,6}(?=\s)|>|[-*+](?=\s)|\d{1,9}[.)](?=\s)))+(?:\s+\[[ xX]\](?=\s))?/;

/** Most lines: none of the marks above is there. */
const prose = /^[A-Za-z]/;

/** Every pattern here stops at the character that would start the next match, so that no input takes more than linear time. */
const verbatim = /\\[!-/:-@[-`{-~]|(?<!`)(`{1,8})(?!`)[^`]*\1(?!`)/g;
const autolink = /<((?:https?:\/\/|mailto:)[^\s<>]*)>/g;
const link = /!?\[([^[\]]*)\](?:\((?:[^()]|\([^()]*\))*\)|\[[^[\]]*\])/g;
const stars = /(?<=\S)\*{1,3}|\*{1,3}(?=\S)|~~/g;
const underscores = /(?<![\p{L}\p{N}_])_{1,3}(?=[^\s_])|(?<=[^\s_])_{1,3}(?![\p{L}\p{N}_])/gu;

/** Stands for escaped characters and code spans while the marks around them are removed. */
const placeholder = "\ufdd1";

/** The text of `markdown` without its marks: words of headings, links, lists, tables, code and embedded HTML. Linear time. */
export function markdownText(markdown: string): string {
  const lines: string[] = [];
  let openFence = "";
  for (const line of markdown.split("\n")) {
    if (openFence === "" && prose.test(line)) {
      lines.push(lineText(line));
      continue;
    }
    const marker = fence.exec(line)?.[1] ?? "";
    if (openFence !== "") {
      if (marker.startsWith(openFence)) openFence = "";
      else lines.push(escapeHtml(line));
    } else if (marker !== "") {
      openFence = marker;
    } else if (line !== "" && !ruler.test(line) && !definition.test(line)) {
      lines.push(lineText(line));
    }
  }
  return htmlText(lines.join("\n"));
}

/** Without one of these a line has no inline marks: most lines of prose. */
const inlineMark = /[\\`<>[\]*_~|]/;

function lineText(line: string): string {
  const inner = prose.test(line) ? line : line.replace(blockMarks, "");
  if (!inlineMark.test(inner)) return inner;
  if (!inner.includes("`") && !inner.includes("\\")) return unmark(inner);
  const kept: string[] = [];
  const marked = inner.replace(verbatim, (match) => {
    kept.push(escapeHtml(match.startsWith("\\") ? match.slice(1) : match.replaceAll("`", "")));
    return placeholder;
  });
  let next = 0;
  return unmark(marked).replaceAll(placeholder, () => kept[next++] ?? "");
}

/** Each pattern runs only where its mark is: looking for a character is much cheaper. */
function unmark(line: string): string {
  let plain = line;
  if (plain.includes("<")) plain = plain.replace(autolink, "$1");
  if (plain.includes("]")) plain = plain.replace(link, "$1");
  if (plain.includes("*") || plain.includes("~~")) plain = plain.replace(stars, "");
  if (plain.includes("_")) plain = plain.replace(underscores, "");
  return plain.includes("|") ? plain.replaceAll("|", " ") : plain;
}

function escapeHtml(text: string): string {
  if (!text.includes("<") && !text.includes("&")) return text;
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
