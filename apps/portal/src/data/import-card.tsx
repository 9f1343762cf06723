import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Upload } from "lucide-react";
import { useId, useState } from "react";
import { useSession } from "../session.js";
import { Button } from "../ui/button.js";
import { formatBytes } from "../ui/bytes.js";
import { Card } from "../ui/card.js";
import { Failure } from "../ui/failure.js";
import { Progress } from "../ui/progress.js";
import { type ImportProgress, importFile } from "./import-file.js";

const number = new Intl.NumberFormat();

/** What the numbers of a report are called. */
const outcomes = {
  created: "New",
  updated: "Replaced by a newer state",
  unchanged: "Here already",
  newer: "Newer here already",
  deleted: "Deleted here before",
  rejected: "Kept out by privacy rules",
  failed: "Damaged",
  settings: "Rules and settings",
} as const;

/** Takes an export of this or another installation. */
export function ImportCard() {
  const queries = useQueryClient();
  const id = useId();
  const { userId } = useSession();
  const [progress, setProgress] = useState<ImportProgress>();
  const run = useMutation({
    mutationFn: (file: File) => importFile(file, userId, setProgress),
    onSettled: () => {
      setProgress(undefined);
      return queries.invalidateQueries();
    },
  });
  return (
    <Card title="Import">
      <div className="space-y-4 px-4 pb-4">
        <p className="text-muted">
          Takes the file of an export, also packed as .gz. Every context passes your present privacy rules. Importing a file twice changes
          nothing.
        </p>
        <div>
          <input
            id={id}
            type="file"
            accept=".ndjson,.jsonl,.gz"
            className="peer sr-only"
            disabled={run.isPending}
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              // So that the same file can be chosen again.
              target.value = "";
              if (file) run.mutate(file);
            }}
          />
          <Button asChild className="cursor-pointer peer-focus-visible:shadow-[0_0_0_2px_var(--accent)] peer-disabled:opacity-50">
            <label htmlFor={id}>
              <Upload className="size-4" aria-hidden />
              Choose a file…
            </label>
          </Button>
        </div>
        {run.isPending && <ImportProgressBar progress={progress} />}
        {run.error !== null && <Failure error={run.error} />}
        {run.data !== undefined && (
          <div role="status">
            <dl className="divide-y divide-line rounded-medium border border-line">
              {Object.entries(outcomes)
                .filter(([name]) => name === "created" || run.data[name as keyof typeof outcomes] > 0)
                .map(([name, label]) => (
                  <div key={name} className="flex justify-between gap-4 px-3 py-2">
                    <dt>{label}</dt>
                    <dd className="text-muted tabular-nums">{number.format(run.data[name as keyof typeof outcomes])}</dd>
                  </div>
                ))}
            </dl>
          </div>
        )}
      </div>
    </Card>
  );
}

function ImportProgressBar({ progress }: { progress: ImportProgress | undefined }) {
  const { phase = "sending", done = 0, total = 0 } = progress ?? {};
  const text =
    phase === "sending"
      ? `${formatBytes(done)} of ${formatBytes(total)} sent`
      : `${number.format(done)} of ${number.format(total)} contexts stored`;
  return <Progress label="Import" done={done} total={total} text={`${text}. Keep this page open.`} />;
}
