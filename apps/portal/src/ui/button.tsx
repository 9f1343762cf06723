import type { ButtonHTMLAttributes } from "react";
import { Slot } from "radix-ui";
import { LoaderCircle } from "lucide-react";
import { classNames } from "./class-names.js";

const looks = {
  primary: "border-transparent bg-accent text-on-accent shadow-card hover:bg-accent-hover",
  plain: "border-line bg-raised text-ink shadow-card hover:bg-hover",
  quiet: "border-transparent bg-transparent text-muted hover:bg-hover hover:text-ink",
  danger: "border-line bg-raised text-bad shadow-card hover:border-transparent hover:bg-bad-tint",
};
const sizes = { small: "h-7 gap-1.5 px-2.5 text-small", medium: "h-8 gap-1.5 px-3", large: "h-10 gap-2 px-4", square: "size-8" };

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: keyof typeof looks;
  size?: keyof typeof sizes;
  /** Gives the look to the only child, such as a link. */
  asChild?: boolean;
  /** Shows that it works on it, and takes no further press. */
  isBusy?: boolean;
}

/** A button. `type` is `button` unless it says otherwise. */
export function Button({
  look = "plain",
  size = "medium",
  asChild = false,
  isBusy = false,
  disabled = false,
  className,
  children,
  ...rest
}: ButtonProps) {
  const classes = classNames(
    "inline-flex shrink-0 items-center justify-center rounded-small border font-medium whitespace-nowrap transition-colors duration-100",
    "disabled:pointer-events-none disabled:opacity-50",
    looks[look],
    sizes[size],
    className,
  );
  if (asChild)
    return (
      <Slot.Root className={classes} {...rest}>
        {children}
      </Slot.Root>
    );
  return (
    <button type="button" className={classes} aria-busy={isBusy} disabled={disabled || isBusy} {...rest}>
      {isBusy && <LoaderCircle className="size-3.5 animate-spin" aria-hidden />}
      {children}
    </button>
  );
}
