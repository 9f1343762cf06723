import type { BenchDocument } from "./documents.ts";

/** Another program that finds pages. */
export interface Peer extends AsyncDisposable {
  /** With its version. */
  name: string;
  /** Takes further pages. Returns the seconds until they can be found. */
  add(documents: readonly BenchDocument[]): Promise<number>;
  /** Resolves when the best results for words, or for a phrase in quotes, are there. */
  search(text: string): Promise<void>;
  /** Bytes on disk. */
  bytes(): number;
}
