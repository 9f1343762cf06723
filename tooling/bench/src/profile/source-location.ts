import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** A position as profiles give it: lines and columns from 0. */
export interface CallFrame {
  url: string;
  lineNumber: number;
  columnNumber: number;
}

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const maps = new Map<string, SourceMap | undefined>();

/** Where a function stands in the source: through the source map of a bundle, by name for packages and Node itself. */
export function sourceOf({ url, lineNumber, columnNumber }: CallFrame): { place: string; line: number } {
  if (url === "") return { place: "(native)", line: 0 };
  if (!url.startsWith("file:")) return { place: url, line: lineNumber + 1 };
  const file = fileURLToPath(url);
  const entry = mapOf(file)?.findEntry(lineNumber, columnNumber);
  if (entry !== undefined && "originalSource" in entry && entry.originalSource !== "") {
    return { place: placeOf(resolve(dirname(file), withoutScheme(entry.originalSource))), line: entry.originalLine + 1 };
  }
  return { place: placeOf(file), line: lineNumber + 1 };
}

/** A file's package, or its path in the repository. */
function placeOf(file: string): string {
  const inPackage = file.split(`${sep}node_modules${sep}`).at(-1) ?? file;
  if (inPackage === file) return relative(root, file).split(sep).join("/");
  const parts = inPackage.split(sep);
  return parts.slice(0, inPackage.startsWith("@") ? 2 : 1).join("/");
}

function withoutScheme(source: string): string {
  return source.startsWith("file:") ? fileURLToPath(source) : source;
}

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(`${file}.map`));
  return maps.get(file);
}

function readMap(path: string): SourceMap | undefined {
  if (!existsSync(path)) return undefined;
  return new SourceMap(JSON.parse(readFileSync(path, "utf8")) as ConstructorParameters<typeof SourceMap>[0]);
}
