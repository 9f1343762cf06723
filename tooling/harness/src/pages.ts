import { globSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, extname, join } from "node:path";
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

/** The service stores 1 MiB of a page, and a character takes at most 3 bytes in UTF-8. */
const contentCharsMax = 349_525;
/** Pages with less text have nothing to find. Characters. */
const contentCharsMin = 200;

const packageStore = fileURLToPath(new URL("../../../node_modules/.pnpm", import.meta.url));
const documents = "**/*.{html,htm,xhtml,md,mdx,markdown}";
/** Files that are the same in every package, and folders that are no documentation. */
const skipped = /^(?:licen[cs]e|copying|notice|authors|code[-_]of[-_]conduct|third[-_]?party|tests?$|__tests__$|fixtures$|\.git$|\.bin$)/i;

/**
 * Documentation that the installed packages ship. The same installation gives the same pages in the same order.
 * @param max most pages; of more, they are taken evenly
 * @throws Error when no packages are installed
 */
export function readPackagePages(max = 3_000): Page[] {
  const folders = foldersIn(packageStore).flatMap((entry) => {
    // Dependencies are links, and each has an entry of its own.
    const modules = join(packageStore, entry, "node_modules");
    return foldersIn(modules).flatMap((name) =>
      (name.startsWith("@") ? foldersIn(join(modules, name), name) : [name]).map((one) => join(modules, one)),
    );
  });
  if (folders.length === 0) throw new Error(`No packages at ${packageStore}. Run \`pnpm install\`, or name a folder of pages.`);
  const pages = folders.flatMap((folder) => {
    const { name = "", version = "" } = JSON.parse(readIfThere(join(folder, "package.json"))) as { name?: string; version?: string };
    return readPages(folder, documentsIn(folder)).map((page) => {
      const file = page.origin["file"] ?? "";
      const heading = /^(?:readme|index)$/i.test(page.title) ? name : page.title;
      const title = heading.toLowerCase().includes(name.split("/").at(-1) ?? name) ? heading : `${heading} · ${name}`;
      const path = file.split("/").map(encodeURIComponent).join("/");
      return {
        ...page,
        title,
        url: `https://www.npmjs.com/package/${name}/v/${version}/${path}`,
        origin: { package: name, version, file },
      };
    });
  });
  return evenly([...new Map(pages.map((page) => [page.content, page])).values()], max);
}

/**
 * HTML and Markdown pages under a folder.
 * @throws Error when there is no such folder, or no page in it
 */
export function readFolderPages(folder: string, max = 3_000): Page[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`${folder} is not a folder. Name a folder that holds HTML or Markdown pages.`);
  const pages = readPages(folder, evenly(documentsIn(folder), max));
  if (pages.length === 0) throw new Error(`${folder} holds no HTML or Markdown page of ${contentCharsMin} characters or more.`);
  return pages;
}

/** Paths below a folder, in an order that depends on names alone. */
function documentsIn(folder: string): string[] {
  return globSync(documents, { cwd: folder, exclude: (path) => skipped.test(basename(path)) }).toSorted();
}

function foldersIn(folder: string, scope = ""): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return entries.map(({ name }) => join(scope, name)).toSorted();
  } catch {
    return [];
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "{}";
  }
}

function readPages(folder: string, files: readonly string[]): Page[] {
  return files.flatMap((file) => {
    const content = readFileSync(join(folder, file), "utf8").replaceAll("\0", "").slice(0, contentCharsMax).toWellFormed();
    if (content.trim().length < contentCharsMin) return [];
    const format = /html?$/i.test(file) ? "html" : "markdown";
    const heading = (format === "html" ? /<title[^<>]*>([^<]+)</i : /^(?:#\s+|title:\s*["']?)(.+?)["']?$/m).exec(content)?.[1] ?? "";
    const title = plain(heading) || basename(file, extname(file));
    return [{ url: pathToFileURL(join(folder, file)).href, title, format, content, origin: { file } } as const];
  });
}

/** A heading as its reader sees it. */
function plain(markup: string): string {
  return markup
    .replaceAll(/!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])/g, "")
    .replaceAll(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?/g, "$1")
    .replaceAll(/<[^<>]*>|\*\*|__|`/g, "")
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
