import { registerHooks } from "node:module";

// Threads that a test starts run TypeScript by Node itself. It leaves out the types, and is helped to find `x.ts` where an import says `x.js`.
registerHooks({
  resolve(specifier, context, next) {
    const isSource = /^\.\.?\/.*\.js$/.test(specifier) && context.parentURL?.endsWith(".ts");
    return next(isSource ? specifier.replace(/\.js$/, ".ts") : specifier, context);
  },
});
