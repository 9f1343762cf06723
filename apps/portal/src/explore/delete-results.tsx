import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "../api.js";
import { Button } from "../ui/button.js";
import { Dialog } from "../ui/dialog.js";
import { Failure } from "../ui/failure.js";
import { Bar } from "../ui/loading.js";
import { ContextTitle } from "../ui/redacted-text.js";
import { toSite } from "../ui/context-facts.js";
import type { Filter } from "./filter.js";

const number = new Intl.NumberFormat();

/** Deletes everything that a filter finds, once the person has seen how much that is. */
export function DeleteResults({ filter }: { filter: Filter }) {
  const [isOpen, setOpen] = useState(false);
  const trpc = useTRPC();
  const queries = useQueryClient();
  const preview = useMutation(trpc.explore.previewDelete.mutationOptions());
  const remove = useMutation(
    trpc.explore.deleteMatches.mutationOptions({
      onSuccess: async () => {
        setOpen(false);
        await queries.invalidateQueries();
      },
    }),
  );
  const count = () => {
    remove.reset();
    preview.mutate(filter);
  };
  // The page's own filter can change while the dialog is open, as by the browser's Back.
  const { data, variables: previewed } = preview;
  const error = remove.error ?? preview.error;
  return (
    <>
      <Button
        look="quiet"
        size="small"
        className="-mr-2.5"
        onClick={() => {
          count();
          setOpen(true);
        }}
      >
        <Trash2 className="size-3.5" aria-hidden />
        Delete these…
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setOpen}
        title={
          data === undefined ? "Delete results" : `Delete ${number.format(data.matches)} ${data.matches === 1 ? "context" : "contexts"}?`
        }
        intro={`${data?.matches === 1 ? "It is" : "They are"} deleted for good, also for every agent and app with a key of yours.`}
      >
        {error !== null && <Failure error={error} onRetry={count} />}
        {preview.isPending && <Bar className="w-2/3" />}
        {data !== undefined && (
          <ul className="max-h-56 space-y-1.5 overflow-y-auto rounded-medium border border-line bg-back p-3 text-small">
            {data.sample.map(({ contextId, title, url }) => (
              <li key={contextId} className="flex gap-2">
                <span dir="auto" className="truncate font-medium">
                  <ContextTitle title={title} />
                </span>
                <span className="max-w-1/2 shrink-0 truncate text-muted">{toSite(url)}</span>
              </li>
            ))}
            {data.matches > data.sample.length && (
              <li className="text-muted">and {number.format(data.matches - data.sample.length)} more</li>
            )}
            {data.matches === 0 && <li className="text-muted">Nothing has every word of the search.</li>}
          </ul>
        )}
        <div className="mt-5 flex justify-end gap-2">
          <Button onClick={() => setOpen(false)}>Keep them</Button>
          <Button
            look="danger"
            isBusy={remove.isPending}
            disabled={remove.isPending || data === undefined || data.matches === 0}
            onClick={() => data && previewed && remove.mutate({ filter: previewed, confirm: data.confirm })}
          >
            Delete {data === undefined ? "" : number.format(data.matches)}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
