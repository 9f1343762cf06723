import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "../api.js";
import { useSession } from "../session.js";
import { Button } from "../ui/button.js";
import { Card } from "../ui/card.js";
import { Field } from "../ui/field.js";
import { Form } from "../ui/form.js";
import { Outcome } from "./profile-card.js";

/** Changes the password, which ends all other sessions. */
export function PasswordCard() {
  const { email } = useSession();
  // A new form after each change: its fields are empty.
  const [changes, setChanges] = useState(0);
  const trpc = useTRPC();
  const queries = useQueryClient();
  const change = useMutation(
    trpc.account.changePassword.mutationOptions({
      onSuccess: async () => {
        setChanges((before) => before + 1);
        await queries.invalidateQueries({ queryKey: trpc.account.sessions.queryKey() });
      },
    }),
  );
  return (
    <Card title="Password">
      <Form
        key={changes}
        className="space-y-4 px-4 pb-4"
        onSubmit={(textOf) => change.mutate({ current: textOf("current"), next: textOf("next") })}
      >
        <input type="hidden" name="username" autoComplete="username" value={email} />
        <Field label="Current password" name="current" type="password" autoComplete="current-password" required />
        <Field
          label="New password"
          name="next"
          type="password"
          autoComplete="new-password"
          minLength={10}
          maxLength={128}
          required
          hint="10 characters or more. Every other session ends."
        />
        <Outcome error={change.error} done={change.isSuccess ? "Your password is changed. All other sessions have ended." : null} />
        <Button type="submit" isBusy={change.isPending}>
          Change password
        </Button>
      </Form>
    </Card>
  );
}
