import { ChevronDown } from "lucide-react";
import { type SelectHTMLAttributes, useId } from "react";
import { classNames } from "./class-names.js";
import { inputClasses } from "./field.js";

interface SelectProps extends SelectHTMLAttributes<HTMLSelectElement> {
  label: string;
  /** Keeps the label for those who hear it only. */
  isLabelHidden?: boolean;
  choices: ReadonlyArray<{ value: string; label: string }>;
}

/** A labelled choice of one of a few. */
export function Select({ label, isLabelHidden = false, choices, className, ...select }: SelectProps) {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className={isLabelHidden ? "sr-only" : "mb-1.5 block font-medium"}>
        {label}
      </label>
      <div className="relative">
        <select id={id} className={classNames(inputClasses, "appearance-none pr-8")} {...select}>
          {choices.map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
        <ChevronDown className="pointer-events-none absolute top-2.5 right-2.5 size-4 text-muted" aria-hidden />
      </div>
    </div>
  );
}
