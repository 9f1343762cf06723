import { useEffect } from "react";
import { Dialog } from "../ui/dialog.js";

const shortcuts = [
  { keys: ["/", "Ctrl K"], does: "Search" },
  { keys: ["?"], does: "Show this list" },
  { keys: ["Esc"], does: "Close the dialog, or clear the search" },
  { keys: ["←", "→"], does: "Move between the bars in Explore" },
];

interface ShortcutsProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** Listens for the keys that work on every page, and lists them. */
export function Shortcuts({ isOpen, onOpenChange }: ShortcutsProps) {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { key, metaKey, ctrlKey, target } = event;
      if (document.querySelector("[role=dialog], [role=alertdialog]") !== null) return;
      const isTyping = target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null;
      const isSearch = (key === "k" && (metaKey || ctrlKey)) || (key === "/" && !isTyping);
      const isHelp = key === "?" && !isTyping;
      if (!isSearch && !isHelp) return;
      event.preventDefault();
      if (isHelp) onOpenChange(true);
      else (document.querySelector<HTMLElement>("#explore-query") ?? document.querySelector<HTMLElement>("#search"))?.focus();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [onOpenChange]);
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title="Keyboard shortcuts">
      <dl className="divide-y divide-line">
        {shortcuts.map(({ keys, does }) => (
          <div key={does} className="flex items-center justify-between gap-4 py-2">
            <dt className="text-muted">{does}</dt>
            <dd className="flex shrink-0 gap-1.5">
              {keys.map((key) => (
                <kbd key={key} className="rounded-[4px] border border-line bg-sunken px-1.5 py-0.5 font-sans text-small">
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
