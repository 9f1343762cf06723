import pg from "pg";
import { afterAll } from "vitest";
import { isOfTheService } from "./one-user-statements.js";

// Every statement that the service sends while a test file runs, as it reaches the driver: a file with one that a cluster would run on many
// machines, or not at all, fails.
const sent = new Set<string>();
const clients = pg.Client.prototype as unknown as {
  connectionParameters: { application_name?: string };
  query: (this: typeof clients, config: unknown, ...rest: unknown[]) => unknown;
};
const query = clients.query;
clients.query = function (config, ...rest) {
  const text = typeof config === "object" && config !== null && "text" in config ? config.text : config;
  if (typeof text === "string" && this.connectionParameters.application_name === "periscope") sent.add(text.trim());
  return query.call(this, config, ...rest);
};

afterAll(() => {
  clients.query = query;
  const others = [...sent].filter((sql) => !isOfTheService(sql));
  if (others.length > 0) throw new Error(`Statements that a cluster would run on many machines, or not at all:\n${others.join("\n")}`);
});
