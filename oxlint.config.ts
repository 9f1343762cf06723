import { defineConfig, type OxlintOverride } from "oxlint";

/** Who may not import what, and why. */
const bans = {
  apps: {
    group: ["**/apps/**", "@periscope/server", "@periscope/server/**"],
    message: "Packages stand below the apps: move what both need into a package.",
  },
  tooling: {
    group: ["**/tooling/**", "@periscope/{harness,vitest,tsconfig,tsup}", "@periscope/{harness,vitest}/**"],
    message: "Only tests and scripts use tooling/.",
  },
  database: { group: ["@prisma/**", "better-sqlite3", "pg", "**/generated/**"], message: "Only storage/ knows the database: ask a store." },
  storage: {
    group: ["**/storage/**", "!**/storage/faults.js"],
    allowTypeImports: true,
    message: "Ask a store interface (*.store.ts), which storage/ implements.",
  },
  trpc: { group: ["@trpc/**"], message: "Only routers, trpc/ and the REST mapping in http/ know tRPC." },
  transport: {
    group: ["express", "**/http/**", "**/portal/**", "**/trpc/**", "**/*.router.js"],
    message: "Services and stores know no transport: throw a DomainError and let the edge map it.",
  },
  services: { group: ["**/*.service.js"], message: "A store stands below services: it answers, it does not call them." },
  config: {
    group: ["**/config/*.js"],
    allowTypeImports: true,
    message: "Only main.ts and cli/ read the configuration: take what you need as an argument.",
  },
};

/** Only privacy/ filters: stores take the results of a PrivacyFilter. */
const filter = {
  name: "@periscope/privacy",
  importNames: ["filterContext", "redactHtml", "redactRecord", "redactText", "redactUrl"],
  message: "Only privacy/ filters: ask a PrivacyFilter, whose results are what stores take.",
};

/** Of the entries that match a file the last one holds alone, so each lists all its bans. */
const arrows = (files: string[], names: (keyof typeof bans)[], paths = [filter]): OxlintOverride => ({
  files,
  excludeFiles: ["**/*.test.ts"],
  rules: { "eslint/no-restricted-imports": ["error", { paths, patterns: names.map((name) => bans[name]) }] },
});

const server = "apps/server/src";

