import { contextProcedures } from "../contexts/context.router.js";
import { syncProcedures } from "../contexts/sync.router.js";
import { rulesProcedures } from "../privacy/rules.router.js";
import { searchProcedures } from "../search/search.router.js";
import { router } from "../trpc/endpoint.js";

/** The single source of the service's interface: routes, OpenAPI document and client types come from it. */
export const appRouter = router({ ...contextProcedures, ...searchProcedures, ...syncProcedures, ...rulesProcedures });
