import type { Scope } from "@periscope/schemas";
import { useMutation } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Check, ShieldCheck } from "lucide-react";
import { useTRPC } from "../api.js";
import { useSession } from "../session.js";
import { Button } from "../ui/button.js";
import { Card } from "../ui/card.js";
import { Entrance } from "../ui/entrance.js";
import { Failure } from "../ui/failure.js";
import { Form } from "../ui/form.js";

const recorded = [
  "The pages that you open: address, title, text, and for how long you look at them",
  "What you mark and send by yourself, such as a selection",
];
const never = "Private windows are never recorded. Passwords, card numbers and keys that the filter recognises are removed.";

/** The person agrees to connect the extension that has opened this page. */
export function PairPage() {
  const trpc = useTRPC();
  const navigate = useNavigate();
  const { email } = useSession();
  const { challenge, origin, name, server = location.origin } = useSearch({ from: "/app/pair" });
  const approve = useMutation(
    trpc.pairing.approve.mutationOptions({
      onSuccess: ({ code }) => navigate({ href: `/pair/done?code=${code}`, replace: true }),
    }),
  );
  if (challenge === undefined || origin === undefined || name === undefined)
    return (
      <Entrance title="Connect a browser">
        <Failure error={{ message: "This address is not complete. Press Connect in the extension to get a new one." }} />
      </Entrance>
    );
  // It sees its answer only at the address that it was told. An identity provider leads to the public one.
  if (!URL.canParse(server) || new URL(server).origin !== location.origin)
    return (
      <Entrance title="Connect a browser">
        <Failure
          error={{
            message: `You are signed in at ${location.origin}, but the extension looks at ${server}. Enter ${location.origin} as the address in the extension, and press Connect there again.`,
          }}
        />
      </Entrance>
    );
  return (
    <Entrance title={`Connect ${name}?`} intro={`The extension asks to send pages to your account, ${email}.`}>
      <Card className="p-5">
        <h2 className="font-bold">It will record</h2>
        <ul className="mt-2 space-y-1.5">
          {recorded.map((text) => (
            <li key={text} className="flex gap-2">
              <Check className="mt-0.5 size-4 shrink-0 text-good" aria-hidden />
              {text}
            </li>
          ))}
        </ul>
        <p className="mt-3 flex gap-2 text-small text-muted">
          <ShieldCheck className="mt-0.5 size-3.5 shrink-0" aria-hidden />
          {never}
        </p>
        <Form
          className="mt-5 space-y-3 border-t border-line pt-4"
          onSubmit={(textOf) => {
            const scopes: Scope[] = ["write"];
            if (textOf("read") !== "") scopes.push("read");
            if (textOf("delete") !== "") scopes.push("delete");
            approve.mutate({ challenge, origin, name, scopes });
          }}
        >
          <Choice name="read" label="It may show and search my pages in its window" />
          <Choice name="delete" label="It may delete my pages" />
          {approve.error !== null && <Failure error={approve.error} />}
          <div className="flex justify-end gap-2 pt-2">
            {/* The extension closes the tab: a page may not close one that has a history. */}
            <Button onClick={() => void navigate({ href: "/pair/done", replace: true })}>Cancel</Button>
            <Button type="submit" look="primary" isBusy={approve.isPending}>
              Connect
            </Button>
          </div>
        </Form>
      </Card>
      <p className="mt-4 text-small text-muted">
        It gets a key of its own, which you can revoke under Keys. Asked by {origin}. Did you not press Connect in the extension? Then
        cancel.
      </p>
    </Entrance>
  );
}

function Choice({ name, label }: { name: string; label: string }) {
  return (
    <label className="flex items-center gap-2.5">
      <input type="checkbox" name={name} value="yes" defaultChecked className="size-4 shrink-0 accent-accent" />
      {label}
    </label>
  );
}
