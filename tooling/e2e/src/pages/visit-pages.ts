import type { SiteAnswer } from "@periscope/harness/site";
import { html } from "./pages.ts";

/** The text of most pages here. */
export const textOf = (title: string): string => `Text of ${title}`;

const page = (title: string, more = "") => html(title, `<p id="text">${textOf(title)}</p>${more}`);

/** Pages by path that browsers load, show and keep in unusual ways. */
export const visitPages: Readonly<Record<string, SiteAnswer>> = {
  "/one": page("one"),
  "/two": page("two"),
  "/hanging": page("hanging", `<img src="/never">`),
  "/never": () => {},
  "/streamed": (response) => {
    response.writeHead(200, { "content-type": "text/html" });
    // Chromium draws nothing before the first few kilobytes. The rest is never sent.
    response.write(`${page("streamed").text}<!--${" ".repeat(5_000)}-->`);
  },
  "/skeleton": html("Loading", `<p id="text">Loading…</p>`),
};
