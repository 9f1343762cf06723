import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTRPC } from "../api.js";

/** Follows the server's live channel while the caller is shown: what Now shows is asked for again when something changed. True while connected. */
export function useLive(): boolean {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    const source = new EventSource("/portal/live");
    source.addEventListener("open", () => setLive(true));
    source.addEventListener("error", () => setLive(false));
    source.addEventListener("message", () => void queries.invalidateQueries(trpc.now.overview.pathFilter()));
    return () => source.close();
  }, [queries, trpc]);
  return isLive;
}
