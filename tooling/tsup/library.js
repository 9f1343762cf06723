import { defineConfig } from "tsup";

/** What every build of this repository shares: ESM only, source maps beside the code. Declarations come from `tsc --emitDeclarationOnly`, since TypeScript 7 has no compiler API for tsup to call. */
const base = /** @type {const} */ ({ format: "esm", target: "es2024", sourcemap: true, clean: true, dts: false });

/**
 * Build preset of a library: a file a module, so that a bundler takes the modules that are used and leaves the rest.
 * @param {import("tsup").Options} [options] what differs from the preset
 */
export function library(options = {}) {
  return defineConfig({ ...base, entry: ["src/**/*.ts", "!src/**/*.test.ts"], bundle: false, platform: "neutral", ...options });
}

/**
 * Build preset of a program for Node: an entry is one file with everything but its dependencies.
 * @param {Record<string, string>} entry output name to source file
 * @param {import("tsup").Options} [options] what differs from the preset
 */
export function program(entry, options = {}) {
  return defineConfig({ ...base, entry, platform: "node", ...options });
}
