import { useSearch } from "@tanstack/react-router";
import { Entrance } from "../ui/entrance.js";

/** The extension reads the answer from the address of this page, and closes its tab. */
export function PairedPage() {
  const { code } = useSearch({ from: "/pair/done" });
  return code === undefined ? (
    <Entrance title="Not connected" intro="You have cancelled. The extension got no key. You can close this tab.">
      {null}
    </Entrance>
  ) : (
    <Entrance
      title="Approved"
      intro="The extension fetches its key now and closes this tab. If this tab stays open, the extension’s own page was closed too early, and it got no key. Open the options of the extension and press Connect again."
    >
      {null}
    </Entrance>
  );
}
