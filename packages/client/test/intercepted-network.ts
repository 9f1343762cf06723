import { FetchInterceptor } from "@mswjs/interceptors/fetch/web";
import type { HttpHandler } from "msw";
import { defineNetwork, InterceptorSource } from "msw/experimental";
import { defaultNetworkOptions } from "msw/node";

type Interceptors = ConstructorParameters<typeof InterceptorSource>[0]["interceptors"];

/** In place of the global `fetch`. Its class is declared by the build for pages, and so another one to the compiler. */
const ofFetch = () => [new FetchInterceptor()] as readonly object[] as Interceptors;

const { bun, deno } = process.versions;
const sources = (bun ?? deno) ? [new InterceptorSource({ interceptors: ofFetch() })] : defaultNetworkOptions.sources;

/**
 * A network with a handler in place of servers: what the handler does not take is an error. In Node it stands at the socket, so that bodies
 * come, stall and are cut below `fetch`; in Deno and Bun, whose `fetch` uses no socket of JavaScript, it stands in place of `fetch`.
 */
export function interceptedNetwork(handler: HttpHandler) {
  return defineNetwork({ ...defaultNetworkOptions, sources, handlers: [handler], onUnhandledFrame: "error" });
}
