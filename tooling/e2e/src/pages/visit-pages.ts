import { createPdf } from "@periscope/harness/pdf";
import type { SiteAnswer } from "@periscope/harness/site";
import { html } from "./pages.ts";

/** The text of most pages here. */
export const textOf = (title: string): string => `Text of ${title}`;

const page = (title: string, more = "") => html(title, `<p id="text">${textOf(title)}</p>${more}`);

/** A page that tells the site at `/ready` that its document has been loaded. */
const soon = page("soon", `<script>addEventListener("load", () => fetch("/ready"))</script>`);

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
  "/sandbox": { ...page("sandbox"), headers: { "content-security-policy": "sandbox allow-scripts" } },
  "/mail": html(
    "Mail",
    `<p id="text">Inbox</p><script>
      addEventListener("hashchange", () => {
        if (location.hash.startsWith("#inbox/"))
          document.querySelector("#text").textContent = "Message " + location.hash.slice(7) + " with a text of its own";
      });
    </script>`,
  ),
  "/links": page(
    "links",
    `<script type="speculationrules">{"prerender":[{"source":"list","urls":["/soon"]}]}</script><a href="/soon">soon</a>`,
  ),
  "/soon": soon,
  "/ready": { type: "text/plain", text: "" },
  "/keeper.pdf": { type: "application/pdf", text: createPdf("The keeper", "At dusk she lights the lamp.") },
};
