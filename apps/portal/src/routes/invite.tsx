import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTRPC, useTRPCClient } from "../api.js";
import { AccountForm } from "../setup/account-form.js";
import { useHashToken } from "../setup/use-hash-token.js";
import { Entrance, SignInLink } from "../ui/entrance.js";
import { Failure } from "../ui/failure.js";
import { LoadingRows } from "../ui/loading.js";

const route = getRouteApi("/invite");

/** Makes an account: by the token of an invite, or without one where the server lets everybody in. */
export function InvitePage() {
  const token = useHashToken();
  const hasToken = token !== "";
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const navigate = route.useNavigate();
  const invite = useQuery({
    queryKey: ["invite", token],
    queryFn: () => client.invite.begin.mutate({ token }),
    enabled: hasToken,
    staleTime: Infinity,
  });
  const options = useQuery(trpc.session.options.queryOptions(undefined, { enabled: !hasToken }));
  const { error, isPending, refetch } = hasToken ? invite : options;
  const isOpen = hasToken ? invite.data?.isValid : options.data?.canSignUp;

  const enter = async () => {
    queries.clear();
    await navigate(hasToken ? { to: "/" } : { to: "/sign-in", search: { isNew: true } });
  };
  return (
    <Entrance title="Create your account" intro={isOpen === true ? "Everything your browser sends stays yours alone." : undefined}>
      {isPending && <LoadingRows rows={3} />}
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {isOpen === false && (
        <Failure
          error={{
            message: hasToken
              ? "This invite was used or has expired. Ask the owner of this server for a new one."
              : "This address has no invite in it. Open the whole address of yours, with what stands behind the #, or ask the owner of this server how to get in.",
          }}
        />
      )}
      {isOpen === true && (
        <AccountForm
          create={async (account) => {
            if (hasToken) await client.invite.complete.mutate({ token, ...account });
            else await client.invite.signUp.mutate(account);
          }}
          onMade={() => void enter()}
        />
      )}
      <SignInLink />
    </Entrance>
  );
}
