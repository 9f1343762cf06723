import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, extname, join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** A page of documentation, as a browser tab would show it. */
export interface Page {
  url: string;
  title: string;
  format: "html" | "markdown";
  content: string;
  /** The file; for a page of a package its name and version as well. */
  origin: Record<string, string>;
}

/** What the service stores of a page at most. Bytes. */
const contentBytesMax = 1_048_576;
/** Pages with less text have nothing to find. Characters. */
const contentCharsMin = 200;
/** Documents up to this length stay one page. Characters. */
const wholeCharsMax = 6_000;
/** A shorter section stays with the one before it. Characters. */
const sectionCharsMin = 400;

const packageStore = fileURLToPath(new URL("../../../node_modules/.pnpm", import.meta.url));
const document = /\.(?:html?|xhtml|md|mdx|markdown)$/i;
/** Files that are the same in every package. */
const legal = /^(?:licen[cs]e|copying|notice|authors|code[-_]of[-_]conduct|third[-_]?party)/i;
const skippedFolders = new Set([".git", ".bin", "test", "tests", "__tests__", "fixtures"]);

/**
 * Documentation that the installed packages ship, a page for each section of a long document. The same installation gives the same
 * pages in the same order.
 * @param max most pages; of more, they are taken evenly
 * @throws Error when no packages are installed
 */
export function readPackagePages(max = 3_000, store = packageStore): Page[] {
  const entries = readdirIfThere(store);
  if (entries.length === 0) throw new Error(`No packages at ${store}. Run \`pnpm install\`, or name a folder of pages.`);
  const pages = new DistinctPages();
  for (const entry of entries) {
    const modules = join(store, entry.name, "node_modules");
    // Dependencies are links, and each has an entry of its own.
    for (const folder of readdirIfThere(modules).filter((one) => one.isDirectory())) {
      const scoped = folder.name.startsWith("@") ? readdirIfThere(join(modules, folder.name)).filter((one) => one.isDirectory()) : [];
      const names = folder.name.startsWith("@") ? scoped.map(({ name }) => join(folder.name, name)) : [folder.name];
      for (const name of names) addPackage(pages, join(modules, name));
    }
  }
  return evenly(pages.all, max);
}

/**
 * HTML and Markdown pages under a folder. A page's address is its canonical one, else that of its file.
 * @throws Error when there is no such folder, or no page in it
 */
export function readFolderPages(folder: string, max = 3_000): Page[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`${folder} is not a folder. Name a folder that holds HTML or Markdown pages.`);
  const pages = new DistinctPages();
  for (const path of evenly([...walk(folder)], max)) {
    const { format, content, title, address } = readDocument(path);
    const file = relative(folder, path).split(sep).join("/");
    pages.add({ url: address ?? pathToFileURL(path).href, title: title ?? basename(path), format, content, origin: { file } });
  }
  if (pages.all.length === 0) throw new Error(`${folder} holds no HTML or Markdown page of ${contentCharsMin} characters or more.`);
  return pages.all;
}

function addPackage(pages: DistinctPages, root: string): void {
  const manifest = readManifest(join(root, "package.json"));
  if (manifest === undefined) return;
  const { name, version } = manifest;
  for (const path of walk(root)) {
    const file = relative(root, path).split(sep).join("/");
    if (legal.test(basename(path))) continue;
    const fileName = basename(file, extname(file));
    const { format, content, title = /^(?:readme|index)$/i.test(fileName) ? name : fileName, address } = readDocument(path);
    const named = title.toLowerCase().includes(name.split("/").at(-1) ?? name) ? title : `${title} · ${name}`;
    const url = address ?? `${homeOf(manifest)}/${file.split("/").map(encodeURIComponent).join("/")}`;
    for (const section of format === "markdown" ? sectionsOf(content) : [{ content }]) {
      pages.add({
        url: section.anchor === undefined ? url : `${url}#${encodeURIComponent(section.anchor)}`,
        title: (section.heading === undefined ? named : `${section.heading} · ${named}`).slice(0, 300).toWellFormed(),
        format,
        content: section.content,
        origin: { package: name, version, file },
      });
    }
  }
}

/** Pages in order. Short ones and repeated texts are left out, long ones are cut, and every address is used once. */
class DistinctPages {
  readonly all: Page[] = [];
  readonly #texts = new Set<string>();
  readonly #urls = new Set<string>();

