import { keyProcedures } from "./key.router.js";
import { contextProcedures, syncProcedures } from "../contexts/context.router.js";
import { dataProcedures } from "../data/data.router.js";
import { liveProcedures } from "../live/live.router.js";
import { rulesProcedures } from "../privacy/rules.router.js";
import { searchProcedures } from "../search/search.router.js";
import { router } from "../trpc/endpoint.js";

/** The single source of the service's interface: REST routes, OpenAPI document and types come from it. */
export const appRouter = router({
  ...keyProcedures,
  ...liveProcedures,
  ...contextProcedures,
  ...searchProcedures,
  ...syncProcedures,
  ...rulesProcedures,
  ...dataProcedures,
});
