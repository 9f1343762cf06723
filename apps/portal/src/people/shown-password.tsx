import { CopyButton } from "../ui/copy-button.js";

/** A new password of a person, which the server cannot show again. */
export function ShownPassword({ password }: { password: string }) {
  return (
    <div role="status" className="flex items-center gap-2 rounded-medium border border-line bg-back p-1.5 pl-3">
      <span className="text-small text-muted">New password, shown once:</span>
      <code className="min-w-0 grow truncate font-mono text-small">{password}</code>
      <CopyButton text={password} />
    </div>
  );
}
