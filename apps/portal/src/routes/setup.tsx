import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC, useTRPCClient } from "../api.js";
import { AccountForm } from "../setup/account-form.js";
import { FirstSteps } from "../setup/first-steps.js";
import { useHashToken } from "../setup/use-hash-token.js";
import { Entrance, SignInLink } from "../ui/entrance.js";
import { Failure } from "../ui/failure.js";
import { LoadingRows } from "../ui/loading.js";

/** The first run: the token in the address makes the owner's account; then the first steps. */
export function SetupPage() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const client = useTRPCClient();
  const token = useHashToken();
  const [key, setKey] = useState<string>();
  const options = useQuery(trpc.session.options.queryOptions(undefined, { enabled: token === "" }));
  const begin = useQuery({
    queryKey: ["setup", token],
    queryFn: () => client.setup.begin.mutate({ token }),
    enabled: key === undefined,
    staleTime: Infinity,
  });

  if (key !== undefined)
    return (
      <Entrance isWide title="Your server is ready" intro="Three steps from here to your own memory. You can take them in any order.">
        <FirstSteps apiKey={key} />
      </Entrance>
    );
  return (
    <Entrance title="Set up Periscope" intro={begin.data?.isValid === true ? "Create the account that owns this server." : undefined}>
      {begin.isPending && <LoadingRows rows={3} />}
      {begin.error && <Failure error={begin.error} onRetry={() => void begin.refetch()} />}
      {begin.data?.isValid === false && (
        <>
          <Failure
            error={{
              message:
                options.data?.needsSetup === false
                  ? "This server is set up already."
                  : token === ""
                    ? "Open the whole address that the server printed, with what stands behind the #."
                    : "This setup address was used or has expired. If this server has no owner yet, restart it to get a new one.",
            }}
          />
          <SignInLink />
        </>
      )}
      {begin.data?.isValid === true && (
        <AccountForm
          create={(account) => client.setup.complete.mutate({ token, ...account })}
          onMade={(made) => {
            queries.removeQueries({ queryKey: ["session"] });
            setKey(made.key);
          }}
        />
      )}
    </Entrance>
  );
}
