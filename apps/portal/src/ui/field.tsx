import { type InputHTMLAttributes, type ReactNode, useId } from "react";
import { classNames } from "./class-names.js";

export const inputClasses =
  "h-9 w-full min-w-0 rounded-small border border-control/60 bg-surface px-3 text-ink placeholder:text-muted focus:border-accent focus:shadow-[0_0_0_1px_var(--accent)] focus:outline-none";

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  hint?: ReactNode;
  /** What is wrong with what was typed. */
  error?: string | undefined;
}

/** A labelled text field. */
export function Field({ label, hint, error, className, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block font-medium">
        {label}
      </label>
      <input
        id={id}
        className={classNames(inputClasses, error !== undefined && "border-bad")}
        aria-invalid={error !== undefined}
        aria-describedby={hint === undefined && error === undefined ? undefined : `${id}-hint`}
        {...input}
      />
      {(error !== undefined || hint !== undefined) && (
        <p
          id={`${id}-hint`}
          role={error === undefined ? undefined : "alert"}
          className={classNames("mt-1.5 text-small", error === undefined ? "text-muted" : "text-bad")}
        >
          {error ?? hint}
        </p>
      )}
    </div>
  );
}
