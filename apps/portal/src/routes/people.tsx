import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "../api.js";
import { EraseDialog } from "../erase/erase-dialog.js";
import { Invites } from "../people/invites.js";
import { nameOf, type Person, PersonRow } from "../people/person-row.js";
import { Card } from "../ui/card.js";
import { Failure } from "../ui/failure.js";
import { LoadingRows } from "../ui/loading.js";
import { Page } from "../ui/page.js";

/** The people of the installation, for its owner. */
export function PeoplePage() {
  const trpc = useTRPC();
  const { data: people, error, refetch } = useQuery(trpc.people.list.queryOptions());
  const queries = useQueryClient();
  const [toErase, setToErase] = useState<Person>();
  return (
    <Page title="People" intro="Who has an account here. You see how much they store, never what.">
      <div className="space-y-4">
        {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
        {error === null && (
          <Card className="overflow-clip">
            {people === undefined && <LoadingRows rows={3} />}
            <ul className="divide-y divide-line">
              {people?.map((person) => (
                <PersonRow key={person.userId} person={person} onErase={() => setToErase(person)} />
              ))}
            </ul>
          </Card>
        )}
        <Invites />
      </div>
      {toErase !== undefined && (
        <EraseDialog
          name={nameOf(toErase)}
          userId={toErase.userId}
          intro="The account, its keys and every context are deleted for good. It goes on even if you close this page."
          onClose={(isErased) => {
            setToErase(undefined);
            if (isErased) void queries.invalidateQueries({ queryKey: trpc.people.list.queryKey() });
          }}
        />
      )}
    </Page>
  );
}
