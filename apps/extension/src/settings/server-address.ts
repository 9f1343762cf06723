import type { WordsName } from "../words/words.js";

const thisMachine = /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * The base address of a server from what a person types: `periscope.example`, with or without scheme and `/api/v1`. Without a scheme it is https, but for
 * this machine. Or what is wrong with it: over http a key would travel in the clear, except on this machine.
 */
export function readServerAddress(text: string): { server: string } | { problem: WordsName } {
  const typed = text.trim();
  if (typed === "") return { problem: "addressMissing" };
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed);
  const isHere = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::|\/|$)/i.test(typed);
  const full = hasScheme ? typed : `${isHere ? "http" : "https"}://${typed}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    return { problem: "addressWrong" };
  if (url.protocol === "http:" && !thisMachine.test(url.hostname)) return { problem: "addressClear" };
  return { server: `${url.origin}${url.pathname.replace(/\/+$/, "").replace(/\/api(?:\/v1)?$/, "")}/api/v1` };
}
