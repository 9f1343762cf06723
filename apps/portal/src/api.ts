import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { createTRPCClient, httpLink, TRPCClientError } from "@trpc/client";
import type { inferRouterOutputs } from "@trpc/server";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import type { PortalRouter } from "../../server/src/portal/portal-router.js";

/** What the procedures of the portal answer. */
export type Outputs = inferRouterOutputs<PortalRouter>;

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<PortalRouter>();

/**
 * A client of the server that this page came from. Requests are not batched: a slow one would keep a fast one waiting.
 * @param shownUser the id of the person whom the page shows. The server refuses requests when somebody else is signed in by now.
 */
export function createApi(shownUser: () => string | undefined) {
  const headers = (): Record<string, string> => {
    const userId = shownUser();
    return userId === undefined ? {} : { "X-Periscope-User": userId };
  };
  return createTRPCClient<PortalRouter>({
    links: [httpLink({ url: "/portal/trpc", headers, fetch: (input, init) => askProcedure(input, init as RequestInit) })],
  });
}

/** The same for procedures. A request that the server refuses before it comes to one has the error of the REST interface, which tRPC cannot read. */
async function askProcedure(...request: Parameters<typeof fetch>): Promise<Response> {
  const answer = await ask(...request);
  const refusal = answer.ok ? null : ((await answer.clone().json()) as { error: unknown; message?: string });
  if (typeof refusal?.error === "string") throw new Error(refusal.message);
  return answer;
}

/** As `fetch`. Rejects with what to tell the person where no server of ours answers: the connection failed, or a proxy said something. */
export async function ask(...request: Parameters<typeof fetch>): Promise<Response> {
  const answer = await fetch(...request).catch((error: unknown) => {
    throw error instanceof DOMException && error.name === "AbortError" ? error : noAnswer(error);
  });
  if (!answer.headers.get("content-type")?.startsWith("application/json")) throw noAnswer(answer.status);
  return answer;
}

const noAnswer = (cause: unknown) => new Error("The server did not answer. Try again.", { cause });

/** Whether the server says that the person whom the page shows is not signed in. */
function isSignedOut(error: unknown): boolean {
  return error instanceof TRPCClientError && error.data?.httpStatus === 401;
}

/**
 * Keeps answers. What the server refuses is not asked again by itself. The browser's word that it is offline stops nothing: a server on this
 * machine answers all the same.
 */
export function createQueries(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown) => isSignedOut(error) && onSignedOut();
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < 2 && !(error instanceof TRPCClientError && error.data !== undefined),
        staleTime: 5_000,
        networkMode: "always",
        refetchOnReconnect: true,
      },
      mutations: { networkMode: "always" },
    },
  });
}
