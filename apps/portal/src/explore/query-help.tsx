import { CircleQuestionMark } from "lucide-react";
import { Button } from "../ui/button.js";
import { Popover } from "../ui/popover.js";

const rules = [
  { sample: "fresnel lens", meaning: "Pages that have both words, in any ending" },
  { sample: '"fresnel lens"', meaning: "Exactly these words in a row" },
  { sample: "lens -camera", meaning: "Pages with the first word and without the second" },
  { sample: "lens OR mirror", meaning: "Pages with one of them, or both" },
];

/** The query language on four lines. */
export function QueryHelp() {
  return (
    <Popover
      trigger={
        <Button look="quiet" size="square" aria-label="How to search">
          <CircleQuestionMark className="size-4" aria-hidden />
        </Button>
      }
    >
      {() => (
        <div className="w-72">
          <h2 className="mb-3 font-bold">How to search</h2>
          <dl className="space-y-2.5">
            {rules.map(({ sample, meaning }) => (
              <div key={sample}>
                <dt>
                  <code className="rounded-small bg-sunken px-1.5 py-0.5 font-mono text-small">{sample}</code>
                </dt>
                <dd className="mt-1 text-small text-muted">{meaning}</dd>
              </div>
            ))}
          </dl>
          <p className="mt-3 border-t border-line pt-3 text-small text-muted">
            The last word may be half typed. With three words or more, pages that have only some of them can follow.
          </p>
        </div>
      )}
    </Popover>
  );
}
