import type { Answer, Request } from "../protocol.js";
import type { CaptureSettings } from "./options.js";
import { type Unavailable, unavailable } from "./outcomes.js";

/** What a content script needs of `browser` or `chrome`. */
export interface ContentApis {
  runtime?: { id?: string | undefined; sendMessage?: (message: unknown) => Promise<unknown> };
  extension?: { inIncognitoContext?: boolean };
}

/** Share of the time that the first try has for itself. */
const firstShare = 0.6;

/** Milliseconds before a lost request is repeated: by then the browser has started the next worker. */
const repeatMs = 100;

/** Asks the background. Repeats the request once when its answer is lost or late. Never rejects, and ends within `timeoutMs`. */
export async function ask<T>(
  request: Request,
  apis: ContentApis,
  { timeoutMs, after }: Pick<CaptureSettings, "timeoutMs" | "after">,
): Promise<T | Unavailable> {
  const orphaned = unavailable("orphaned", "The extension was updated or switched off. Reload the page.");
  const pause = (ms: number) => new Promise<undefined>((resolve) => after(ms, () => resolve(undefined)));
  const firstMs = timeoutMs * firstShare;
  for (const ms of [firstMs, timeoutMs - firstMs - repeatMs]) {
    if (ms !== firstMs) await pause(repeatMs);
    if (isOrphaned(apis)) return orphaned;
    try {
      const answer = (await Promise.race([apis.runtime?.sendMessage?.(request), pause(ms)])) as Answer<T> | null | undefined;
      if (typeof answer === "object" && answer !== null && "ok" in answer)
        return answer.ok ? answer.value : unavailable("refused", answer.error);
    } catch (error) {
      if (isOrphaned(apis) || (error instanceof Error && /context invalidated/i.test(error.message))) return orphaned;
    }
  }
  return unavailable("no-answer", `The background did not answer twice within ${timeoutMs} ms.`);
}

/** Whether this script is left over from an extension that is gone. */
function isOrphaned(apis: ContentApis): boolean {
  try {
    return apis.runtime?.id === undefined;
  } catch {
    return true;
  }
}
