import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Button } from "../ui/button.js";
import { Dialog } from "../ui/dialog.js";
import { Failure } from "../ui/failure.js";
import { Field } from "../ui/field.js";
import { Form } from "../ui/form.js";
import { Progress } from "../ui/progress.js";
import { type EraseProgress, eraseUser } from "./erase-user.js";
import { Receipt } from "./receipt.js";

const number = new Intl.NumberFormat();

interface EraseDialogProps {
  /** Who is erased, in the title. */
  name: string;
  /** Somebody else, whom only the owner erases. Without it, the person types their email first. */
  userId?: string;
  /** What is deleted. */
  intro: ReactNode;
  /** What the person types to go on. */
  email?: string;
  /** Called when the dialog is closed: `isErased` once there is a receipt. */
  onClose: (isErased: boolean) => void;
}

/** Erases a user with everything that is theirs: asks once, shows how far it is, then the receipt. */
export function EraseDialog({ name, userId, intro, email, onClose }: EraseDialogProps) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<EraseProgress>();
  const {
    mutate,
    isPending,
    data: receipt,
    error,
  } = useMutation({
    mutationFn: (confirm: string) => eraseUser({ ...(userId !== undefined && { userId }), confirm }, setProgress),
    // With the person's own session gone, what is loaded again when the page comes back to the front would lead to the sign-in, away from the receipt.
    onMutate: () => void (userId === undefined && queries.unmount()),
    onError: () => void (userId === undefined && queries.mount()),
  });
  const { done = 0, total = 0 } = progress ?? {};
  return (
    <Dialog
      isOpen
      onOpenChange={() => !isPending && onClose(receipt !== undefined)}
      title={receipt ? `Erased ${name}` : `Erase ${name}?`}
      intro={receipt ? "This is the receipt. It is shown once; save it if you need it." : intro}
    >
      {receipt ? (
        <Receipt receipt={receipt} onClose={() => onClose(true)} />
      ) : (
        <Form className="space-y-4" onSubmit={(textOf) => mutate(userId ?? textOf("confirm"))}>
          {email !== undefined && (
            <Field label={`Type ${email} to go on`} name="confirm" autoComplete="off" required disabled={isPending} />
          )}
          {error !== null && <Failure error={error} />}
          {isPending && (
            <Progress
              label="Erasing"
              done={done}
              total={total}
              text={
                done < total
                  ? `${number.format(done)} of ${number.format(total)} contexts deleted`
                  : total > 0
                    ? "Every context is deleted. Searching for what is left…"
                    : "Deleting…"
              }
            />
          )}
          <div className="flex justify-end gap-2">
            <Button onClick={() => onClose(false)} disabled={isPending}>
              {error === null ? "Keep everything" : "Close"}
            </Button>
            <Button type="submit" look="danger" isBusy={isPending}>
              Erase everything
            </Button>
          </div>
        </Form>
      )}
    </Dialog>
  );
}
