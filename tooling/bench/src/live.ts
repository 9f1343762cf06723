import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Periscope } from "@periscope/client";
import { startProgram } from "@periscope/harness/program";
import { type ServerUser, startServer } from "@periscope/harness/server";
import { figure, renderTable } from "@periscope/harness/table";
import { WebSocket, WebSocketServer } from "ws";
import { memoryMiB, numberFrom, percentile, readOptions, writeResults } from "./measure.ts";

const usage = `Usage: pnpm bench live [options]
  --subscribers A,B  numbers of subscribers (1,100,1000)
  --seconds S        length of one measurement (10)
  --rate N           events a second (100)`;

/** A user may have so many connections. */
const userConnections = 20;
/** Milliseconds from acknowledged sync to event, 99 % at 100 events a second and 100 subscribers; KiB a connection. */
const aims = { p99: 20, connectionKiB: 40 };

/** Sockets that wait for events, and what makes one: resolves when it is acknowledged. */
interface Side extends AsyncDisposable {
  sockets: WebSocket[];
  /** Makes event `number`, which the sockets of its group get. */
  send(number: number): Promise<void>;
  /** The group of a socket: whoever is in it gets the events of `number % groups === group`. */
  groups: number;
  connectionKiB: number;
}

/** The live channel beside a bare `ws` server that sends what it gets to everybody: delays, events a second, memory a connection. */
export async function runLiveBenchmark(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = readOptions({ args, defaults: { subscribers: "1,100,1000", seconds: "10", rate: "100" }, usage });
  const [seconds, rate] = [numberFrom(values, "seconds", 0.1), numberFrom(values, "rate", 1)];
  const results = [];
  for (const subscribers of values.subscribers.split(",").map(Number)) {
    for (const [name, open] of [
      ["Periscope", openPeriscope],
      ["bare ws", openEcho],
    ] as const) {
      await using side = await open(subscribers, signal);
      // The rate that was asked for, then as fast as acknowledgements come.
      const paced = await measure(side, { seconds, pauseMs: 1_000 / rate });
      const flat = await measure(side, { seconds, pauseMs: 0 });
      results.push({ name, subscribers, ...paced, eventsPerSecond: flat.perSecond, connectionKiB: side.connectionKiB });
    }
  }
  console.log(
    renderTable([
      ["", "subscribers", "p50 ms", "p99 ms", "events/s at most", "deliveries/s", "KiB a connection"],
      ...results.map((each) => [
        each.name,
        each.subscribers,
        figure(each.p50),
        figure(each.p99),
        figure(each.eventsPerSecond),
        figure(each.eventsPerSecond * Math.min(each.subscribers, each.name === "Periscope" ? userConnections : Infinity)),
        figure(each.connectionKiB),
      ]),
    ]),
  );
  console.log(`Aim at 100 subscribers: p99 under ${aims.p99} ms, at most ${aims.connectionKiB} KiB a connection.`);
  writeResults("live", { options: values, results });
}

/** Makes events for a time, and waits until every socket has got the last. */
async function measure({ sockets, groups, send }: Side, { seconds, pauseMs }: { seconds: number; pauseMs: number }) {
  const acknowledged: number[] = [];
  const arrivals = sockets.map((): number[] => []);
  const stopListening = new AbortController();
  for (const [index, socket] of sockets.entries()) {
    const arrived = (data: Buffer) => {
      if (data.includes("context.viewed")) arrivals[index]?.push(performance.now());
    };
    socket.on("message", arrived);
    stopListening.signal.addEventListener("abort", () => socket.off("message", arrived));
  }
  const start = performance.now();
  let count = 0;
  for (; performance.now() - start < seconds * 1_000; count++) {
    await send(count);
    acknowledged.push(performance.now());
    const early = start + (count + 1) * pauseMs - performance.now();
    if (early > 0) await wait(early);
  }
  const perSecond = (count / (performance.now() - start)) * 1_000;
  const wanted = (index: number) => Math.floor((count - 1 - (index % groups)) / groups) + 1;
  while (arrivals.some((times, index) => times.length < wanted(index))) await wait(10);
  stopListening.abort();
  const delays = arrivals.flatMap((times, index) =>
    times.map((time, place) => Math.max(0, time - (acknowledged[place * groups + (index % groups)] ?? time))),
  );
  return { perSecond, p50: percentile(delays, 0.5), p99: percentile(delays, 0.99) };
}

async function openPeriscope(subscribers: number, signal: AbortSignal): Promise<Side> {
  const server = await startServer({ signal, nodeFlags: ["--max-old-space-size=8192"] });
  const groups = Math.ceil(subscribers / userConnections);
  const users: ServerUser[] = [];
  for (let number = 0; number < groups; number++) users.push(await server.createUser(`u${number}`));
  const clients = users.map(({ key }) => new Periscope({ baseUrl: server.baseUrl, apiKey: key, maxRetries: 0 }));
  const tabMetadata = { id: "7", url: "https://example.com/keeper", title: "The keeper" };
  const context = { id: "page", type: "page", tabId: "7", capturedAt: new Date().toISOString(), tabMetadata } as const;
  for (const client of clients) await client.sync({ type: "create", payload: { context } });
  const before = memoryMiB(server.pid);
  const url = `${server.baseUrl.replace("http", "ws")}/live`;
  const sockets = await openSockets(subscribers, (number) => {
    const { key } = users[number % groups] as ServerUser;
    return new WebSocket(url, "periscope.v1", { headers: { Authorization: `Bearer ${key}` } });
  });
  const subscribed = sockets.map((socket) => once(socket, "message"));
  for (const socket of sockets) socket.send(JSON.stringify({ type: "subscribe", channel: "current-context" }));
  await Promise.all(subscribed);
  return {
    ...sideOf(server.pid, sockets, before),
    groups,
    send: async (number) => void (await clients[number % groups]?.sync({ type: "heartbeat", payload: { contextId: "page" } })),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.terminate();
      await server.stop();
    },
  };
}

/** One more connection sends; what comes back to it is the acknowledgement. */
async function openEcho(subscribers: number, signal: AbortSignal): Promise<Side> {
  const program = await startProgram({ command: [process.execPath, fileURLToPath(import.meta.url), "--echo"], signal });
  const open = () => new WebSocket(program.address.replace("http", "ws"));
  const [sender] = (await openSockets(1, open)) as [WebSocket];
  const before = memoryMiB(program.pid);
  const sockets = await openSockets(subscribers, open);
  return {
    ...sideOf(program.pid, sockets, before),
    groups: 1,
    async send() {
      const returned = once(sender, "message");
      sender.send(JSON.stringify({ event: "context.viewed", text: "x".repeat(700) }));
      await returned;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of [sender, ...sockets]) socket.terminate();
      await program.stop();
    },
  };
}

async function openSockets(count: number, open: (number: number) => WebSocket): Promise<WebSocket[]> {
  const sockets = [];
  for (let number = 0; number < count; number++) {
    const socket = open(number);
    await once(socket, "open");
    sockets.push(socket);
  }
  return sockets;
}

const sideOf = (pid: number, sockets: WebSocket[], before: number) => {
  return { sockets, connectionKiB: ((memoryMiB(pid) - before) * 1_024) / sockets.length };
};

if (process.argv[2] === "--echo") {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false }, () => {
    console.log(`The echo is listening at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  server.on("connection", (socket) =>
    socket.on("message", (data) => {
      for (const client of server.clients) client.send(data, { binary: false });
    }),
  );
  process.once("SIGTERM", () => process.exit());
}
