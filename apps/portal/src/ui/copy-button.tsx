import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "./button.js";

/** Copies a text, and says so. Over plain HTTP browsers copy nothing: there is no button, and the text can be selected. */
export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const [outcome, setOutcome] = useState<"Copied" | "Select and copy it">();
  useEffect(() => {
    if (outcome === undefined) return undefined;
    const timer = setTimeout(() => setOutcome(undefined), 2_000);
    return () => clearTimeout(timer);
  }, [outcome]);
  if (!isSecureContext) return null;
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => setOutcome("Copied"),
      () => setOutcome("Select and copy it"),
    );
  return (
    <Button size="small" onClick={copy}>
      {outcome === "Copied" ? <Check className="size-3.5 text-good" aria-hidden /> : <Copy className="size-3.5" aria-hidden />}
      <span aria-live="polite">{outcome ?? label}</span>
    </Button>
  );
}
