import type { PrivacyLevel, Scope } from "@periscope/schemas";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "../api.js";
import { ConfigurationTabs } from "../connect/configuration-tabs.js";
import { agentConfigurations, apiConfigurations } from "../connect/configurations.js";
import { ShownKey } from "../connect/shown-key.js";
import { Button } from "../ui/button.js";
import { levels } from "../ui/context-facts.js";
import { Dialog } from "../ui/dialog.js";
import { Failure } from "../ui/failure.js";
import { Field } from "../ui/field.js";
import { Form } from "../ui/form.js";
import { Select } from "../ui/select.js";

const scopeTexts: ReadonlyArray<{ scope: Scope; label: string; meaning: string }> = [
  { scope: "read", label: "Read", meaning: "Search and read what is stored. Enough for an agent." },
  { scope: "write", label: "Write", meaning: "Store contexts, as the extension does." },
  { scope: "delete", label: "Delete", meaning: "Delete contexts for good." },
];
const levelChoices = (["restricted", "filtered", "private", "public"] as const).map((level) => ({
  value: level,
  label: level === "restricted" ? "All levels" : `Up to ${levels[level].label.toLowerCase()}`,
}));
const expiries = [
  { value: "90", label: "In 90 days" },
  { value: "30", label: "In 30 days" },
  { value: "365", label: "In a year" },
  { value: "", label: "Never" },
];

/** A button that makes a key. The key is shown once, beside ready configurations. */
export function NewKey() {
  const [isOpen, setOpen] = useState(false);
  const [key, setKey] = useState<string>();
  const change = (open: boolean) => {
    setKey(undefined);
    setOpen(open);
  };
  return (
    <>
      <Button look="primary" onClick={() => change(true)}>
        <Plus className="size-4" aria-hidden />
        New key
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={change}
        isWide={key !== undefined}
        title={key === undefined ? "New key" : "Your new key"}
        {...(key === undefined && { intro: "One key for each program: you can end one without the others." })}
      >
        {key === undefined ? <NewKeyForm onMade={setKey} /> : <MadeKey apiKey={key} onDone={() => change(false)} />}
      </Dialog>
    </>
  );
}

function NewKeyForm({ onMade }: { onMade: (key: string) => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [scopes, setScopes] = useState<readonly Scope[]>(["read"]);
  const create = useMutation(
    trpc.keys.create.mutationOptions({
      // The key must not stay in memory once it is no longer shown.
      gcTime: 0,
      onSuccess: ({ key }) => {
        onMade(key);
        void queries.invalidateQueries({ queryKey: trpc.keys.list.queryKey() });
      },
    }),
  );
  return (
    <Form
      className="space-y-4"
      onSubmit={(textOf) => {
        const days = textOf("expiry");
        const maxPrivacyLevel = textOf("level") as PrivacyLevel;
        create.mutate({ name: textOf("name"), scopes: [...scopes], maxPrivacyLevel, expiresInDays: days === "" ? null : Number(days) });
      }}
    >
      <Field label="Name" name="name" maxLength={128} placeholder="Claude on my laptop" required autoComplete="off" />
      <fieldset>
        <legend className="mb-1.5 font-medium">It may</legend>
        <div className="divide-y divide-line rounded-small border border-line">
          {scopeTexts.map(({ scope, label, meaning }) => (
            <label key={scope} className="flex items-start gap-3 px-3 py-2.5">
              <input
                type="checkbox"
                className="mt-0.5 size-4 shrink-0 accent-accent"
                checked={scopes.includes(scope)}
                onChange={({ target }) => setScopes(target.checked ? [...scopes, scope] : scopes.filter((each) => each !== scope))}
              />
              <span>
                <span className="font-medium">{label}</span>
                <span className="block text-small text-muted">{meaning}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <div className="grid gap-4 sm:grid-cols-2">
        <Select label="It sees" name="level" choices={levelChoices} />
        <Select label="It expires" name="expiry" choices={expiries} />
      </div>
      {create.error !== null && <Failure error={create.error} />}
      <Button type="submit" look="primary" size="large" className="w-full" isBusy={create.isPending} disabled={scopes.length === 0}>
        Create key
      </Button>
    </Form>
  );
}

function MadeKey({ apiKey, onDone }: { apiKey: string; onDone: () => void }) {
  const { origin } = location;
  return (
    <div className="space-y-5">
      <ShownKey apiKey={apiKey} />
      <ConfigurationTabs configurations={[...agentConfigurations(origin, apiKey), ...apiConfigurations(origin, apiKey)]} />
      <div className="flex justify-end">
        <Button look="primary" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}
