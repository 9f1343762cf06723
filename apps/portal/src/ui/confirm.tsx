import { AlertDialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { Button } from "./button.js";
import { Failure } from "./failure.js";

interface ConfirmProps {
  /** The button that asks. */
  trigger: ReactNode;
  title: string;
  /** What happens, and what does not. */
  children: ReactNode;
  /** What the button that does it says. */
  action: string;
  isBusy?: boolean;
  error?: { message: string } | null;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  onConfirm: () => void;
}

/** Asks once before something that cannot be undone. */
export function Confirm({ trigger, title, children, action, isBusy = false, error = null, isOpen, onOpenChange, onConfirm }: ConfirmProps) {
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-scrim" />
        <Radix.Content className="fixed inset-x-0 bottom-0 z-50 rounded-t-large bg-raised p-5 shadow-float sm:inset-x-auto sm:top-1/2 sm:bottom-auto sm:left-1/2 sm:w-full sm:max-w-[420px] sm:-translate-1/2 sm:rounded-large sm:p-6">
          <Radix.Title className="text-large font-bold tracking-tight text-balance wrap-anywhere">{title}</Radix.Title>
          <Radix.Description className="mt-1.5 text-muted">{children}</Radix.Description>
          {error !== null && (
            <div className="mt-4">
              <Failure error={error} />
            </div>
          )}
          <div className="mt-6 flex justify-end gap-2">
            <Radix.Cancel asChild>
              <Button>Cancel</Button>
            </Radix.Cancel>
            <Button look="danger" isBusy={isBusy} onClick={onConfirm}>
              {action}
            </Button>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
