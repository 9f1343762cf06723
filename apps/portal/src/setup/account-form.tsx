import { useMutation } from "@tanstack/react-query";
import { Button } from "../ui/button.js";
import { Card } from "../ui/card.js";
import { Field } from "../ui/field.js";
import { Form } from "../ui/form.js";

/** What a person chooses for a new account. */
export interface NewAccount {
  name: string;
  email: string;
  password: string;
}

interface AccountFormProps<Made> {
  create: (account: NewAccount) => Promise<Made>;
  onMade: (made: Made) => void;
}

/** Asks for a new account, and makes it. */
export function AccountForm<Made>({ create, onMade }: AccountFormProps<Made>) {
  const creation = useMutation({ mutationFn: create, onSuccess: onMade });
  return (
    <Card className="p-6">
      <Form
        className="space-y-4"
        onSubmit={(textOf) => creation.mutate({ name: textOf("name"), email: textOf("email"), password: textOf("password") })}
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
        {creation.error !== null && (
          <p role="alert" className="text-small text-bad">
            {creation.error.message}
          </p>
        )}
        <Button type="submit" look="primary" size="large" className="w-full" isBusy={creation.isPending}>
          Create account
        </Button>
      </Form>
    </Card>
  );
}
