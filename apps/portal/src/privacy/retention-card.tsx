import type { ContextType, PrivacyLevel, RetentionRule } from "@periscope/schemas";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useState } from "react";
import { type Outputs, useTRPC } from "../api.js";
import { Button } from "../ui/button.js";
import { Card } from "../ui/card.js";
import { kinds, levels } from "../ui/context-facts.js";
import { Dialog } from "../ui/dialog.js";
import { Failure } from "../ui/failure.js";
import { Field } from "../ui/field.js";
import { Form } from "../ui/form.js";
import { Bar } from "../ui/loading.js";
import { Select } from "../ui/select.js";

const any = "";

/** A change that deletes what is stored, and what the person is told of it first. */
interface AskedChange {
  title: string;
  /** What is kept from then on. */
  keeps: string;
  change: { rules: RetentionRule[]; updatedAt: Outputs["privacy"]["retention"]["updatedAt"] };
}

/** How long contexts are kept. */
export function RetentionCard() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(trpc.privacy.retention.queryOptions());
  const save = useMutation(
    trpc.privacy.saveRetention.mutationOptions({
      onSuccess: (saved) => queries.setQueryData(trpc.privacy.retention.queryKey(), saved),
      // They may have changed elsewhere.
      onError: () => queries.invalidateQueries({ queryKey: trpc.privacy.retention.queryKey() }),
    }),
  );
  const [asked, setAsked] = useState<AskedChange | null>(null);
  const ask = (change: AskedChange | null) => {
    save.reset();
    setAsked(change);
  };
  const { rules = [], updatedAt = null, defaultDays = null } = data ?? {};
  const remove = (rule: RetentionRule) => {
    const change = { rules: rules.filter((each) => each !== rule), updatedAt };
    if (change.rules.length > 0 || defaultDays === null) save.mutate(change);
    else ask({ title: "Remove your last rule?", keeps: `Everything is kept for ${days(defaultDays)} then.`, change });
  };
  return (
    <Card title="How long contexts are kept">
      <div className="space-y-4 px-4 pb-4">
        {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <Bar className="w-2/3" />}
        {data !== undefined && <p className="text-muted">{summaryOf(data)}</p>}
        {rules.length > 0 && (
          <ul className="divide-y divide-line rounded-medium border border-line">
            {rules.map((rule, at) => (
              <li key={at} className="flex min-h-10 items-center gap-2 py-1 pr-1 pl-3">
                <span className="grow">{describe(rule)}</span>
                <Button
                  look="quiet"
                  size="square"
                  aria-label={`Remove the rule: ${describe(rule)}`}
                  disabled={save.isPending}
                  onClick={() => remove(rule)}
                >
                  <X className="size-3.5" aria-hidden />
                </Button>
              </li>
            ))}
          </ul>
        )}
        <Form
          className="grid gap-3 sm:grid-cols-2 lg:grid-cols-[7rem_1fr_1fr_1fr_auto] lg:items-end"
          onSubmit={(textOf) => {
            const rule = toRule(textOf);
            ask({ title: "Add this rule?", keeps: `${describe(rule)}.`, change: { rules: [...rules, rule], updatedAt } });
          }}
        >
          <Field label="Days to keep" name="keepDays" type="number" min={1} max={36_500} defaultValue={90} required />
          <Select
            label="Of kind"
            name="type"
            choices={[{ value: any, label: "Any kind" }, ...Object.entries(kinds).map(([value, { label }]) => ({ value, label }))]}
          />
          <Select
            label="Of level"
            name="privacyLevel"
            choices={[{ value: any, label: "Any level" }, ...Object.entries(levels).map(([value, { label }]) => ({ value, label }))]}
          />
          <Field label="Of site" name="site" placeholder="Any site" />
          <Button type="submit" className="h-9" disabled={data === undefined || save.isPending}>
            Add rule
          </Button>
        </Form>
        <p className="text-small text-muted">
          What is past its time is deleted for good within the hour. Of several rules that fit, the shortest holds.
        </p>
        {asked === null && save.error !== null && (
          <p role="alert" className="text-small text-bad">
            {save.error.message}
          </p>
        )}
      </div>
      <Dialog
        isOpen={asked !== null}
        onOpenChange={() => ask(null)}
        title={asked?.title ?? ""}
        intro={`${asked?.keeps} What is older is deleted for good within the hour, also for every agent and app with a key of yours.`}
      >
        {save.error !== null && <Failure error={save.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={() => ask(null)}>Cancel</Button>
          <Button
            look="danger"
            isBusy={save.isPending}
            onClick={() => asked && save.mutate(asked.change, { onSuccess: () => setAsked(null) })}
          >
            Delete what is older
          </Button>
        </div>
      </Dialog>
    </Card>
  );
}

function toRule(textOf: (name: string) => string): RetentionRule {
  const [type, privacyLevel, site] = [textOf("type"), textOf("privacyLevel"), textOf("site").trim()];
  return {
    keepDays: Number(textOf("keepDays")),
    ...(type !== any && { type: type as ContextType }),
    ...(privacyLevel !== any && { privacyLevel: privacyLevel as PrivacyLevel }),
    ...(site !== "" && { site }),
  };
}

function describe({ keepDays, type, privacyLevel, site }: RetentionRule): string {
  const conditions = [type && kinds[type].label, privacyLevel && `level ${levels[privacyLevel].label}`, site].filter(Boolean);
  return `${conditions.length === 0 ? "Everything" : conditions.join(", ")}: ${days(keepDays)}`;
}

function summaryOf({ rules, defaultDays, maxDays }: { rules: unknown[]; defaultDays: number | null; maxDays: number | null }): string {
  const most = maxDays === null ? "" : ` The operator deletes everything after ${days(maxDays)}.`;
  if (rules.length > 0) return `Everything else is kept.${most}`;
  return `${defaultDays === null ? "Everything is kept until you delete it." : `Everything is kept for ${days(defaultDays)}.`}${most}`;
}

function days(count: number): string {
  return count === 1 ? "1 day" : `${count} days`;
}
