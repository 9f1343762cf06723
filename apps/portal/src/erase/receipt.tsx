import type { EraseReceipt } from "@periscope/schemas";
import { Button } from "../ui/button.js";
import { Moment } from "../ui/time.js";

const number = new Intl.NumberFormat();

/** The proof that a user is erased: what was deleted, and where the server looked for what might be left. */
export function Receipt({ receipt, onClose }: { receipt: EraseReceipt; onClose: () => void }) {
  const { erasedAt, counts, verified } = receipt;
  const searched = verified.method === "files" ? `${verified.filesSearched} files` : `${verified.tablesSearched} tables`;
  const href = `data:application/json,${encodeURIComponent(JSON.stringify(receipt, null, 2))}`;
  return (
    <div className="space-y-4">
      <p>
        Erased <Moment at={erasedAt} />. {searched} of the database were searched for the id and for the text: nothing was found.
      </p>
      <dl
        className="max-h-64 divide-y divide-line overflow-y-auto rounded-medium border border-line"
        tabIndex={0}
        aria-label="What was deleted"
      >
        {Object.entries(counts)
          .filter(([, count]) => count > 0)
          .map(([table, count]) => (
            <div key={table} className="flex justify-between gap-4 px-3 py-1.5">
              <dt className="first-letter:uppercase">{toWords(table)}</dt>
              <dd className="text-muted tabular-nums">{number.format(count)}</dd>
            </div>
          ))}
      </dl>
      <div className="flex justify-end gap-2">
        <Button asChild>
          <a href={href} download="periscope-receipt.json">
            Save the receipt
          </a>
        </Button>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}

/** `replayRecords` as "replay records". */
const toWords = (name: string): string => name.replaceAll(/([A-Z])/g, " $1").toLowerCase();
