import { useState } from "react";
import { EraseDialog } from "../erase/erase-dialog.js";
import { useSession } from "../session.js";
import { Button } from "../ui/button.js";
import { Card } from "../ui/card.js";

/** Erases everything, the account too, and shows the proof. */
export function EraseCard() {
  const { email } = useSession();
  const [isOpen, setOpen] = useState(false);
  return (
    <Card title="Erase everything">
      <div className="space-y-4 px-4 pb-4">
        <p className="text-muted">
          Deletes every context, your rules, your keys and this account for good. Then the server searches its database for what is left,
          and gives you a receipt. Export first what you want to keep.
        </p>
        <Button look="danger" onClick={() => setOpen(true)}>
          Erase everything…
        </Button>
      </div>
      {isOpen && (
        <EraseDialog
          name="everything"
          email={email}
          intro="This cannot be undone, and you are signed out. It goes on even if you close this page."
          onClose={(isErased) => (isErased ? location.assign("/sign-in") : setOpen(false))}
        />
      )}
    </Card>
  );
}
