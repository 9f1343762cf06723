import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../api.js";
import { Button } from "../ui/button.js";
import { Card } from "../ui/card.js";
import { CopyButton } from "../ui/copy-button.js";
import { Failure } from "../ui/failure.js";
import { Field } from "../ui/field.js";
import { Form } from "../ui/form.js";
import { Moment } from "../ui/time.js";

/** Invites: each makes one account. */
export function Invites() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const invites = useQuery(trpc.people.invites.queryOptions());
  const reload = { onSuccess: () => queries.invalidateQueries({ queryKey: trpc.people.invites.queryKey() }) };
  const invite = useMutation(trpc.people.invite.mutationOptions(reload));
  const revoke = useMutation(trpc.people.revokeInvite.mutationOptions(reload));
  const error = invite.error ?? revoke.error ?? invites.error;
  const address = invite.data?.address;
  const { closedReason = null, open = [] } = invites.data ?? {};
  return (
    <Card title="Invites">
      <div className="space-y-4 px-4 pb-4">
        {closedReason !== null && <p className="text-muted">{closedReason}</p>}
        {closedReason === null && (
          <Form className="flex flex-wrap items-end gap-2" onSubmit={(textOf) => invite.mutate({ note: textOf("note") })}>
            <Field label="For whom" name="note" placeholder="Grace" maxLength={128} className="w-full sm:w-72" />
            <Button type="submit" className="h-9" isBusy={invite.isPending}>
              Make an invite
            </Button>
          </Form>
        )}
        {error !== null && <Failure error={error} />}
        {address !== undefined && (
          <div role="status" className="space-y-1.5">
            <div className="flex items-center gap-2 rounded-medium border border-line bg-back p-1.5 pl-3">
              <code className="min-w-0 grow truncate font-mono text-small">{address}</code>
              <CopyButton text={address} />
            </div>
            <p className="text-small text-muted">Send this address to them. It makes one account, within 7 days, and is shown once.</p>
          </div>
        )}
        {open.length > 0 && (
          <ul className="divide-y divide-line rounded-medium border border-line">
            {open.map(({ hash, note, expiresAt }) => (
              <li key={hash} className="flex items-center gap-3 py-1.5 pr-1.5 pl-3">
                <span className="min-w-0 grow truncate">{note || "Without a name"}</span>
                <span className="text-small text-muted">
                  until <Moment at={new Date(expiresAt).toISOString()} />
                </span>
                <Button size="small" onClick={() => revoke.mutate({ hash })} aria-label={`Revoke the invite of ${note || "nobody"}`}>
                  Revoke
                </Button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}
