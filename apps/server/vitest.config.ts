import { preset } from "@periscope/vitest";

// What goes through the front door runs on both engines. A test of one engine alone says so in its name: `x.sqlite.test.ts`, `x.postgres.test.ts`.
const onlySqlite = ["**/*.sqlite.test.ts", "src/storage/sqlite/**"];
const onlyPostgres = ["**/*.postgres.test.ts", "src/storage/postgres/**"];

export default preset({
  projects: [
    { extends: true, test: { name: "sqlite", exclude: onlyPostgres } },
    {
      extends: true,
      test: {
        name: "postgres",
        include: [
          "src/{access,contexts}/*.service.test.ts",
          "src/contexts/*.test.ts",
          "src/search/search.service.test.ts",
          "src/storage/*.test.ts",
          "src/storage/postgres/*.test.ts",
          "test/*.test.ts",
          "**/*.postgres.test.ts",
        ],
        exclude: onlySqlite,
        globalSetup: "test/postgres-setup.ts",
      },
    },
  ],
});
