import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, extname, join, relative, sep } from "node:path";
import { DistinctPages } from "./distinct-pages.ts";
import { readManifest, type Manifest } from "./manifest.ts";
import { pageUrl } from "./page-url.ts";
import { cleanTitle, type Page } from "./page.ts";
import { isDocument, readDocument, type Document } from "./read-document.ts";
import { sectionsOf, type Section } from "./sections.ts";
import { spread } from "./spread.ts";
import { walkFiles } from "./walk-files.ts";

/** Files that are the same in every package. */
const legal = /^(?:licen[cs]e|copying|notice|authors|code[-_]of[-_]conduct|third[-_]?party)/i;

/**
 * Documentation that the installed packages ship: READMEs, changelogs and guides, in HTML or Markdown.
 * A long document becomes a page a section, each with the address of its heading. The same text is taken once.
 * The same installation gives the same pages in the same order.
 * @param storeFolder pnpm's `node_modules/.pnpm`
 * @param max most pages to return; when there are more, they are taken evenly from all
 */
export function readPackagePages(storeFolder: string, max = 3_000): Page[] {
  const pages = new DistinctPages();
  for (const folder of packageFolders(storeFolder)) {
    const manifests = new Map<string, Manifest | undefined>();
    for (const path of walkFiles(folder, (name) => isDocument(name) && !legal.test(name))) {
      const home = packageOf(dirname(path), folder, manifests);
      if (home !== undefined) addDocument(pages, path, home);
    }
  }
  return spread(pages.all, max);
}

function addDocument(pages: DistinctPages, path: string, { manifest, root }: { manifest: Manifest; root: string }): void {
  const file = relative(root, path).split(sep).join("/");
  const document = readDocument(path);
  const title = titleIn(manifest.name, document.title ?? fileTitle(file));
  const url = document.address ?? pageUrl(manifest, file);
  const origin = { package: manifest.name, version: manifest.version, file };
  for (const { heading, anchor, content } of partsOf(document)) {
    pages.add({
      url: anchor === undefined ? url : `${url}#${encodeURIComponent(anchor)}`,
      title: heading === undefined ? title : cleanTitle(`${heading} · ${title}`),
      format: document.format,
      content,
      origin,
    });
  }
}

function partsOf({ format, content }: Document): Section[] {
  return format === "markdown" ? sectionsOf(content) : [{ heading: undefined, anchor: undefined, content }];
}

/** The name of a file without a title of its own; a README is its package's front page. */
function fileTitle(file: string): string | undefined {
  const name = basename(file, extname(file));
  return /^(?:readme|index)$/i.test(name) ? undefined : name;
}

/** A changelog's heading does not say whose it is; the package's name does. */
function titleIn(name: string, heading: string | undefined): string {
  if (heading === undefined) return name;
  const bare = name.slice(name.lastIndexOf("/") + 1).toLowerCase();
  return heading.toLowerCase().includes(bare) ? heading : cleanTitle(`${heading} · ${name}`);
}

/** Real folders of packages, in the order of their names; links to dependencies are left out. */
function* packageFolders(storeFolder: string): Generator<string> {
  if (!existsSync(storeFolder)) {
    throw new Error(`No packages at ${storeFolder}. Run \`pnpm install\`, or name a folder of pages: \`pnpm demo -- DIR\`.`);
  }
  for (const entry of readdirSync(storeFolder).sort()) {
    const modules = join(storeFolder, entry, "node_modules");
    if (!existsSync(modules)) continue;
    for (const name of realFolders(modules)) {
      if (!name.startsWith("@")) yield join(modules, name);
      else for (const scoped of realFolders(join(modules, name))) yield join(modules, name, scoped);
    }
  }
}

function realFolders(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** The package that a folder belongs to: the nearest manifest with a name, at or above it. */
function packageOf(
  folder: string,
  top: string,
  known: Map<string, Manifest | undefined>,
): { manifest: Manifest; root: string } | undefined {
  for (let root = folder; root.length >= top.length; root = dirname(root)) {
    if (!known.has(root)) known.set(root, readManifest(join(root, "package.json")));
    const manifest = known.get(root);
    if (manifest !== undefined) return { manifest, root };
  }
  return undefined;
}
