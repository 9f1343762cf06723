import { byId, make, onPress } from "../pages/elements.js";
import type { Words } from "../words/words.js";

/** An entry of a list that a person edits: `text` is shown, `name` names it to whoever removes it. */
export interface Entry {
  name: string;
  text: string;
}

/** A list with a button beside each entry that removes it. After a removal the focus goes to the next one, or to `whenEmpty`. */
export function listEditor(
  words: Words,
  { id, whenEmpty, remove }: { id: string; whenEmpty: string; remove: (name: string) => Promise<void> },
) {
  const list = byId(id, HTMLElement);
  return (entries: readonly Entry[]): void => {
    list.hidden = entries.length === 0;
    list.replaceChildren(
      ...entries.map(({ name, text }, index) => {
        const button = make("button", { type: "button", "aria-label": words("siteRemove", name) }, "✕");
        onPress(button, async () => {
          await remove(name);
          const buttons = list.querySelectorAll("button");
          (buttons[Math.min(index, buttons.length - 1)] ?? byId(whenEmpty, HTMLElement)).focus();
        });
        return make("li", {}, make("span", {}, text), button);
      }),
    );
  };
}
