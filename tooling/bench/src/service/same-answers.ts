import type { RunningServer as Periscope } from "@periscope/harness/server";

/**
 * Checks that the floor does the same work: byte for byte the same `current`, the same page of history.
 * @throws Error that shows where they part
 */
export async function checkSameAnswers(server: Periscope, floor: { baseUrl: string }): Promise<void> {
  const [served, bare] = await Promise.all([server, floor].map(({ baseUrl }) => textOf(`${baseUrl}/context/current`, server.key)));
  if (served !== bare) throw new Error(`Server and floor answer different bytes for current:\n${difference(served, bare)}`);
  const [page, barePage] = await Promise.all([server, floor].map(({ baseUrl }) => textOf(`${baseUrl}/context/history`, server.key)));
  if (idsIn(page) !== idsIn(barePage)) throw new Error("Server and floor answer different pages of history.");
}

/** Words that the server finds something for, so that no query is answered without work. */
export async function findable(server: Periscope, words: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const word of words) {
    const { total } = JSON.parse(await textOf(`${server.baseUrl}/context/search?limit=1&query=${word}`, server.key)) as { total: number };
    if (total > 0) found.push(word);
  }
  if (found.length === 0) throw new Error(`None of the words ${words.join(", ")} was found.`);
  return found;
}

async function textOf(url: string, key: string): Promise<string> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} was answered ${response.status} ${text.slice(0, 200)}`);
  return text;
}

/** The places where two texts part, a line each. */
function difference(a = "", b = ""): string {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  return [a, b].map((text) => `…${text.slice(Math.max(0, start - 40), start + 80)}…`).join("\n");
}

function idsIn(page = ""): string {
  const { contexts, total } = JSON.parse(page) as { contexts: Array<{ contextId: string }>; total: number };
  return `${total}: ${contexts.map(({ contextId }) => contextId).join()}`;
}
