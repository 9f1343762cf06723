import { createCapture } from "@periscope/sync/content";

// What is asked here is whether an answer comes, not how soon.
const capture = createCapture({ timeoutMs: 60_000 });

/** What a test asks to be captured: the form that a selector names, or a note with this text. */
export type PageOrder = { form: string } | { custom: string };

// By events of the document: pages and content scripts share those alone.
document.addEventListener("e2e:do", (event) => {
  const order = JSON.parse((event as CustomEvent<string>).detail) as PageOrder;
  void act(order).then((outcome) => document.dispatchEvent(new CustomEvent("e2e:done", { detail: JSON.stringify(outcome) })));
});

async function act(order: PageOrder): Promise<unknown> {
  if ("custom" in order) return await capture.custom("note", { score: 7 }, { content: order.custom });
  return await capture.form(document.querySelector(order.form) as Element);
}

// A page that shows another view every 400 ms shall be one for which each of them counts.
capture.record({ settleMs: 200 });
