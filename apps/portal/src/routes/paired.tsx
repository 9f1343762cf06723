import { Entrance } from "../ui/entrance.js";

/** The extension fetches its key now, and closes this tab. */
export function PairedPage() {
  return (
    <Entrance
      title="Approved"
      intro="The extension fetches its key now and closes this tab. If it stays open, press Connect in the extension again."
    >
      {null}
    </Entrance>
  );
}
