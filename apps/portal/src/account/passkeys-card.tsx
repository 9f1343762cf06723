import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Fingerprint } from "lucide-react";
import { Button } from "../ui/button.js";
import { Card } from "../ui/card.js";
import { Confirm } from "../ui/confirm.js";
import { Failure } from "../ui/failure.js";
import { Bar } from "../ui/loading.js";
import { Ago } from "../ui/time.js";
import { useSignOut } from "../session.js";
import { addPasskey, canUsePasskeys, deletePasskey, listPasskeys, type Passkey } from "../passkeys.js";
import { describeBrowser } from "./sessions-card.js";

const queryKey = ["passkeys"];

/** Passkeys: those that there are, one more, one less. */
export function PasskeysCard() {
  const queries = useQueryClient();
  const { data: passkeys, error, refetch } = useQuery({ queryKey, queryFn: listPasskeys });
  const add = useMutation({
    mutationFn: () => addPasskey(describeBrowser(navigator.userAgent)),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  });
  const signOut = useSignOut("/account");
  const isPossible = canUsePasskeys();
  const isThisMachine = /^127\.|^\[::1\]$/.test(location.hostname);
  return (
    <Card
      title="Passkeys"
      action={
        isPossible && (
          <Button size="small" isBusy={add.isPending} onClick={() => add.mutate()}>
            Add a passkey
          </Button>
        )
      }
    >
      <div className="px-4 pb-4">
        <p className="text-muted">
          Sign in by fingerprint, face or PIN, without your password.
          {!isPossible && !isThisMachine && " Passkeys need https and a host name."}
          {!isPossible && isThisMachine && (
            <>
              {" Browsers make no passkeys for an IP address: open the portal at "}
              <a className="font-medium text-accent-ink underline" href={`http://localhost:${location.port}/account`}>
                localhost:{location.port}
              </a>
              {" to add one."}
            </>
          )}
        </p>
        {add.error !== null && (
          <div className="mt-2 flex items-center gap-3">
            <p role="alert" className="text-small text-bad">
              {(signOut.error ?? add.error).message}
            </p>
            {add.error.cause === "forbidden" && (
              <Button size="small" isBusy={signOut.isPending} onClick={() => signOut.mutate()}>
                Sign in again
              </Button>
            )}
          </div>
        )}
        {error !== null && passkeys === undefined && (
          <div className="mt-3">
            <Failure error={error} onRetry={() => void refetch()} />
          </div>
        )}
        {passkeys === undefined && error === null && <Bar className="mt-4 w-1/2" />}
      </div>
      {passkeys !== undefined && passkeys.length > 0 && (
        <ul className="divide-y divide-line border-t border-line">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function PasskeyRow({ passkey: { id, name, createdAt } }: { passkey: Passkey }) {
  const shownName = name || "Passkey";
  return (
    <li className="flex items-center gap-3 px-4 py-3">
      <Fingerprint className="size-4 shrink-0 text-muted" aria-hidden />
      <div className="min-w-0 grow">
        <p className="truncate font-medium">{shownName}</p>
        <p className="text-small text-muted">
          Made <Ago at={createdAt} />
        </p>
      </div>
      <Confirm
        trigger={
          <Button look="quiet" size="small" aria-label={`Remove ${shownName}`}>
            Remove
          </Button>
        }
        title={`Remove “${shownName}”?`}
        action="Remove passkey"
        onConfirm={() => deletePasskey(id)}
      >
        It no longer signs you in. Remove it from your device or password manager, too.
      </Confirm>
    </li>
  );
}
