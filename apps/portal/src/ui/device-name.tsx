import { useQuery } from "@tanstack/react-query";
import { type Outputs, useTRPC } from "../api.js";

type Device = Outputs["devices"]["list"][number];

/** What a device is called: as its key, or by its id where it has none or shares the key with others. */
export const deviceName = (extensionId: string, key: Device["key"] | undefined): string =>
  key?.name && key.sharedBy === 0 ? key.name : extensionId;

/** A device by the name of its key; by its id where it has none, or shares the key with others. */
export function DeviceName({ extensionId }: { extensionId: string }) {
  const { data: devices } = useQuery(useTRPC().devices.list.queryOptions());
  const name = deviceName(extensionId, devices?.find((device) => device.extensionId === extensionId)?.key);
  return name === extensionId ? (
    <code className="font-mono text-small wrap-anywhere">{name}</code>
  ) : (
    <span title={extensionId} className="wrap-anywhere">
      {name}
    </span>
  );
}
