import { defineConfig } from "tsup";

/**
 * Build preset of every published package: ESM only, one file an entry, source maps beside it.
 * Declarations come from `tsc --emitDeclarationOnly`, since TypeScript 7 has no compiler API for tsup to call.
 * @param {Record<string, string>} entry output name to source file
 * @param {import("tsup").Options} [options] what differs from the preset
 */
export function library(entry, options = {}) {
  return defineConfig({
    entry,
    format: "esm",
    target: "es2024",
    platform: "neutral",
    sourcemap: true,
    clean: true,
    dts: false,
    ...options,
  });
}
