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
const service = 'import { createContextService } from "../contexts/context.service.js";';
const store = 'import type { ContextStore } from "../contexts/context.store.js";';
const filter = 'import { filterContext, isAtMost } from "@periscope/privacy";';
const levels = 'import { isAtMost, explainContext } from "@periscope/privacy";';
const app = 'import { createApp } from "@periscope/server";';
const appPath = 'import { apiPrefix } from "../../../apps/server/src/app.js";';

/** Who may not import what: one line an arrow that points up or across. */
const forbidden: [file: string, imported: string][] = [
  ["apps/server/src/contexts/plain.ts", database],
  ["apps/server/src/contexts/plain.ts", generated],
  ["apps/server/src/contexts/plain.ts", engine],
  ["apps/server/src/contexts/plain.ts", rpc],
  ["apps/server/src/contexts/plain.ts", config],
  ["apps/server/src/http/docs.ts", database],
  ["apps/server/src/http/docs.ts", rpc],
  ["apps/server/src/http/rest-api.ts", database],
  ["apps/server/src/http/rest-api.ts", config],
  ["apps/server/src/main.ts", database],
  ["apps/server/src/cli/serve.ts", engine],
  ["apps/server/src/cli/serve.ts", rpc],
  ["apps/server/src/contexts/context.router.ts", database],
  ["apps/server/src/contexts/context.router.ts", engine],
  ["apps/server/src/contexts/context.router.ts", config],
  ["apps/server/src/trpc/endpoint.ts", database],
  ["apps/server/src/contexts/context.service.ts", database],
  ["apps/server/src/contexts/context.service.ts", storage],
  ["apps/server/src/contexts/context.service.ts", http],
  ["apps/server/src/contexts/context.service.ts", trpc],
  ["apps/server/src/contexts/context.service.ts", router],
  ["apps/server/src/contexts/context.service.ts", express],
  ["apps/server/src/contexts/context.service.ts", rpc],
  ["apps/server/src/contexts/context.service.ts", config],
  ["apps/server/src/contexts/context.store.ts", database],
  ["apps/server/src/contexts/context.store.ts", storage],
  ["apps/server/src/contexts/context.store.ts", service],
  ["apps/server/src/contexts/context.store.ts", router],
  ["apps/server/src/contexts/context.store.ts", http],
  ["apps/server/src/storage/sqlite/rows.ts", service],
  ["apps/server/src/storage/sqlite/rows.ts", router],
  ["apps/server/src/storage/sqlite/rows.ts", http],
  ["apps/server/src/storage/sqlite/rows.ts", rpc],
  ["apps/server/src/storage/sqlite/rows.ts", config],
  ["apps/server/src/contexts/capture.ts", filter],
  ["apps/server/src/contexts/context.router.ts", filter],
  ["apps/server/src/contexts/context.service.ts", filter],
  ["apps/server/src/contexts/context.store.ts", filter],
  ["apps/server/src/storage/sqlite/rows.ts", filter],
  ["apps/server/src/main.ts", filter],
  ["apps/server/src/cli/serve.ts", filter],
  ["packages/client/src/agent.ts", app],
  ["packages/client/src/agent.ts", appPath],
];

const allowed: [file: string, imported: string][] = [
  ["apps/server/src/storage/sqlite/open.ts", database],
  ["apps/server/src/storage/sqlite/open.ts", generated],
  ["apps/server/src/storage/sqlite/open.ts", engine],
  ["apps/server/src/storage/sqlite/open.ts", store],
  ["apps/server/src/storage/sqlite/open.ts", configType],
  ["apps/server/src/privacy/privacy-filter.ts", filter],
  ["apps/server/src/contexts/working-set.ts", levels],
  ["apps/server/src/cli/doctor.ts", levels],
  ["apps/server/src/main.ts", config],
  ["apps/server/src/main.ts", storage],
  ["apps/server/src/cli/serve.ts", config],
  ["apps/server/src/trpc/init.ts", rpc],
  ["apps/server/src/contexts/context.router.ts", rpc],
  ["apps/server/src/contexts/context.router.ts", service],
  ["apps/server/src/http/rest-api.ts", rpc],
  ["apps/server/src/http/docs.ts", configType],
  ["apps/server/src/contexts/context.service.ts", store],
  ["apps/server/src/search/search.service.ts", configType],
];

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
  for (const [file, imported] of [...forbidden, ...allowed]) files[file] = `${files[file] ?? ""}${imported}\n`;
  complaints = await lintTree(files);
});

describe("an arrow that points up is refused", () => {
  test.each(forbidden)("%s: %s", (file, imported) => {
    expect(refused(file, imported)).toBe(true);
  });
});

describe("an arrow that points down is let through", () => {
  test.each(allowed)("%s: %s", (file, imported) => {
    expect(refused(file, imported)).toBe(false);
  });
});
