import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Outputs, useTRPC } from "../api.js";
import { ShownPassword } from "./shown-password.js";
import { useSession } from "../session.js";
import { Badge } from "../ui/badge.js";
import { Button } from "../ui/button.js";
import { Confirm } from "../ui/confirm.js";
import { formatBytes } from "../ui/bytes.js";
import { Failure } from "../ui/failure.js";
import { Ago } from "../ui/time.js";

export type Person = Outputs["people"]["list"][number];

const number = new Intl.NumberFormat();

/** What a person is called. */
export const nameOf = ({ account, userId }: Person): string => account?.name ?? userId;

/** A person, and what the owner may do: disable, reset the password, erase. */
export function PersonRow({ person, onErase }: { person: Person; onErase: () => void }) {
  const { userId, account, contexts, bytes } = person;
  const { userId: ownId } = useSession();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const reload = { onSuccess: () => queries.invalidateQueries({ queryKey: trpc.people.list.queryKey() }) };
  const disable = useMutation(trpc.people.disable.mutationOptions(reload));
  const enable = useMutation(trpc.people.enable.mutationOptions(reload));
  const reset = useMutation(trpc.people.resetPassword.mutationOptions());
  const isDisabled = account !== null && account.disabledAt !== null;
  const name = nameOf(person);
  const error = disable.error ?? enable.error;
  return (
    <li className="space-y-3 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 grow">
          <p className="flex flex-wrap items-center gap-2 font-medium">
            <span className="truncate">{name}</span>
            {account?.isOwner === true && <Badge tone="accent">Owner</Badge>}
            {isDisabled && <Badge tone="bad">Disabled</Badge>}
            {account === null && <Badge>Keys only</Badge>}
          </p>
          <p className="mt-0.5 text-small text-muted wrap-anywhere">
            {account?.email ?? "No account; cannot sign in"} ·{" "}
            {contexts === 0
              ? "nothing stored"
              : `${number.format(contexts)} ${contexts === 1 ? "context" : "contexts"}, ${formatBytes(bytes)}`}{" "}
            ·{" "}
            {account?.lastSignInAt ? (
              <>
                signed in <Ago at={new Date(account.lastSignInAt).toISOString()} />
              </>
            ) : (
              "never signed in"
            )}
          </p>
        </div>
        {userId !== ownId && (
          <div className="-mx-2.5 flex flex-wrap">
            {account !== null && (
              <>
                <Confirm
                  trigger={
                    <Button look="quiet" size="small" aria-label={`New password for ${name}`}>
                      New password
                    </Button>
                  }
                  title={`Give ${name} a new password?`}
                  action="Make a new password"
                  onConfirm={() => reset.mutateAsync({ userId })}
                >
                  The old one ends, and so do all of their sessions. You tell them the new one.
                </Confirm>
                <Button
                  look="quiet"
                  size="small"
                  isBusy={disable.isPending || enable.isPending}
                  onClick={() => (isDisabled ? enable : disable).mutate({ userId })}
                >
                  {isDisabled ? "Enable" : "Disable"}
                </Button>
              </>
            )}
            <Button look="quiet" size="small" className="hover:text-bad!" aria-label={`Erase ${name}`} onClick={onErase}>
              Erase
            </Button>
          </div>
        )}
      </div>
      {error !== null && <Failure error={error} />}
      {reset.data !== undefined && <ShownPassword password={reset.data.password} />}
    </li>
  );
}
