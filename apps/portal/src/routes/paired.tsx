import { Entrance } from "../ui/entrance.js";

/** The extension fetches its key now, and closes this tab. */
export function PairedPage() {
  return (
    <Entrance title="Connected" intro="The extension has what it needs. You can close this tab and go back to it.">
      {null}
    </Entrance>
  );
}
