import { CircleAlert } from "lucide-react";
import { Button } from "./button.js";

/** What could not be loaded and why, with a way to try again. */
export function Failure({ error, onRetry }: { error: { message: string }; onRetry?: () => void }) {
  return (
    <div role="alert" className="flex items-start gap-3 rounded-large border border-line bg-bad-tint p-4 text-bad">
      <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
      <p className="grow text-ink">{error.message}</p>
      {onRetry !== undefined && (
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
