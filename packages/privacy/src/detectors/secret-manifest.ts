import type { Detector } from "../detector.js";
import { matchesAt } from "../text/match-at.js";
import { isPlaceholder } from "../text/placeholders.js";

/** Larger manifests are not read beyond this many units to either side of `kind:`. */
const manifestMax = 65_536;
const kind = /kind["']?:[ \t]{1,4}["']?secret["']?[ \t]{0,4}(?:\r?\n|$|#|,)/iy;
/** Keys beside `data`. */
const otherKey = /^["']?(?:apiVersion|kind|metadata|type|immutable|data|stringData)["']?:/;
const dataLine = /^([ \t]{0,40})["']?(?:data|stringData)["']?:[ \t]{0,8}\r?$/;

/**
 * The `data` of a Kubernetes Secret manifest (Kubernetes API, core/v1 Secret) is removed as a whole, names included,
 * so that the YAML stays a document. Other kinds that speak of secrets (ExternalSecret, SealedSecret) hold none.
 */
export const secretManifest: Detector = {
  kind: "secret",
  tier: "floor",
  anchors: ["kind:", 'kind":', "kind':"],
  find({ text }, { starts }, report) {
    let done = 0;
    for (const at of starts) {
      if (at < done) continue;
      if (!matchesAt(kind, text, at)) continue;
      const separatorBefore = text.lastIndexOf("\n---", at);
      const start = Math.max(done, at - manifestMax, separatorBefore);
      const separatorAfter = text.indexOf("\n---", at);
      const end = Math.min(text.length, at + manifestMax, separatorAfter < 0 ? text.length : separatorAfter);
      dataBlocks(text, start, end, report);
      done = end;
    }
  },
};

function dataBlocks(text: string, start: number, end: number, report: (start: number, end: number, rule: string) => void): void {
  let indent: number | undefined;
  let first = 0;
  let last = 0;
  let hasValue = false;
  /** White space that was lost on the way, as when a page becomes text, leaves nothing but the names to tell the end by. */
  let isFlat = false;
  const close = (): void => {
    if (indent !== undefined && hasValue) report(first, last, "manifest");
    indent = undefined;
    hasValue = false;
  };
  for (let from = start; from <= end;) {
    const newline = text.indexOf("\n", from);
    const to = newline < 0 || newline > end ? end : newline;
    const line = text.slice(from, to);
    const content = line.trim();
    const depth = line.length - line.trimStart().length;
    if (indent !== undefined && content !== "" && !content.startsWith("#") && depth <= indent) {
      isFlat = first === 0 ? depth === indent && /^[-\w."']{1,253}:[ \t]{1,8}\S/.test(content) : isFlat;
      if (!isFlat || otherKey.test(content)) close();
    }
    if (indent === undefined) {
      const match = dataLine.exec(line);
      if (match !== null) {
        indent = depth;
        first = 0;
        isFlat = false;
      }
    } else if (content !== "" && !content.startsWith("#")) {
      if (first === 0) first = from + depth;
      last = from + line.trimEnd().length;
      if (isValue(content)) hasValue = true;
    }
    if (to === end) break;
    from = to + 1;
  }
  close();
}

/** A line that holds more than a template, an empty string or what was put in place of it. */
function isValue(line: string): boolean {
  const value = line.replace(/^[^:]{1,200}:[ \t]{0,8}/, "").replaceAll(/["']/g, "");
  return value.length >= 4 && !isPlaceholder(value) && !/^[|>][-+0-9]{0,2}$/.test(value);
}
