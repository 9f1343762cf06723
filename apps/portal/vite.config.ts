import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

export default defineConfig({
  plugins: [react(), tailwindcss(), compressAssets()],
  build: {
    // A `data:` address would need an exception in the content security policy.
    assetsInlineLimit: 0,
    // The polyfill is an inline script in the page.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // What only one page loads is told by its name from what all load.
      output: { chunkFileNames: ({ isDynamicEntry }) => `assets/${isDynamicEntry ? "page-" : ""}[name]-[hash].js` },
    },
  },
});

/** Writes a brotli and a gzip file beside each text asset, so that the server compresses nothing itself. */
function compressAssets(): Plugin {
  return {
    name: "compress-assets",
    apply: "build",
    async writeBundle({ dir = "dist" }) {
      const assets = join(dir, "assets");
      for (const name of await readdir(assets)) {
        if (!/\.(?:js|css|svg)$/.test(name)) continue;
        const text = await readFile(join(assets, name));
        await writeFile(join(assets, `${name}.gz`), await promisify(gzip)(text, { level: 9 }));
        const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
        await writeFile(join(assets, `${name}.br`), await promisify(brotliCompress)(text, { params }));
      }
    },
  };
}
