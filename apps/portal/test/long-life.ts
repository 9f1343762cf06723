import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { addPerson, askPortal, type Portal } from "@periscope/harness/portal";

/** A page as an extension has sent it, with the extension that did. */
export interface RecordedPage {
  id: string;
  title: string;
  url: string;
  content: string;
  capturedAt: Date;
  extensionId: string;
}

/** How much {@link recordLongLife} makes. */
export const amounts = { contexts: 20_000, days: 90, devices: 30, keys: 60, people: 40 };

const dayMs = 86_400_000;
const places = ["harbour", "lighthouse", "ferry", "glassworks", "bakery", "observatory", "library", "coast path", "workshop", "museum"];
const openings = ["How to find the", "Notes on the", "The history of the", "Opening hours of the", "A walk to the", "What became of the"];
const endings = ["in winter", "by night", "in nine pictures", "and its keeper", "from the sea", "for beginners"];

/** Titles, addresses and texts at the limits of what is stored. They are the newest pages. */
export const extremes: ReadonlyArray<Partial<RecordedPage>> = [
  { title: `The ${"very ".repeat(390)}long title` },
  { title: "تاريخ المنارة الأولى على الساحل الغربي", url: "https://manara.example/تاريخ" },
  { title: "", url: "https://untitled.example/" },
  { title: "An address of 2,000 characters", url: `https://long.example/${"segment-".repeat(248)}` },
  { title: "Unbroken", url: "https://unbroken.example/", content: "x".repeat(20_000) },
  { title: "A megabyte of text", content: "The keeper lights the lamp at dusk and trims its wick. ".repeat(19_000) },
];

/** Spreads whole numbers over 0 to 1 without a pattern that a person sees. */
const spread = (number: number) => (number * 0.618_034) % 1;

/**
 * Stores what a person records in three months with many devices, makes many keys, and lets many people in.
 * @returns the pages, newest first
 */
export async function recordLongLife(portal: Portal, ownerCookie: string): Promise<RecordedPage[]> {
  const pages = makePages(Date.now());
  const keyIds = await makeKeys(portal, ownerCookie);
  const devices = Array.from({ length: amounts.devices }, (_, at) => deviceOf(at));
  const outcome = await portal.client.syncAll([
    ...pages.map(toMessage),
    ...devices.map((extensionId, at) => ({
      type: "config" as const,
      extensionId,
      payload: { config: { queuedMessages: at, sites: "all" } },
    })),
    ...devices
      .slice(0, 3)
      .map((extensionId) => ({ type: "error" as const, extensionId, payload: { code: "pdf_failed", message: "A PDF is protected." } })),
  ]);
  outcome.throwIfFailed();
  for (let count = 1; count < amounts.people; count++) await addPerson(portal, ownerCookie);
  countRequests(portal, keyIds);
  return pages;
}

const deviceOf = (at: number): string => `${at % 2 === 0 ? "chrome" : "firefox"}-${String(at).padStart(2, "0")}`;

function makePages(now: number): RecordedPage[] {
  return Array.from({ length: amounts.contexts }, (_, at) => {
    const place = places[Math.floor(spread(at) * places.length)] ?? "harbour";
    const opening = openings[Math.floor(spread(at * 7) * openings.length)] ?? "Notes on the";
    const ending = endings[Math.floor(spread(at * 13) * endings.length)] ?? "in winter";
    // More was read lately than at first.
    const daysAgo = (at / amounts.contexts) ** 1.3 * amounts.days;
    return {
      id: `page-${at}`,
      title: `${opening} ${place} ${ending}, no. ${at}`,
      url: `https://${place.replace(" ", "-")}.example/pages/${at}`,
      content: `# ${opening} ${place}\n\nThe ${place} ${ending} was described ${at} times. ${"The keeper lights the lamp at dusk. ".repeat(8)}`,
      capturedAt: new Date(Math.round(now - 60_000 - daysAgo * dayMs)),
      extensionId: deviceOf(Math.floor(spread(at * 3) * amounts.devices)),
      ...extremes[at],
    };
  });
}

async function makeKeys(portal: Portal, cookie: string): Promise<string[]> {
  const keyIds = [];
  // The server begins with a key, and its setup makes another one.
  for (let at = 2; at < amounts.keys; at++) {
    const wanted = { name: `Program ${at}`, scopes: ["read"], maxPrivacyLevel: "filtered", expiresInDays: at % 3 === 0 ? 30 : null };
    keyIds.push((await askPortal<{ keyId: string }>(portal, cookie, "keys.create", wanted)).keyId);
  }
  return keyIds;
}

function toMessage({ id, title, url, content, capturedAt, extensionId }: RecordedPage) {
  const context = {
    id,
    type: "page" as const,
    tabId: "7",
    capturedAt: capturedAt.toISOString(),
    content,
    contentFormat: "markdown" as const,
    tabMetadata: { id: "7", url, title },
  };
  return { type: "create" as const, extensionId, payload: { context } };
}

/** Counts requests on days that are over: the service counts those of today only. */
function countRequests({ dataDir, userId }: Portal, keyIds: readonly string[]): void {
  const database = new DatabaseSync(join(dataDir, "periscope.db"), { timeout: 60_000 });
  try {
    const insert = database.prepare("INSERT INTO usage_by_day (userId, day, keyId, kind, requests, refused) VALUES (?, ?, ?, ?, ?, ?)");
    const today = Math.floor(Date.now() / dayMs);
    database.exec("BEGIN");
    for (let ago = 1; ago < amounts.days; ago++)
      for (const [at, keyId] of keyIds.entries())
        for (const kind of ["read", "search", "batchSync"]) {
          const requests = Math.floor(spread(ago * 31 + at * 7 + kind.length) * 60);
          insert.run(userId, today - ago, keyId, kind, requests, at === 0 ? Math.floor(requests / 10) : 0);
        }
    database.exec("COMMIT");
  } finally {
    database.close();
  }
}
