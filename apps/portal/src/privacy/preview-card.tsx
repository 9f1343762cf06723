import type { PrivacyLevel } from "@periscope/schemas";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type Outputs, useTRPC } from "../api.js";
import { Button } from "../ui/button.js";
import { Card } from "../ui/card.js";
import { classNames } from "../ui/class-names.js";
import { levels } from "../ui/context-facts.js";
import { Failure } from "../ui/failure.js";
import { Field, inputClasses } from "../ui/field.js";
import { Form } from "../ui/form.js";
import { describeReason } from "../ui/level-reasons.js";
import { RedactedText } from "../ui/redacted-text.js";

type Preview = Outputs["privacy"]["preview"][number];

const example = `Card number: 4111 1111 1111 1111
Write to ada@example.org or call +44 20 7946 0958.
Reset your password: https://example.com/reset?token=8f14e45fceea167a5a36dedd4bea2543`;

/** Shows what each level would store of a text that the person gives. */
export function PreviewCard() {
  const trpc = useTRPC();
  const preview = useMutation(trpc.privacy.preview.mutationOptions());
  const [level, setLevel] = useState<PrivacyLevel>("private");
  const shown = preview.data?.find(({ asked }) => asked === level);
  return (
    <Card title="Try it">
      <div className="grid gap-5 px-4 pb-4 lg:grid-cols-2">
        <Form
          className="flex flex-col gap-4"
          onSubmit={(textOf) => preview.mutate({ url: textOf("url"), title: "", content: textOf("content") })}
        >
          <Field label="Address of the page" name="url" type="url" defaultValue="https://example.com/" required />
          <div className="grow">
            <label htmlFor="preview-content" className="mb-1.5 block font-medium">
              Text, Markdown or HTML of the page
            </label>
            <textarea
              id="preview-content"
              name="content"
              rows={8}
              defaultValue={example}
              spellCheck={false}
              className={classNames(inputClasses, "h-auto min-h-40 resize-y py-2 leading-relaxed")}
            />
          </div>
          <div className="flex items-center gap-3">
            <Button type="submit" look="primary" isBusy={preview.isPending}>
              Show what is stored
            </Button>
            <p className="text-small text-muted">This is a trial: the text goes nowhere else.</p>
          </div>
        </Form>
        <div className="min-w-0">
          {preview.error !== null && <Failure error={preview.error} />}
          {preview.data === undefined && preview.error === null && (
            <p className="grid h-full min-h-40 place-items-center rounded-medium border border-dashed border-line p-6 text-center text-muted">
              Paste a text, or use the example. You see what each privacy level keeps of it, under your own rules.
            </p>
          )}
          {preview.data !== undefined && <LevelTabs level={level} onChange={setLevel} />}
          {shown !== undefined && <Result preview={shown} />}
        </div>
      </div>
    </Card>
  );
}

function LevelTabs({ level, onChange }: { level: PrivacyLevel; onChange: (level: PrivacyLevel) => void }) {
  return (
    <fieldset className="mb-3 grid grid-cols-2 gap-0.5 rounded-medium bg-sunken p-0.5 sm:grid-cols-4">
      <legend className="sr-only">Privacy level</legend>
      {Object.entries(levels).map(([value, { label }]) => (
        <label key={value} className="relative cursor-pointer text-center">
          <input
            type="radio"
            name="preview-level"
            value={value}
            checked={value === level}
            onChange={() => onChange(value as PrivacyLevel)}
            className="peer absolute inset-0 size-full appearance-none rounded-small"
          />
          <span className="block rounded-small px-2 py-1 text-small font-medium text-muted peer-checked:bg-raised peer-checked:text-ink peer-checked:shadow-card">
            {label}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function Result({ preview: { asked, stored, reasons } }: { preview: Preview }) {
  if (stored === null)
    return (
      <p role="status" className="rounded-medium bg-bad-tint p-3">
        Nothing would be stored. {reasons.map(describeReason).join(" ")}
      </p>
    );
  return (
    <div role="status" className="space-y-3">
      <p className="text-small text-muted">
        {stored.level === asked
          ? levels[asked].meaning
          : `Stored as ${levels[stored.level].label.toLowerCase()} instead. ${reasons.map(describeReason).join(" ")}`}
      </p>
      <div className="rounded-medium border border-line bg-back">
        <p className="truncate border-b border-line px-3 py-2 font-mono text-small text-muted">
          <RedactedText text={stored.url} />
        </p>
        <p className="max-h-72 overflow-y-auto px-3 py-2.5 leading-relaxed wrap-anywhere whitespace-pre-wrap">
          {stored.content === "" ? <span className="text-muted">No text is stored.</span> : <RedactedText text={stored.content} />}
        </p>
      </div>
      {stored.removed.length > 0 && (
        <ul className="flex flex-wrap gap-1.5" aria-label="Removed">
          {stored.removed.map(({ kind, count }) => (
            <li key={kind} className="rounded-full bg-sunken px-2 py-0.5 text-small text-muted">
              {kind.replaceAll("_", " ")} <span className="tabular-nums">{count}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
