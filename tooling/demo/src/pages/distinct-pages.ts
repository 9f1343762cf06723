import { createHash } from "node:crypto";
import { limits } from "@periscope/schemas";
import { pageCharsMin, type Page } from "./page.ts";
import { trimUtf8 } from "./trim-utf8.ts";

/** Collects pages: short ones and repeated texts are left out, long ones are trimmed, and every address is used once. */
export class DistinctPages {
  readonly #pages: Page[] = [];
  readonly #texts = new Set<string>();
  readonly #urls = new Set<string>();

  get size(): number {
    return this.#pages.length;
  }

  /** The pages in the order they came. */
  get all(): readonly Page[] {
    return this.#pages;
  }

  add(page: Omit<Page, "truncated">): void {
    if (page.content.trim().length < pageCharsMin) return;
    const content = trimUtf8(page.content.toWellFormed(), limits.contentBytesMax);
    const digest = createHash("sha256").update(content.trim()).digest("base64");
    if (this.#texts.has(digest)) return;
    this.#texts.add(digest);
    this.#pages.push({ ...page, content, truncated: content.length < page.content.length, url: this.#ownUrl(page) });
  }

  /** Two versions of one package share a homepage: the later page is told apart by its version. */
  #ownUrl({ url, origin }: Pick<Page, "url" | "origin">): string {
    const own = new URL(url);
    const version = origin["version"] ?? "copy";
    for (let copy = 1; this.#urls.has(own.href); copy += 1) {
      own.searchParams.set("version", copy === 1 ? version : `${version}.${copy}`);
    }
    this.#urls.add(own.href);
    return own.href;
  }
}
