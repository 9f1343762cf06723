import { connectContextSync, type RemoteContextSync } from "@periscope/sync/background";

declare global {
  interface Window {
    sync: RemoteContextSync;
  }
}

window.sync = connectContextSync();
