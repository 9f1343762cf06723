import { useMutation } from "@tanstack/react-query";
import { useTRPCClient } from "../api.js";
import { Button } from "../ui/button.js";
import { Card } from "../ui/card.js";
import { Field } from "../ui/field.js";
import { Form } from "../ui/form.js";

/** Asks for the owner's account, and makes it. */
export function AccountForm({ token, onMade }: { token: string; onMade: (key: string) => void }) {
  const client = useTRPCClient();
  const complete = useMutation({
    mutationFn: (account: { name: string; email: string; password: string }) => client.setup.complete.mutate({ token, ...account }),
    onSuccess: ({ key }) => onMade(key),
  });
  return (
    <Card className="p-6">
      <Form
        className="space-y-4"
        onSubmit={(textOf) => complete.mutate({ name: textOf("name"), email: textOf("email"), password: textOf("password") })}
      >
        <Field label="Name" name="name" autoComplete="name" required autoFocus />
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          required
          hint="You sign in with it. Nothing is sent to it."
        />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          minLength={10}
          maxLength={128}
          required
          hint="10 characters or more."
        />
        {complete.error !== null && (
          <p role="alert" className="text-small text-bad">
            {complete.error.message}
          </p>
        )}
        <Button type="submit" look="primary" size="large" className="w-full" isBusy={complete.isPending}>
          Create account
        </Button>
      </Form>
    </Card>
  );
}
