import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { FloorReads } from "./floor-reads.ts";

// The least that can answer the same requests: bare node:http over prepared statements, without key, limits, checks or log.
const [file = "", userId = ""] = process.argv.slice(2);
const reads = new FloorReads(file, userId);
const prefix = "/api/v1/context/";

const server = createServer((request, response) => {
  const url = request.url ?? "";
  if (url === `${prefix}current`) return sendJson(response, reads.current());
  if (url.startsWith(`${prefix}history`)) return sendJson(response, reads.history());
  if (url.startsWith(`${prefix}search?query=`))
    return sendJson(response, reads.search(decodeURIComponent(url.slice(url.indexOf("=") + 1))));
  response.writeHead(404, { "Content-Length": 0 }).end();
});

function sendJson(response: ServerResponse, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(200, { "Content-Type": "application/json; charset=utf-8", "Content-Length": Buffer.byteLength(text) });
  response.end(text);
}

server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  console.log(`The floor is listening at http://127.0.0.1:${port}/api/v1`);
});
process.once("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
});
