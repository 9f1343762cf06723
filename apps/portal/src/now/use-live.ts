import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTRPC } from "../api.js";

const retryMs = 5_000;
const retryMsMax = 60_000;
/** Many events may come at once, as during an import: they are one reason to ask again. */
const gatherMs = 250;

/** Follows the server's live channel while the caller is shown: what Now shows is asked for again when something changed. True while connected. */
export function useLive(): boolean {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    let source: EventSource;
    let waitMs = retryMs;
    let retry: ReturnType<typeof setTimeout>;
    let reload: ReturnType<typeof setTimeout> | undefined;
    const connect = () => {
      source = new EventSource("/portal/live");
      source.addEventListener("open", () => {
        waitMs = retryMs;
        setLive(true);
      });
      source.addEventListener("error", () => {
        setLive(false);
        // A connection that broke off comes back by itself; one that was refused does not.
        if (source.readyState !== EventSource.CLOSED) return;
        retry = setTimeout(connect, waitMs);
        waitMs = Math.min(2 * waitMs, retryMsMax);
        // Leads to the sign-in when the session has ended.
        void queries.invalidateQueries(trpc.now.overview.pathFilter());
      });
      source.addEventListener("message", () => {
        reload ??= setTimeout(() => {
          reload = undefined;
          void queries.invalidateQueries(trpc.now.overview.pathFilter());
        }, gatherMs);
      });
    };
    connect();
    return () => {
      source.close();
      clearTimeout(retry);
      clearTimeout(reload);
    };
  }, [queries, trpc]);
  return isLive;
}
