import { CopyButton } from "../ui/copy-button.js";

/** A new key, which the server can never show again. */
export function ShownKey({ apiKey }: { apiKey: string }) {
  return (
    <div>
      <div className="flex items-center gap-2 rounded-medium border border-line bg-back p-1.5 pl-3">
        <code className="min-w-0 grow font-mono text-small wrap-anywhere" data-key>
          {apiKey}
        </code>
        <CopyButton text={apiKey} />
      </div>
      <p className="mt-1.5 text-small text-muted">Copy it now. It is not shown again, but you can make another one at any time.</p>
    </div>
  );
}