// The rules of the house; then who may import whom, by folder: http -> router -> service -> store. `tooling/lint` breaks arrows of each entry on purpose.
export default defineConfig({
  options: { typeAware: true, typeCheck: true, denyWarnings: true, reportUnusedDisableDirectives: "error" },
  ignorePatterns: ["**/dist/**", "**/generated/**", "**/coverage/**"],
  plugins: ["eslint", "typescript", "unicorn", "oxc", "import", "node", "promise", "vitest"],
  categories: { correctness: "error", suspicious: "error" },
  rules: {
    // A promise that nobody waits for hides its failure.
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    "typescript/await-thenable": "error",
    "typescript/return-await": ["error", "error-handling-correctness-only"],
    "typescript/switch-exhaustiveness-check": "error",
    "typescript/only-throw-error": "error",
    "typescript/no-explicit-any": "error",
    "typescript/no-non-null-assertion": "error",
    "typescript/no-unnecessary-type-assertion": "error",
    "typescript/consistent-type-imports": "error",
    "typescript/ban-ts-comment": "error",
    "typescript/no-require-imports": "error",

    // Output belongs to the logger, environment to config.ts and the command's entry.
    "eslint/no-console": "error",
    "node/no-process-env": "error",

    // Names that keep a file findable, and calls that stay readable.
    "unicorn/filename-case": ["error", { case: "kebabCase" }],
    "eslint/max-params": ["error", { max: 4 }],

    // What a module offers is written down name by name.
    "oxc/no-barrel-file": ["error", { threshold: 0 }],
    "import/no-self-import": "error",
    "import/no-cycle": "error",
    "import/no-default-export": "error",
    "eslint/eqeqeq": ["error", "always"],
    "eslint/no-var": "error",
    "eslint/prefer-const": "error",

    // Off: these cost more readability than they save.
    "eslint/no-await-in-loop": "off",
    "eslint/no-shadow": "off",
    "import/no-unassigned-import": "off",
    "import/no-named-as-default-member": "off",
    "eslint/no-underscore-dangle": "off",
    "eslint/no-unmodified-loop-condition": "off",
    "typescript/consistent-return": "off",
    "typescript/no-unsafe-type-assertion": "off",
    "typescript/unbound-method": "off",
    "unicorn/consistent-function-scoping": "off",
    "unicorn/no-array-sort": "off",
    "unicorn/no-array-reverse": "off",
  },
  overrides: [
    // Tools read a default export from their configuration file, run as commands and talk to a terminal.
    { files: ["**/*.config.ts", "**/*.config.js"], rules: { "import/no-default-export": "off" } },
    { files: ["**/tooling/**", "**/examples/**"], rules: { "eslint/no-console": "off", "node/no-process-env": "off" } },
    // A test reads answers it does not trust to have a type, and hands its own environment to programs that it starts.
    {
      files: ["**/*.test.{ts,js}", "**/test/**"],
      rules: {
        "typescript/no-non-null-assertion": "off",
        "typescript/no-explicit-any": "off",
        "node/no-process-env": "off",
        "vitest/expect-expect": ["error", { assertFunctionNames: ["expect*", "assert*", "fc.assert"] }],
        // Tests with fixtures are named so, too, where they do not come from vitest.
        "vitest/no-standalone-expect": [
          "error",
          { additionalTestBlockFunctions: ["it", "it.each", "it.for", "test", "test.each", "test.for"] },
        ],
        "vitest/valid-title": ["error", { ignoreTypeOfTestName: true, ignoreTypeOfDescribeName: true }],
      },
    },
    {
      // What others write by mistake, a filter of texts means: code points, control and combining characters.
      files: ["packages/privacy/**"],
      rules: { "typescript/no-misused-spread": "off", "eslint/no-control-regex": "off", "eslint/no-misleading-character-class": "off" },
    },
    { files: [`${server}/config/**`, `${server}/cli.ts`, "packages/mcp/src/cli.ts"], rules: { "node/no-process-env": "off" } },
    { files: [`${server}/cli.ts`, `${server}/cli/**`], rules: { "eslint/no-console": "off" } },
    { files: ["apps/extension/build/**"], rules: { "eslint/no-console": "off", "node/no-process-env": "off" } },

    arrows(["apps/*/src/**"], ["tooling"], []),
    // Tests of packages may use tooling/, but no app.
    { ...arrows(["packages/**"], ["apps"], []), excludeFiles: [] },
    arrows(["packages/*/src/**"], ["tooling", "apps"], []),
    arrows([`${server}/**`], ["tooling", "database", "storage", "trpc", "transport", "config"]),
    arrows([`${server}/privacy/**`], ["tooling", "database", "storage", "trpc", "transport", "config"], []),
    arrows([`${server}/**/*.store.ts`], ["tooling", "database", "storage", "trpc", "transport", "config", "services"]),
    arrows([`${server}/storage/**`], ["tooling", "trpc", "transport", "config", "services"]),
    arrows([`${server}/{http,portal}/**`], ["tooling", "database", "storage", "trpc", "config"]),
    arrows(
      [`${server}/trpc/**`, `${server}/**/*.router.ts`, `${server}/http/{rest-api,answers}.ts`, `${server}/portal/portal-*.ts`],
      ["tooling", "database", "storage", "config"],
    ),
    // What puts the parts together. Of these, the command alone reads the configuration.
    arrows([`${server}/{app,deps,services,worker}.ts`], ["tooling", "database", "trpc", "config"]),
    arrows([`${server}/{cli,main}.ts`, `${server}/{cli,config}/**`], ["tooling", "database", "trpc"]),
    {
      // `Deps` holds the stores. Only services may use them; routers pass `Deps` on.
      files: [`${server}/**/*.router.ts`, `${server}/{http,portal,trpc}/**`],
      rules: {
        "eslint/no-restricted-properties": [
          "error",
          { property: "stores", message: "Only services ask stores: call a function of a service." },
          { property: "filters", message: "Only services have text filtered: call a function of a service." },
        ],
      },
    },
  ],
});
