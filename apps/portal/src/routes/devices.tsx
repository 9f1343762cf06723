import { useQuery } from "@tanstack/react-query";
import { MonitorSmartphone } from "lucide-react";
import { useTRPC } from "../api.js";
import { DeviceCard } from "../devices/device-card.js";
import { Card } from "../ui/card.js";
import { Empty } from "../ui/empty.js";
import { Failure } from "../ui/failure.js";
import { LoadingRows } from "../ui/loading.js";
import { Page } from "../ui/page.js";

/** The extensions that send what the person views. */
export function DevicesPage() {
  const trpc = useTRPC();
  const { data: devices, error, refetch } = useQuery(trpc.devices.list.queryOptions(undefined, { refetchInterval: 30_000 }));
  return (
    <Page title="Devices" intro="The browsers and programs that store pages for you.">
      {error !== null && devices === undefined ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : devices === undefined ? (
        <Card>
          <LoadingRows rows={2} />
        </Card>
      ) : devices.length === 0 ? (
        <Card>
          <Empty icon={MonitorSmartphone} title="No device is paired">
            Open the extension in your browser and press Connect. It opens this server and asks you to approve.
          </Empty>
        </Card>
      ) : (
        <>
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
            {devices.map((device) => (
              <DeviceCard key={device.extensionId} device={device} />
            ))}
          </div>
          <p className="mt-6 text-small text-muted">To pair another browser, open the extension there and press Connect.</p>
        </>
      )}
    </Page>
  );
}
