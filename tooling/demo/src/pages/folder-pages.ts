import { statSync } from "node:fs";
import { basename, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { DistinctPages } from "./distinct-pages.ts";
import type { Page } from "./page.ts";
import { isDocument, readDocument } from "./read-document.ts";
import { strided } from "./spread.ts";
import { walkFiles } from "./walk-files.ts";

/**
 * Pages of a folder: HTML and Markdown files under it, once per text.
 * A page's address is the one it declares as canonical, else that of its file.
 * @param max most pages to return; of a larger folder they are taken from all over it
 * @throws Error when `folder` is no folder, or holds no page
 */
export function readFolderPages(folder: string, max = 3_000): Page[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Error(`${folder} is not a folder. Name a folder that holds HTML or Markdown pages.`);
  }
  const files = [...walkFiles(folder, isDocument)];
  const pages = new DistinctPages();
  for (const index of strided(files.length, Math.ceil(files.length / max))) {
    addFile(pages, folder, files[index] ?? folder);
    if (pages.size >= max) break;
  }
  if (pages.size === 0) throw new Error(`${folder} holds no HTML or Markdown page of 200 characters or more.`);
  return pages.all.toSorted((a, b) => compare(a.origin["file"] ?? "", b.origin["file"] ?? ""));
}

function addFile(pages: DistinctPages, folder: string, path: string): void {
  const { format, content, title, address } = readDocument(path);
  const file = relative(folder, path).split(sep).join("/");
  pages.add({ url: address ?? pathToFileURL(path).href, title: title ?? basename(path), format, content, origin: { file } });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
