import { cleanTitle } from "./page.ts";

/** Where the title of a page is looked for: enough for any head, and bounded whatever the page is. Characters. */
const headCharsMax = 65_536;

const entities: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  mdash: "—",
  ndash: "–",
  hellip: "…",
  copy: "©",
};

/** Text of `<title>`, else of the first `<h1>`. */
export function htmlTitle(html: string): string | undefined {
  const head = html.slice(0, headCharsMax);
  const match = /<title[^<>]{0,200}>([^<]{1,1000})</i.exec(head) ?? /<h1[^<>]{0,500}>(.{1,2000}?)<\/h1>/is.exec(head);
  const title = cleanTitle(decodeEntities((match?.[1] ?? "").replaceAll(/<[^<>]*>/g, "")));
  return title === "" ? undefined : title;
}

/** The http(s) address in `<link rel="canonical">`, where the page declares one. */
export function htmlAddress(html: string): string | undefined {
  const head = html.slice(0, headCharsMax);
  for (const [tag] of head.matchAll(/<link\s[^<>]{1,1000}>/gi)) {
    if (!/\brel\s*=\s*["']?canonical\b/i.test(tag)) continue;
    const href = /\bhref\s*=\s*["']?(https?:[^"'\s<>]+)/i.exec(tag)?.[1];
    if (href !== undefined && URL.canParse(href)) return href;
  }
  return undefined;
}

/** Encoding that the start of a page declares, as its label. */
export function declaredCharset(start: string): string | undefined {
  return /<(?:meta|\?xml)\s[^<>]{0,200}?(?:charset|encoding)\s*=\s*["']?([\w-]{2,30})/i.exec(start)?.[1];
}

function decodeEntities(text: string): string {
  return text.replaceAll(/&(#\d{1,7}|#x[\da-f]{1,6}|\w{2,8});/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return entities[name.toLowerCase()] ?? whole;
    const code = Number(name.slice(1).replace(/^x/i, "0x"));
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
  });
}
