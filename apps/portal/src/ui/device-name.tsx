import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../api.js";

/** A device by the name of its key; by its id where it has none, or shares the key with others. */
export function DeviceName({ extensionId }: { extensionId: string }) {
  const { data: devices } = useQuery(useTRPC().devices.list.queryOptions());
  const key = devices?.find((device) => device.extensionId === extensionId)?.key;
  if (key?.name && key.sharedBy === 0)
    return (
      <span title={extensionId} className="wrap-anywhere">
        {key.name}
      </span>
    );
  return <code className="font-mono text-small wrap-anywhere">{extensionId}</code>;
}
