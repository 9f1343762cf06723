import type { PrivacyLevel, PrivacyRules, StoredPrivacyRules } from "@periscope/schemas";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTRPC } from "../api.js";
import { Button } from "../ui/button.js";
import { Card } from "../ui/card.js";
import { LevelBadge, levels } from "../ui/context-facts.js";
import { inputClasses } from "../ui/field.js";
import { Form } from "../ui/form.js";
import { Select } from "../ui/select.js";

/** The person's own privacy rules: sites that are left out, levels of sites, and words that are removed. */
export function RuleLists({ rules }: { rules: StoredPrivacyRules }) {
  const { blockedSites, siteRules, denyList } = rules;
  const { save, isBusy, error, savedBy } = useSaveRules(rules);
  const failed = (list: keyof PrivacyRules) => (savedBy === list ? error : undefined);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-3">
      <RuleCard
        title="Blocked sites"
        intro="Nothing of these sites is stored, nor of what is below them."
        items={blockedSites.map((site) => ({ id: site, label: site }))}
        onRemove={(site) => save("blockedSites", { blockedSites: blockedSites.filter((each) => each !== site) })}
        isBusy={isBusy}
        error={failed("blockedSites")}
      >
        <AddForm
          label="Site to block"
          placeholder="bank.example"
          isBusy={isBusy}
          onAdd={(site) => save("blockedSites", { blockedSites: [...blockedSites, site] })}
        />
      </RuleCard>
      <RuleCard
        title="Levels of sites"
        intro="How much is stored of a site and of what is below it."
        items={siteRules.map(({ site, level }) => ({ id: site, label: site, end: <LevelBadge level={level} /> }))}
        onRemove={(site) => save("siteRules", { siteRules: siteRules.filter((each) => each.site !== site) })}
        isBusy={isBusy}
        error={failed("siteRules")}
      >
        <SiteLevelForm
          isBusy={isBusy}
          onAdd={(rule) => save("siteRules", { siteRules: [...siteRules.filter(({ site }) => site !== rule.site), rule] })}
        />
      </RuleCard>
      <RuleCard
        title="Words to remove"
        intro="Names and words that are taken out from level Filtered on, whatever their case."
        items={denyList.map((word) => ({ id: word, label: word }))}
        onRemove={(word) => save("denyList", { denyList: denyList.filter((each) => each !== word) })}
        isBusy={isBusy}
        error={failed("denyList")}
      >
        <AddForm
          label="Word or name to remove"
          placeholder="Ada Lovelace"
          isBusy={isBusy}
          onAdd={(word) => save("denyList", { denyList: [...denyList, word] })}
        />
      </RuleCard>
    </div>
  );
}

/** Saves one list; the server takes the rules as a whole. */
function useSaveRules(rules: StoredPrivacyRules) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [savedBy, setSavedBy] = useState<keyof PrivacyRules>();
  const { mutateAsync, isPending, error } = useMutation(
    trpc.privacy.saveRules.mutationOptions({
      onSuccess: (saved) => queries.setQueryData(trpc.privacy.rules.queryKey(), saved),
      // They may have changed elsewhere.
      onError: () => queries.invalidateQueries({ queryKey: trpc.privacy.rules.queryKey() }),
    }),
  );
  return {
    savedBy,
    isBusy: isPending,
    error: error?.data?.details?.[0] ? `This ${error.data.details[0].message}.` : error?.message,
    /** Whether it was saved. */
    save(list: keyof PrivacyRules, change: Partial<PrivacyRules>): Promise<boolean> {
      setSavedBy(list);
      return mutateAsync({ ...rules, ...change }).then(
        () => true,
        () => false,
      );
    },
  };
}

interface RuleCardProps {
  title: string;
  intro: string;
  items: ReadonlyArray<{ id: string; label: string; end?: ReactNode }>;
  onRemove: (id: string) => Promise<boolean>;
  /** A list is saved as a whole: one at a time. */
  isBusy: boolean;
  error: string | undefined;
  children: ReactNode;
}

function RuleCard({ title, intro, items, onRemove, isBusy, error, children }: RuleCardProps) {
  return (
    <Card title={title}>
      <div className="space-y-3 px-4 pb-4">
        <p className="text-small text-muted">{intro}</p>
        {children}
        {error !== undefined && (
          <p role="alert" className="text-small text-bad">
            {error}
          </p>
        )}
        {items.length > 0 && (
          <ul className="max-h-80 divide-y divide-line overflow-y-auto rounded-medium border border-line">
            {items.map(({ id, label, end }) => (
              <li key={id} className="flex min-h-10 items-center gap-2 py-1 pr-1 pl-3">
                <span className="grow truncate">{label}</span>
                {end}
                <Button look="quiet" size="square" aria-label={`Remove ${label}`} disabled={isBusy} onClick={() => void onRemove(id)}>
                  <X className="size-3.5" aria-hidden />
                </Button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}

interface AddFormProps {
  label: string;
  placeholder: string;
  isBusy: boolean;
  onAdd: (text: string) => Promise<boolean>;
}

function AddForm({ label, placeholder, isBusy, onAdd }: AddFormProps) {
  const [text, setText] = useState("");
  return (
    <Form
      className="flex gap-2"
      onSubmit={async () => {
        if (await onAdd(text.trim())) setText("");
      }}
    >
      <input
        aria-label={label}
        className={inputClasses}
        placeholder={placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        required
      />
      <Button type="submit" className="h-9" disabled={isBusy}>
        Add
      </Button>
    </Form>
  );
}

function SiteLevelForm({ isBusy, onAdd }: { isBusy: boolean; onAdd: (rule: { site: string; level: PrivacyLevel }) => Promise<boolean> }) {
  const [site, setSite] = useState("");
  return (
    <Form
      className="flex flex-wrap gap-2"
      onSubmit={async (textOf) => {
        if (await onAdd({ site: site.trim(), level: textOf("level") as PrivacyLevel })) setSite("");
      }}
    >
      <input
        aria-label="Site with a level of its own"
        className={inputClasses}
        placeholder="news.example"
        value={site}
        onChange={(event) => setSite(event.target.value)}
        required
      />
      <Select
        label="Level of the site"
        isLabelHidden
        name="level"
        defaultValue="filtered"
        className="grow"
        choices={Object.entries(levels)
          .filter(([level]) => level !== "public")
          .map(([value, { label }]) => ({ value, label }))}
      />
      <Button type="submit" className="h-9" disabled={isBusy}>
        Add
      </Button>
    </Form>
  );
}
