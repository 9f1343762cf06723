import { readFileSync } from "node:fs";

/** What a package's manifest says that its pages need. */
export interface Manifest {
  name: string;
  version: string;
  homepage: string | undefined;
  /** Web address of the repository, without a trailing slash or `.git`. */
  repository: string | undefined;
  /** Folder of the package in its repository. */
  directory: string | undefined;
}

/** Reads a `package.json`; undefined when there is none, or it has no name or version. */
export function readManifest(path: string): Manifest | undefined {
  const json = parse(path);
  const name = text(json["name"]);
  const version = text(json["version"]);
  if (name === undefined || version === undefined) return undefined;
  const repository = json["repository"];
  const { url, directory } = isRecord(repository) ? repository : { url: repository, directory: undefined };
  return {
    name,
    version,
    homepage: webAddress(text(json["homepage"])),
    repository: repositoryAddress(text(url)),
    directory: text(directory),
  };
}

function parse(path: string): Record<string, unknown> {
  try {
    const json: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isRecord(json) ? json : {};
  } catch {
    return {};
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function webAddress(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  return url.protocol === "https:" || url.protocol === "http:" ? address : undefined;
}

/** `git+ssh://git@host/o/r.git`, `git@host:o/r`, `github:o/r` and `o/r` all name `https://host/o/r`. */
function repositoryAddress(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  const full = address
    .replace(/^(?:github:)?([\w.-]+\/[\w.-]+)$/, "https://github.com/$1")
    .replace(/^(?:git\+)?(?:ssh:\/\/)?git@([\w.-]+)[:/]/, "https://$1/")
    .replace(/^git(?:\+https?)?:\/\//, "https://")
    .replace(/(?:\.git)?\/?(?:#.*)?$/, "");
  return webAddress(full);
}
