import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../api.js";
import { Card } from "../ui/card.js";
import { formatBytes } from "../ui/bytes.js";
import { Failure } from "../ui/failure.js";
import { Fact } from "../ui/fact.js";
import { Bar } from "../ui/loading.js";

const number = new Intl.NumberFormat();

/** What the person's contexts take. */
export function StorageCard() {
  const trpc = useTRPC();
  const {
    data: storage,
    error,
    refetch,
  } = useQuery(trpc.now.storage.queryOptions(undefined, { staleTime: 60_000, refetchInterval: 60_000 }));
  return (
    <Card title="Stored">
      {error !== null && storage === undefined ? (
        <div className="px-4 pb-4">
          <Failure error={error} onRetry={() => void refetch()} />
        </div>
      ) : (
        <dl className="grid grid-cols-2 gap-4 px-4 pb-4">
          <Fact name="Contexts" value={storage ? number.format(storage.contexts) : <Bar className="mt-2 w-14" />} />
          <Fact name="Text" value={storage ? formatBytes(storage.bytes) : <Bar className="mt-2 w-14" />} />
        </dl>
      )}
    </Card>
  );
}