  add(page: Page): void {
    const text = page.content.trim();
    if (text.length < contentCharsMin || this.#texts.has(text)) return;
    this.#texts.add(text);
    const url = new URL(page.url);
    for (let copy = 1; this.#urls.has(url.href); copy += 1) url.searchParams.set("version", `${page.origin["version"] ?? "copy"}.${copy}`);
    this.#urls.add(url.href);
    // A character that the cut divides becomes U+FFFD, of three bytes.
    const content = page.content.toWellFormed();
    const isLong = Buffer.byteLength(content) > contentBytesMax;
    this.all.push({
      ...page,
      url: url.href,
      content: isLong
        ? Buffer.from(content)
            .subarray(0, contentBytesMax - 3)
            .toString()
        : content,
    });
  }
}

interface Manifest {
  name: string;
  version: string;
  homepage?: unknown;
  repository?: unknown;
}

function readManifest(path: string): Manifest | undefined {
  try {
    const manifest = JSON.parse(readFileSync(path, "utf8")) as Partial<Manifest>;
    return typeof manifest.name === "string" && typeof manifest.version === "string" ? (manifest as Manifest) : undefined;
  } catch {
    return undefined;
  }
}

/** Where the files of a package can be read: its homepage, its repository, or npm. */
function homeOf({ name, version, homepage, repository }: Manifest): string {
  const repo = /github\.com[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?(?:[/#,}].*)?$/.exec(
    JSON.stringify(repository ?? homepage ?? "").replaceAll('"', ""),
  );
  const isOwn = typeof homepage === "string" && /^https?:/.test(homepage) && URL.canParse(homepage) && !homepage.includes("github.com");
  if (isOwn) return new URL(homepage).href.replace(/[?#].*$|\/$/g, "");
  return repo === null ? `https://www.npmjs.com/package/${name}/v/${version}` : `https://github.com/${repo[1]}/blob/v${version}`;
}

/** Documents under a folder, in an order that depends on names alone. Links are not followed. */
function* walk(folder: string, depth = 0): Generator<string> {
  const entries = readdirIfThere(folder);
  for (const entry of entries) if (entry.isFile() && document.test(entry.name)) yield join(folder, entry.name);
  for (const entry of entries)
    if (entry.isDirectory() && depth < 24 && !skippedFolders.has(entry.name)) yield* walk(join(folder, entry.name), depth + 1);
}

function readdirIfThere(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

interface Document {
  format: Page["format"];
  content: string;
  title?: string | undefined;
  /** Its canonical address. */
  address?: string | undefined;
}

function readDocument(path: string): Document {
  const text = readFileSync(path, "utf8").replaceAll("\0", "");
  if (/html?$/i.test(path)) {
    const head = text.slice(0, 65_536);
    const title = plain(/<title[^<>]*>([^<]+)</i.exec(head)?.[1] ?? /<h1[^<>]*>(.{1,2000}?)<\/h1>/is.exec(head)?.[1] ?? "");
    const canonical = /<link\s[^<>]*\brel=["']?canonical\b[^<>]*>/i.exec(head)?.[0];
    const address = /\bhref=["']?(https?:[^"'\s<>]+)/i.exec(canonical ?? "")?.[1];
    return {
      format: "html",
      content: text,
      title: title === "" ? undefined : title,
      address: address !== undefined && URL.canParse(address) ? address : undefined,
    };
  }
  const [frontMatter = ""] = /^---\r?\n[^]{0,8000}?\r?\n---\r?\n/.exec(text) ?? [];
  const content = text.slice(frontMatter.length);
  const title = plain(/^title:\s*["']?(.+?)["']?\s*$/m.exec(frontMatter)?.[1] ?? /^#\s+(.+)$/m.exec(content)?.[1] ?? "");
  return { format: "markdown", content, title: title === "" || /^v?\d/.test(title) ? undefined : title };
}

/** Cuts a long document at its headings of the first two levels, as documentation sites publish it. */
function sectionsOf(markdown: string): { heading?: string; anchor?: string; content: string }[] {
  if (markdown.length <= wholeCharsMax) return [{ content: markdown }];
  const sections: { heading?: string; anchor?: string; content: string }[] = [{ content: "" }];
  let isCode = false;
  for (const line of markdown.split("\n")) {
    if (/^ {0,3}(?:```|~~~)/.test(line)) isCode = !isCode;
    const heading = isCode ? "" : plain(/^ {0,3}#{1,2}\s+(.+?)\s*#*\s*$/.exec(line)?.[1] ?? "");
    if (heading !== "" && (sections.at(-1)?.content.length ?? 0) >= sectionCharsMin) {
      const anchor = heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replaceAll(/\s/g, "-");
      sections.push({ heading, anchor, content: "" });
    }
    const last = sections.at(-1);
    if (last) last.content += `${line}\n`;
  }
  return sections;
}

/** A line of markup as its reader sees it. */
function plain(markup: string): string {
  return markup
    .replaceAll(/!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])/g, "")
    .replaceAll(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?/g, "$1")
    .replaceAll(/<[^<>]*>|\*\*|__|`|\\(?=[\W_])/g, "")
    .replaceAll(/&(?:amp|#38);/g, "&")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, 300)
    .toWellFormed();
}

/** At most `max` of the items, taken evenly from all of them, in order. */
function evenly<T>(items: readonly T[], max: number): T[] {
  const step = Math.max(1, items.length / max);
  return items.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step)).slice(0, max);
}
