import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTRPC } from "../api.js";

const retryMs = 5_000;
const retryMsMax = 60_000;
/** Many events may come at once, as during an import: they are one reason to ask again. */
const gatherMs = 250;

/**
 * Follows the server's live channel while the page is in view: what Now shows is asked for again when something changed. A browser opens few
 * connections to one server, so that a page out of view keeps none. True while connected.
 */
export function useLive(): boolean {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    let source: EventSource | undefined;
    let waitMs = retryMs;
    let retry: ReturnType<typeof setTimeout>;
    let reload: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => void queries.invalidateQueries(trpc.now.overview.pathFilter());
    const connect = () => {
      const opened = new EventSource("/portal/live");
      source = opened;
      opened.addEventListener("open", () => {
        waitMs = retryMs;
        setLive(true);
      });
      opened.addEventListener("error", () => {
        setLive(false);
        // A connection that broke off comes back by itself; one that was refused does not.
        if (opened.readyState !== EventSource.CLOSED) return;
        retry = setTimeout(connect, waitMs);
        waitMs = Math.min(2 * waitMs, retryMsMax);
        // Leads to the sign-in when the session has ended.
        refresh();
      });
      opened.addEventListener("message", () => {
        reload ??= setTimeout(() => {
          reload = undefined;
          refresh();
        }, gatherMs);
      });
    };
    const disconnect = () => {
      source?.close();
      clearTimeout(retry);
      setLive(false);
    };
    const follow = () => {
      disconnect();
      if (document.hidden) return;
      connect();
      // Something may have come in meanwhile.
      refresh();
    };
    if (!document.hidden) connect();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      disconnect();
      clearTimeout(reload);
    };
  }, [queries, trpc]);
  return isLive;
}
