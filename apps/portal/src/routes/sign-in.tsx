import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { isOwnPath } from "../own-path.js";
import { signInWithPassword } from "../session.js";
import { Button } from "../ui/button.js";
import { Card } from "../ui/card.js";
import { Entrance } from "../ui/entrance.js";
import { Field } from "../ui/field.js";
import { Form } from "../ui/form.js";

const route = getRouteApi("/sign-in");

/** Signs in by email and password, and leads to where the person was going. */
export function SignInPage() {
  const { to } = route.useSearch();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const signIn = useMutation({
    mutationFn: signInWithPassword,
    onSuccess: async () => {
      queries.clear();
      await navigate({ href: to !== undefined && isOwnPath(to) ? to : "/" });
    },
  });
  return (
    <Entrance title="Sign in to Periscope">
      <Card className="p-6">
        <Form className="space-y-4" onSubmit={(textOf) => signIn.mutate({ email: textOf("email"), password: textOf("password") })}>
          <Field label="Email" name="email" type="email" autoComplete="username webauthn" required autoFocus />
          <Field
            label="Password"
            name="password"
            type="password"
            autoComplete="current-password"
            required
            error={signIn.error === null ? undefined : signIn.error.message}
          />
          <Button type="submit" look="primary" size="large" className="w-full" isBusy={signIn.isPending}>
            Sign in
          </Button>
        </Form>
      </Card>
    </Entrance>
  );
}
