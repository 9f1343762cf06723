import type { EraseReceipt } from "@periscope/schemas";

/** How many contexts are deleted, of how many; all zero until the first are. */
export interface EraseProgress {
  done: number;
  total: number;
}

/** Who is erased. Without a user, the person who is signed in; their email confirms it, or the id of the other. */
export interface Erasure {
  userId?: string;
  confirm: string;
}

type Line = Partial<EraseProgress> & { report?: EraseReceipt; message?: string };

/** Erases a user with everything that is theirs. Resolves to the receipt; rejects with what to tell the person. */
export async function eraseUser(erasure: Erasure, onProgress: (progress: EraseProgress) => void): Promise<EraseReceipt> {
  let line: Line | undefined;
  try {
    const headers = { "Content-Type": "application/json" };
    const response = await fetch("/portal/erase", { method: "POST", headers, body: JSON.stringify(erasure) });
    for await (const text of readLines(response)) {
      line = JSON.parse(text) as Line;
      const { done = 0, total = 0 } = line;
      onProgress({ done, total });
    }
  } catch {
    // Said below: the connection broke off, or a proxy answered.
  }
  if (line === undefined) throw new Error("The server did not answer. Try again.");
  if (line.report) return line.report;
  throw new Error(line.message ?? `The connection broke off, but the server goes on erasing. ${afterwards(erasure)}`);
}

/** What a person can do whose connection broke off. Of oneself, the session goes before the proof. */
function afterwards({ userId }: Erasure): string {
  return userId === undefined
    ? "Load this page again: if you are signed out, everything is erased, without a receipt. Otherwise erase again to get one."
    : "Press the button again to wait for the receipt.";
}

async function* readLines({ body }: Response): AsyncGenerator<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) break;
    const lines = (text + value).split("\n");
    text = lines.pop() ?? "";
    yield* lines;
  }
  if (text !== "") yield text;
}
