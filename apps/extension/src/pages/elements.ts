/**
 * The element of a page with this id.
 * @throws Error when there is none, or another kind: script and page do not belong together
 */
export function byId<T extends HTMLElement = HTMLElement>(id: string, kind: new () => T = HTMLElement as unknown as new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`The page has no ${kind.name} "${id}".`);
}

/** A new element with text, attributes and children. Text is never read as HTML. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** One of `static/symbols`, in the colour of the text around it. */
export const icon = (name: string): HTMLElement => make("span", { class: `icon ${name}`, "aria-hidden": "true" });

/** Shows a text, or hides the element when there is none. */
export function say(element: HTMLElement, text: string | undefined): void {
  element.hidden = text === undefined;
  // The same text again would be read out again.
  if (element.textContent !== (text ?? "")) element.textContent = text ?? "";
}

export function onEvent<Name extends keyof HTMLElementEventMap>(
  element: HTMLElement,
  name: Name,
  act: (event: HTMLElementEventMap[Name]) => Promise<void>,
): void {
  element.addEventListener(name, (event) => void act(event));
}

/** Calls when a button is pressed. While the call runs the button is busy, and cannot be pressed again. */
export function onPress(button: HTMLElement, act: () => Promise<void> | void): void {
  onEvent(button, "click", async () => {
    if (button.getAttribute("aria-busy") === "true") return;
    button.setAttribute("aria-busy", "true");
    try {
      await act();
    } finally {
      button.removeAttribute("aria-busy");
      if (button.hidden && (document.activeElement ?? document.body) === document.body) focusAfter(button);
    }
  });
}

/** Gives the focus that a hidden button had to what can be pressed after it. */
function focusAfter(button: HTMLElement): void {
  const all = [...document.querySelectorAll<HTMLElement>("a[href], button:enabled, input:enabled")].filter((each) =>
    each.checkVisibility(),
  );
  const isAfter = (each: HTMLElement) => (button.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  (all.find(isAfter) ?? all.at(-1))?.focus();
}
