import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Fingerprint, LogIn } from "lucide-react";
import { refusalText } from "../account/refusal-text.js";
import { useTRPC, useTRPCClient } from "../api.js";
import { isOwnPath } from "../own-path.js";
import { canUsePasskeys, signInByPasskey } from "../passkeys.js";
import { Button } from "../ui/button.js";
import { Card } from "../ui/card.js";
import { Entrance } from "../ui/entrance.js";
import { Failure } from "../ui/failure.js";
import { Field } from "../ui/field.js";
import { Form } from "../ui/form.js";

const route = getRouteApi("/sign-in");

/** Signs in by password, passkey or identity provider, and leads to where the person was going. */
export function SignInPage() {
  const { to, error: refusal, isNew } = route.useSearch();
  const target = to !== undefined && isOwnPath(to) ? to : "/";
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const client = useTRPCClient();
  const { data: options, error: optionsError, refetch } = useQuery(useTRPC().session.options.queryOptions());
  const onSuccess = async () => {
    queries.clear();
    await navigate({ href: target });
  };
  const password = useMutation({
    mutationFn: (account: { email: string; password: string }) => client.session.signIn.mutate(account),
    onSuccess,
  });
  const passkey = useMutation({ mutationFn: signInByPasskey, onSuccess });
  const provider = useMutation({
    mutationFn: () => client.session.signInByOidc.mutate({ returnTo: target }),
    onSuccess: ({ url }) => location.assign(url),
  });
  const failure = passkey.error ?? provider.error;
  const hasOthers = canUsePasskeys() || options?.hasOidc === true;

  return (
    <Entrance title="Sign in to Periscope" intro={isNew === true ? "Now sign in with your new account." : undefined}>
      <Card className="p-6">
        <Form className="space-y-4" onSubmit={(textOf) => password.mutate({ email: textOf("email"), password: textOf("password") })}>
          <Field label="Email" name="email" type="email" autoComplete="username" required autoFocus />
          <Field
            label="Password"
            name="password"
            type="password"
            autoComplete="current-password"
            required
            error={password.error === null ? undefined : password.error.message}
          />
          <Button type="submit" look="primary" size="large" className="w-full" isBusy={password.isPending}>
            Sign in
          </Button>
        </Form>
        {optionsError !== null && options === undefined && (
          <div className="mt-5">
            <Failure error={optionsError} onRetry={() => void refetch()} />
          </div>
        )}
        {hasOthers && (
          <div className="mt-5 space-y-2 border-t border-line pt-5">
            {canUsePasskeys() && (
              <Button size="large" className="w-full" isBusy={passkey.isPending} onClick={() => passkey.mutate()}>
                <Fingerprint className="size-4" aria-hidden />
                Use a passkey
              </Button>
            )}
            {options?.hasOidc === true && (
              <Button size="large" className="w-full" isBusy={provider.isPending} onClick={() => provider.mutate()}>
                <LogIn className="size-4" aria-hidden />
                Use your organization’s sign-in
              </Button>
            )}
          </div>
        )}
        {(failure !== null || refusal !== undefined) && (
          <p role="alert" className="mt-3 text-small text-bad">
            {failure?.message ?? refusalText(refusal ?? "")}
          </p>
        )}
      </Card>
      <p className="mt-5 text-center text-small text-balance text-muted">
        {options?.needsSetup === true &&
          "This server has no owner yet. To become the owner, open the setup address that the server printed when it started. Start it again to get a new one."}
        {options?.canSignUp === true && (
          <>
            New here?{" "}
            <Link to="/invite" className="rounded-small font-medium text-accent-ink hover:underline">
              Create an account
            </Link>
          </>
        )}
      </p>
    </Entrance>
  );
}
