import type { EraseReceipt } from "@periscope/schemas";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPCClient } from "../api.js";
import { useSession } from "../session.js";
import { Button } from "../ui/button.js";
import { Card } from "../ui/card.js";
import { Dialog } from "../ui/dialog.js";
import { Failure } from "../ui/failure.js";
import { Field } from "../ui/field.js";
import { Form } from "../ui/form.js";
import { Moment } from "../ui/time.js";

const number = new Intl.NumberFormat();

/** Erases everything, the account too, and shows the proof. */
export function EraseCard() {
  const client = useTRPCClient();
  const { email } = useSession();
  const [isOpen, setOpen] = useState(false);
  const erase = useMutation({ mutationFn: (confirm: string) => client.data.erase.mutate({ confirm }) });
  const leave = () => location.assign("/sign-in");
  return (
    <Card title="Erase everything">
      <div className="space-y-4 px-4 pb-4">
        <p className="text-muted">
          Deletes every context, your rules, your keys and this account for good. Then the server searches its database for what is left,
          and gives you a receipt. Export first what you want to keep.
        </p>
        <Button look="danger" onClick={() => setOpen(true)}>
          Erase everything…
        </Button>
      </div>
      <Dialog
        isOpen={isOpen}
        onOpenChange={(open) => {
          if (erase.isPending) return;
          if (erase.data !== undefined) leave();
          setOpen(open);
        }}
        title={erase.data === undefined ? "Erase everything?" : "Everything is erased"}
        intro={erase.data === undefined ? "This cannot be undone." : "Keep this receipt if you want to. You are signed out."}
      >
        {erase.data === undefined ? (
          <Form className="space-y-4" onSubmit={(textOf) => erase.mutate(textOf("confirm"))}>
            <Field label={`Type ${email} to go on`} name="confirm" autoComplete="off" required disabled={erase.isPending} />
            {erase.error !== null && <Failure error={erase.error} />}
            {erase.isPending && <p className="text-small text-muted">This takes up to a minute for 100,000 contexts.</p>}
            <div className="flex justify-end gap-2">
              <Button onClick={() => setOpen(false)} disabled={erase.isPending}>
                Keep everything
              </Button>
              <Button type="submit" look="danger" isBusy={erase.isPending}>
                Erase everything
              </Button>
            </div>
          </Form>
        ) : (
          <Receipt receipt={erase.data} onClose={leave} />
        )}
      </Dialog>
    </Card>
  );
}

function Receipt({ receipt, onClose }: { receipt: EraseReceipt; onClose: () => void }) {
  const { erasedAt, counts, verified } = receipt;
  const searched = verified.method === "files" ? `${verified.filesSearched} files` : `${verified.tablesSearched} tables`;
  const href = `data:application/json,${encodeURIComponent(JSON.stringify(receipt, null, 2))}`;
  return (
    <div className="space-y-4">
      <p>
        Erased <Moment at={erasedAt} />. {searched} of the database were searched for your id and for your text: nothing was found.
      </p>
      <dl className="max-h-64 divide-y divide-line overflow-y-auto rounded-medium border border-line">
        {Object.entries(counts)
          .filter(([, count]) => count > 0)
          .map(([table, count]) => (
            <div key={table} className="flex justify-between gap-4 px-3 py-1.5">
              <dt>{table.replaceAll(/[_-]/g, " ")}</dt>
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
