import { beforeAll, describe, expect, test } from "vitest";
import { type Complaint, lintTree } from "./lint-tree.ts";

const database = 'import { PrismaClient } from "@prisma/client";';
const generated = 'import { Prisma } from "../storage/generated/sqlite/client.js";';
const engine = 'import Database from "better-sqlite3";';
const rpc = 'import { initTRPC } from "@trpc/server";';
const express = 'import { Router } from "express";';
const config = 'import { readConfig } from "../config/config.js";';
const configType = 'import type { Config } from "../config/config.js";';
const http = 'import { sendError } from "../http/errors.js";';
const trpc = 'import { endpoint } from "../trpc/endpoint.js";';
const storage = 'import { openStorage } from "../storage/open-storage.js";';
const router = 'import { contextRouter } from "../contexts/context.router.js";';
const service = 'import { listHistory } from "../contexts/context.service.js";';
const store = 'import type { ContextStore } from "../contexts/context.store.js";';
const filter = 'import { filterContext, isAtMost } from "@periscope/privacy";';
const levels = 'import { isAtMost, explainContext } from "@periscope/privacy";';
const app = 'import { createApp } from "@periscope/server";';
const appPath = 'import { apiPrefix } from "../../../apps/server/src/app.js";';

/** Which file may not import what: arrows that point up or across. */
const forbidden: Record<string, string[]> = {
  "apps/server/src/contexts/plain.ts": [database, generated, engine, rpc, config],
  "apps/server/src/http/docs.ts": [database, rpc],
  "apps/server/src/http/rest-api.ts": [database, config],
  "apps/server/src/main.ts": [database, filter],
  "apps/server/src/cli/serve.ts": [engine, rpc, filter],
  "apps/server/src/contexts/context.router.ts": [database, engine, config, filter],
  "apps/server/src/trpc/endpoint.ts": [database],
  "apps/server/src/contexts/context.service.ts": [database, storage, http, trpc, router, express, rpc, config, filter],
  "apps/server/src/contexts/context.store.ts": [database, storage, service, router, http, filter],
  "apps/server/src/storage/sqlite/rows.ts": [service, router, http, rpc, config, filter],
  "apps/server/src/contexts/capture.ts": [filter],
  "packages/client/src/agent.ts": [app, appPath],
};

const allowed: Record<string, string[]> = {
  "apps/server/src/storage/sqlite/open.ts": [database, generated, engine, store, configType],
  "apps/server/src/privacy/privacy-filter.ts": [filter],
  "apps/server/src/contexts/working-set.ts": [levels],
  "apps/server/src/cli/doctor.ts": [levels],
  "apps/server/src/main.ts": [config, storage],
  "apps/server/src/cli/serve.ts": [config],
  "apps/server/src/trpc/init.ts": [rpc],
  "apps/server/src/contexts/context.router.ts": [rpc, service],
  "apps/server/src/http/rest-api.ts": [rpc],
  "apps/server/src/http/docs.ts": [configType],
  "apps/server/src/contexts/context.service.ts": [store],
  "apps/server/src/search/search.service.ts": [configType],
};

const pairs = (arrows: Record<string, string[]>) =>
  Object.entries(arrows).flatMap(([file, imports]) => imports.map((imported) => [file, imported] as const));

let complaints: Complaint[] = [];

/** Whether the linter refuses this import in this file. */
const refused = (file: string, imported: string) => {
  const source = /"(.*)"/.exec(imported)?.[1] ?? "";
  return complaints.some(
    ({ file: where, message }) => where === file && message.includes(source) && / import .*is restricted/.test(message),
  );
};

beforeAll(async () => {
  const files: Record<string, string> = {};
  for (const [file, imported] of [...pairs(forbidden), ...pairs(allowed)]) files[file] = `${files[file] ?? ""}${imported}\n`;
  complaints = await lintTree(files);
});

describe("an arrow that points up is refused", () => {
  test.each(pairs(forbidden))("%s: %s", (file, imported) => {
    expect(refused(file, imported)).toBe(true);
  });
});

test.each(["apps/server/src/contexts/context.router.ts", "apps/server/src/http/pages.ts", "apps/server/src/portal/portal-trpc.ts"])(
  "%s may not ask the stores or the filter that services are given",
  async (file) => {
    const uses = ["services.stores.contexts;", "const { stores } = services;", "const { filters } = services;", "use(services.filters);"];
    const found = await lintTree({
      [file]: ["export {};", "declare const services: any;", "declare const use: any;", ...uses.map((use) => `{ ${use} }`)].join("\n"),
    });
    expect(found.filter(({ rule }) => rule === "eslint(no-restricted-properties)")).toHaveLength(uses.length);
  },
);

describe("an arrow that points down is let through", () => {
  test.each(pairs(allowed))("%s: %s", (file, imported) => {
    expect(refused(file, imported)).toBe(false);
  });
});
