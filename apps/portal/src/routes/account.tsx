import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { PasskeysCard } from "../account/passkeys-card.js";
import { PasswordCard } from "../account/password-card.js";
import { ProfileCard } from "../account/profile-card.js";
import { SessionsCard } from "../account/sessions-card.js";
import { refusalText } from "../account/refusal-text.js";
import { useTRPC } from "../api.js";
import { Button } from "../ui/button.js";
import { Card } from "../ui/card.js";
import { Failure } from "../ui/failure.js";
import { LoadingRows } from "../ui/loading.js";
import { Page } from "../ui/page.js";

const route = getRouteApi("/app/framed/account");

/** The person's own account: name, email, ways to sign in, sessions. */
export function AccountPage() {
  const trpc = useTRPC();
  const methods = useQuery(trpc.account.methods.queryOptions());
  const options = useQuery(trpc.session.options.queryOptions());
  const { data, error } = methods;
  return (
    <Page title="Account" intro="Who you are here, and how you sign in.">
      {error !== null && data === undefined && <Failure error={error} onRetry={() => void methods.refetch()} />}
      {error === null && data === undefined && (
        <Card>
          <LoadingRows rows={3} />
        </Card>
      )}
      {data !== undefined && (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
          <div className="space-y-4">
            <ProfileCard hasPassword={data.hasPassword} />
            {data.hasPassword && <PasswordCard />}
          </div>
          <div className="space-y-4">
            <SessionsCard />
            <PasskeysCard />
            {options.data?.hasOidc === true && <ProviderCard isConnected={data.hasOidc} />}
          </div>
        </div>
      )}
    </Page>
  );
}

function ProviderCard({ isConnected }: { isConnected: boolean }) {
  const trpc = useTRPC();
  const { error: refusal } = route.useSearch();
  const connect = useMutation(trpc.account.connectOidc.mutationOptions({ onSuccess: ({ url }) => location.assign(url) }));
  return (
    <Card
      title="Identity provider"
      action={
        !isConnected && (
          <Button size="small" isBusy={connect.isPending} onClick={() => connect.mutate()}>
            Connect
          </Button>
        )
      }
    >
      <p className="px-4 pb-4 text-muted">
        {isConnected ? "It can sign you in." : "Connect your account there, and it can sign you in without a password of this server."}
      </p>
      {(connect.error !== null || refusal !== undefined) && (
        <p role="alert" className="px-4 pb-4 text-small text-bad">
          {connect.error?.message ?? refusalText(refusal ?? "")}
        </p>
      )}
    </Card>
  );
}
