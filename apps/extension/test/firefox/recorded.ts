import type { RunningServer } from "@periscope/harness/server";
import { ask } from "../ask-server.ts";

interface Recorded {
  contextId: string;
  type: string;
  url: string;
  title: string;
  content: string;
  privacyLevel: string;
}

/** What the server has of a site. */
export async function contextsOf(server: RunningServer, origin: string): Promise<Recorded[]> {
  const { body } = await ask(server, "/context/history?limit=100");
  const all = await Promise.all(body.contexts.map(async ({ contextId }: Recorded) => (await ask(server, `/context/${contextId}`)).body));
  return (all as Recorded[]).filter(({ url }) => url.startsWith(origin));
}

/** What the server has of a site, each as `type path`, sorted: one that came twice is there twice. */
export async function recorded(server: RunningServer, origin: string): Promise<string[]> {
  return (await contextsOf(server, origin)).map(({ type, url }) => `${type} ${url.slice(origin.length)}`).toSorted();
}

/** The same of pages that were visited once. */
export const visitsOf = (...paths: readonly string[]): string[] => paths.map((path) => `page ${path}`).toSorted();
