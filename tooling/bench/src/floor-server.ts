import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { SqliteFloor } from "./sqlite-floor.ts";

// Usage: node floor-server.ts FILE USER. Answers the service's reads by bare node:http, without keys, limits, checks and log.

const [file = "", user = ""] = process.argv.slice(2);
const floor = new SqliteFloor(file);

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://floor.invalid");
  const text = JSON.stringify(answer(pathname.replace("/api/v1/context/", ""), searchParams.get("query")));
  response.writeHead(200, { "Content-Type": "application/json; charset=utf-8", "Content-Length": Buffer.byteLength(text) }).end(text);
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  console.log(`The floor is listening at http://127.0.0.1:${port}/api/v1`);
});
process.once("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
});

function answer(kind: string, query: string | null): object | undefined {
  return kind === "search" ? floor.answer(user, { kind, text: `"${query}"` }) : floor.answer(user, { kind: kind as "current" | "history" });
}
