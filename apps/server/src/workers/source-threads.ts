/**
 * What a thread's options must have when its code is TypeScript, as in tests: Node leaves out the types, and is helped to find `x.ts`
 * where an import says `x.js`, and packages of this workspace by their source.
 */
export const sourceThreadOptions = {
  execArgv: [
    "--conditions=@periscope/source",
    "--import",
    `data:text/javascript,${encodeURIComponent(`
import { registerHooks } from "node:module";
registerHooks({
  resolve(specifier, context, next) {
    if (/^\\.\\.?\\/.*\\.js$/.test(specifier) && context.parentURL?.endsWith(".ts"))
      specifier = specifier.replace(/\\.js$/, ".ts");
    return next(specifier, context);
  },
});`)}`,
  ],
};
