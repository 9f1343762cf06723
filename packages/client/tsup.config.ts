import { copyFile } from "node:fs/promises";
import { library } from "@periscope/tsup";

type EsbuildPlugin = NonNullable<NonNullable<Parameters<typeof library>[0]>["esbuildPlugins"]>[number];

/**
 * Modules of ky that no request of ours needs, with what stands in for them: headers and waits of retries, of which it makes none, its
 * time limit, progress of uploads and downloads, and wrapping errors of the network, which the client unwraps. Together they would be
 * 1.6 KB after gzip, of the 17 KB that a bundle may weigh.
 */
const leftOut: Readonly<Record<string, string>> = {
  "core/retry-timing": "export const getRetryTimingHeader = () => undefined, calculateRetryTimingDelay = () => undefined;",
  "utils/is-network-error": "export default () => false;",
  "utils/delay": "export default () => {};",
  "utils/timeout": "export default () => {};",
  "utils/body": "export const streamRequest = (request) => request, streamResponse = (response) => response;",
};

const lighterKy: EsbuildPlugin = {
  name: "lighter-ky",
  setup({ onLoad }) {
    for (const [module, contents] of Object.entries(leftOut)) {
      onLoad({ filter: new RegExp(`/ky/distribution/${module}.js$`) }, () => ({ contents }));
    }
  },
};

// One file: everything hangs on the one class. The private package of decisions is in it, and ky, in this one version.
export default library({
  entry: ["src/index.ts"],
  bundle: true,
  noExternal: ["@periscope/delivery", "ky"],
  esbuildPlugins: [lighterKy],
  // Its license asks to go where its code goes.
  onSuccess: () => copyFile("node_modules/ky/license", "dist/ky.LICENSE"),
});
