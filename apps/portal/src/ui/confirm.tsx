import { useMutation, useQueryClient } from "@tanstack/react-query";
import { AlertDialog as Radix } from "radix-ui";
import { type ReactNode, useState } from "react";
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
  /** Does it. What it rejects with is shown; afterwards everything that is on the page is loaded again. */
  onConfirm: () => Promise<unknown>;
}

/** Asks once before something that cannot be undone. */
export function Confirm({ trigger, title, children, action, onConfirm }: ConfirmProps) {
  const [isOpen, setOpen] = useState(false);
  const queries = useQueryClient();
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: onConfirm,
    onSuccess: async () => {
      setOpen(false);
      await queries.invalidateQueries();
    },
  });
  return (
    <Radix.Root
      open={isOpen}
      onOpenChange={(open) => {
        reset();
        setOpen(open);
      }}
    >
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
            <Button look="danger" isBusy={isPending} onClick={() => mutate()}>
              {action}
            </Button>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
