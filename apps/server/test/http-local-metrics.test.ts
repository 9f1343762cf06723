import { expect, it } from "vitest";
import { rawRequest } from "./raw-request.js";
import { TestServer } from "./test-server.js";

it("METRICS=local answers only a Host that names this machine", async () => {
  await using server = await TestServer.start();
  const { origin, port } = new URL(server.baseUrl);
  const statusFor = async (Host: string) => (await rawRequest(origin, { path: "/metrics", headers: { Host } })).status;
  for (const host of ["localhost", "LOCALHOST:3000", "127.0.0.1", `127.0.0.1:${port}`, "127.0.0.2:80", "[::1]", "[::1]:3000"])
    expect([host, await statusFor(host)]).toEqual([host, 200]);
  // A page of a name that was pointed here, and a proxy that passes the Host on and sends no other header.
  for (const host of ["rebound.example", "periscope.example.com", "127.0.0.1.evil.example", "localhost.evil.example:3000", "10.0.0.1"])
    expect([host, await statusFor(host)]).toEqual([host, 404]);
});
