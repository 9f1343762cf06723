import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { useTRPC } from "../api.js";
import { useSession } from "../session.js";
import { Button } from "../ui/button.js";
import { Card } from "../ui/card.js";
import { Field } from "../ui/field.js";
import { Form } from "../ui/form.js";

/** Name and email. The email changes by the password only. */
export function ProfileCard({ hasPassword }: { hasPassword: boolean }) {
  const { name, email } = useSession();
  const [typedEmail, setTypedEmail] = useState(email);
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const change = useMutation(
    trpc.account.changeProfile.mutationOptions({
      onSuccess: async () => {
        queries.removeQueries({ queryKey: ["session"] });
        await router.invalidate();
      },
    }),
  );
  const isNewEmail = typedEmail.trim().toLowerCase() !== email;
  return (
    <Card title="Profile">
      <Form
        className="space-y-4 px-4 pb-4"
        onSubmit={(textOf) => change.mutate({ name: textOf("name"), email: typedEmail, password: textOf("password") })}
      >
        <Field label="Name" name="name" defaultValue={name} autoComplete="name" maxLength={128} required />
        <Field
          label="Email"
          name="email"
          type="email"
          value={typedEmail}
          onChange={({ target }) => setTypedEmail(target.value)}
          autoComplete="email"
          required
          disabled={!hasPassword}
          hint={hasPassword ? "You sign in with it. Nothing is sent to it." : "Your identity provider signs you in."}
        />
        {isNewEmail && (
          <Field label="Password" name="password" type="password" autoComplete="current-password" required hint="To change the email." />
        )}
        <Outcome error={change.error} done={change.isSuccess && !isNewEmail ? "Saved." : null} />
        <Button type="submit" isBusy={change.isPending}>
          Save
        </Button>
      </Form>
    </Card>
  );
}

/** Says how a form went. */
export function Outcome({ error, done }: { error: { message: string } | null; done: string | null }) {
  return error === null ? (
    <p role="status" className="text-small text-good empty:hidden">
      {done}
    </p>
  ) : (
    <p role="alert" className="text-small text-bad">
      {error.message}
    </p>
  );
}
