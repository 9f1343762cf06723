import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../api.js";
import { useSignOut } from "../session.js";
import { Badge } from "../ui/badge.js";
import { Button } from "../ui/button.js";
import { Card } from "../ui/card.js";
import { Failure } from "../ui/failure.js";
import { LoadingRows } from "../ui/loading.js";
import { Ago } from "../ui/time.js";

/** Where the person is signed in, with a way out of each. */
export function SessionsCard() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const signOut = useSignOut();
  const { data: sessions, error, refetch } = useQuery(trpc.account.sessions.queryOptions());
  const onSuccess = () => queries.invalidateQueries({ queryKey: trpc.account.sessions.queryKey() });
  const end = useMutation(trpc.account.endSession.mutationOptions({ onSuccess }));
  const endOthers = useMutation(trpc.account.endOtherSessions.mutationOptions({ onSuccess }));
  const failed = end.error ?? endOthers.error ?? signOut.error;
  return (
    <Card
      title="Sessions"
      action={
        sessions !== undefined &&
        sessions.length > 1 && (
          <Button size="small" isBusy={endOthers.isPending} onClick={() => endOthers.mutate()}>
            Sign out everywhere else
          </Button>
        )
      }
    >
      {failed !== null && (
        <p role="alert" className="px-4 pb-3 text-small text-bad">
          {failed.message}
        </p>
      )}
      {error !== null && sessions === undefined && (
        <div className="px-4 pb-4">
          <Failure error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {sessions === undefined && error === null && <LoadingRows rows={2} />}
      {sessions !== undefined && (
        <ul className="divide-y divide-line border-t border-line">
          {sessions.map(({ id, userAgent, address, createdAt, isThis }) => {
            const browser = describeBrowser(userAgent ?? "");
            return (
              <li key={id} className="flex items-center gap-3 px-4 py-3">
                <div className="min-w-0 grow">
                  <p className="flex items-center gap-2 font-medium">
                    <span className="truncate">{browser}</span>
                    {isThis && <Badge tone="good">This one</Badge>}
                  </p>
                  <p className="truncate text-small text-muted">
                    Signed in <Ago at={new Date(createdAt).toISOString()} />
                    {address !== null && address !== "" && ` from ${address}`}
                  </p>
                </div>
                <Button
                  look="quiet"
                  size="small"
                  aria-label={`Sign out of ${browser}`}
                  isBusy={isThis ? signOut.isPending : end.isPending && end.variables.id === id}
                  onClick={() => (isThis ? signOut.mutate() : end.mutate({ id }))}
                >
                  Sign out
                </Button>
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
}

const browsers = [
  ["Edge", /\bEdg(?:A|iOS)?\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ["Safari", /\bSafari\//],
] as const;
const systems = [
  ["Android", /\bAndroid\b/],
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["Linux", /\bLinux\b|\bX11\b/],
] as const;

/** A browser as a person would name it, such as "Firefox on Linux". */
export function describeBrowser(userAgent: string): string {
  const browser = browsers.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? "A browser";
  const system = systems.find(([, pattern]) => pattern.test(userAgent))?.[0];
  return system === undefined ? browser : `${browser} on ${system}`;
}
