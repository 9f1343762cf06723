import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  type ErrorComponentProps,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  useRouter,
} from "@tanstack/react-router";
import type { createApi } from "./api.js";
import { readFilter } from "./explore/filter.js";
import { readPairing } from "./pair/pairing.js";
import { SessionProvider } from "./session.js";
import { Shell } from "./shell/shell.js";
import { Failure } from "./ui/failure.js";
import { NotFound } from "./ui/not-found.js";

interface RouterContext {
  api: ReturnType<typeof createApi>;
  queries: QueryClient;
}

const root = createRootRouteWithContext<RouterContext>()({ component: Outlet, notFoundComponent: NotFound });

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: ({ to, error, isNew }: Record<string, unknown>): { to?: string; error?: string; isNew?: boolean } => ({
    ...(typeof to === "string" && { to }),
    // The identity provider, or better-auth, has refused.
    ...(typeof error === "string" && { error }),
    // The account was made just now.
    ...(isNew === true && { isNew }),
  }),
  component: lazyRouteComponent(() => import("./routes/sign-in.js"), "SignInPage"),
});
const setup = createRoute({
  getParentRoute: () => root,
  path: "/setup",
  component: lazyRouteComponent(() => import("./routes/setup.js"), "SetupPage"),
});

const invite = createRoute({
  getParentRoute: () => root,
  path: "/invite",
  component: lazyRouteComponent(() => import("./routes/invite.js"), "InvitePage"),
});

/** What asks for a session. */
const app = createRoute({
  getParentRoute: () => root,
  id: "app",
  beforeLoad: async ({ context: { api, queries }, location: { pathname, searchStr } }) => {
    const wanted = pathname + searchStr;
    // Each request names who is shown for as long as the page stands. No component observes it, so it would go after five minutes.
    const shown = { queryKey: ["session"], queryFn: () => api.session.me.query(), gcTime: Infinity };
    const session = await queries.ensureQueryData(shown);
    if (session === null) redirect({ to: "/sign-in", search: wanted === "/" ? {} : { to: wanted }, throw: true });
    return { session };
  },
  pendingMs: 300,
  pendingComponent: () => (
    <p role="status" className="grid min-h-dvh place-items-center text-muted">
      Loading…
    </p>
  ),
  component: function App() {
    const { session } = app.useRouteContext();
    // On the way to the sign-in.
    if (session === null) return null;
    return (
      <SessionProvider session={session}>
        <Outlet />
      </SessionProvider>
    );
  },
});
/** The pages with the menu around them; the others ask one question. */
const framed = createRoute({ getParentRoute: () => app, id: "framed", component: Shell });
const now = createRoute({
  getParentRoute: () => framed,
  path: "/",
  component: lazyRouteComponent(() => import("./routes/now.js"), "NowPage"),
});
const explore = createRoute({
  getParentRoute: () => framed,
  path: "/explore",
  validateSearch: readFilter,
  component: lazyRouteComponent(() => import("./routes/explore.js"), "ExplorePage"),
});
const privacy = createRoute({
  getParentRoute: () => framed,
  path: "/privacy",
  component: lazyRouteComponent(() => import("./routes/privacy.js"), "PrivacyPage"),
});
const data = createRoute({
  getParentRoute: () => framed,
  path: "/data",
  component: lazyRouteComponent(() => import("./routes/data.js"), "DataPage"),
});
const pair = createRoute({
  getParentRoute: () => app,
  path: "/pair",
  validateSearch: readPairing,
  component: lazyRouteComponent(() => import("./routes/pair.js"), "PairPage"),
});
// The extension watches for this address, and reads the code from it.
const paired = createRoute({
  getParentRoute: () => root,
  path: "/pair/done",
  validateSearch: ({ code }: Record<string, unknown>): { code?: string } => (typeof code === "string" ? { code } : {}),
  component: lazyRouteComponent(() => import("./routes/paired.js"), "PairedPage"),
});
const contextRoute = createRoute({
  getParentRoute: () => framed,
  path: "/contexts/$contextId",
  component: lazyRouteComponent(() => import("./routes/context.js"), "ContextPage"),
});
const keys = createRoute({
  getParentRoute: () => framed,
  path: "/keys",
  component: lazyRouteComponent(() => import("./routes/keys.js"), "KeysPage"),
});
const devices = createRoute({
  getParentRoute: () => framed,
  path: "/devices",
  component: lazyRouteComponent(() => import("./routes/devices.js"), "DevicesPage"),
});
const usage = createRoute({
  getParentRoute: () => framed,
  path: "/usage",
  component: lazyRouteComponent(() => import("./routes/usage.js"), "UsagePage"),
});
const apiReference = createRoute({
  getParentRoute: () => framed,
  path: "/api",
  component: lazyRouteComponent(() => import("./routes/api-reference.js"), "ApiReferencePage"),
});
const people = createRoute({
  getParentRoute: () => framed,
  path: "/people",
  component: lazyRouteComponent(() => import("./routes/people.js"), "PeoplePage"),
});
const system = createRoute({
  getParentRoute: () => framed,
  path: "/system",
  component: lazyRouteComponent(() => import("./routes/system.js"), "SystemPage"),
});
const account = createRoute({
  getParentRoute: () => framed,
  path: "/account",
  validateSearch: ({ error }: Record<string, unknown>): { error?: string } => (typeof error === "string" ? { error } : {}),
  component: lazyRouteComponent(() => import("./routes/account.js"), "AccountPage"),
});

const authorize = createRoute({
  getParentRoute: () => app,
  path: "/authorize",
  validateSearch: ({ request }: Record<string, unknown>) => ({ request: typeof request === "string" ? request : "" }),
  component: lazyRouteComponent(() => import("./routes/authorize.js"), "AuthorizePage"),
});

/** Every page of the portal. A page is a file of `routes/`, loaded when it is first opened. */
export function createPortalRouter(context: RouterContext) {
  return createRouter({
    routeTree: root.addChildren([
      signIn,
      setup,
      invite,
      paired,
      app.addChildren([
        authorize,
        pair,
        framed.addChildren([now, explore, contextRoute, keys, devices, usage, apiReference, privacy, data, people, system, account]),
      ]),
    ]),
    context,
    defaultPreload: "intent",
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: ErrorPage,
    // What a page does not know of is dropped from its address.
    search: { strict: true },
    scrollRestoration: true,
    scrollToTopSelectors: ["#main"],
  });
}

function ErrorPage({ error }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <div className="mx-auto max-w-[560px] p-6">
      <Failure
        error={error instanceof Error ? error : { message: "This page could not be shown." }}
        onRetry={() => void router.invalidate()}
      />
    </div>
  );
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createPortalRouter>;
  }
}
