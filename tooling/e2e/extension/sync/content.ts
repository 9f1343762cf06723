import { createCapture } from "@periscope/sync/content";

// What is asked here is whether an answer comes, not how soon.
const capture = createCapture({ timeoutMs: 60_000 });

/** What a test asks of the content script, by events of the document: pages and content scripts share those alone. */
export type PageOrder = { do: "page" | "selection" } | { do: "form"; selector: string } | { do: "custom"; kind: string };

document.addEventListener("e2e:do", (event) => {
  const order = JSON.parse((event as CustomEvent<string>).detail) as PageOrder;
  void act(order).then((outcome) => document.dispatchEvent(new CustomEvent("e2e:done", { detail: JSON.stringify(outcome) })));
});

async function act(order: PageOrder): Promise<unknown> {
  switch (order.do) {
    case "page":
      return await capture.page();
    case "selection":
      return await capture.selection();
    case "form": {
      const form = document.querySelector(order.selector);
      return form === null ? { status: "empty" } : await capture.form(form);
    }
    case "custom":
      return await capture.custom(order.kind, { score: 7 }, { content: `custom of ${order.kind}` });
  }
}

// A page that shows another view every 400 ms shall be one for which each of them counts.
capture.record({ settleMs: 200 });
