import { contextDocs, contextParameterDocs } from "./context-docs.js";
import { errorsDocs } from "./errors-docs.js";
import { exportDocs, exportParameterDocs } from "./export-docs.js";
import { historyDocs, historyParameterDocs } from "./history-docs.js";
import { idsDocs } from "./ids-docs.js";
import { keyDocs, keyParameterDocs } from "./key-docs.js";
import { liveDocs, liveParameterDocs } from "./live-docs.js";
import { privacyDocs, privacyParameterDocs } from "./privacy-docs.js";
import type { ParameterDocs, SchemaDoc } from "./schema-doc.js";
import { retentionDocs, retentionParameterDocs } from "./retention-docs.js";
import { searchDocs, searchParameterDocs } from "./search-docs.js";
import { syncBatchDocs } from "./sync-batch-docs.js";
import { syncMessageDocs } from "./sync-message-docs.js";
import { syncResultDocs } from "./sync-result-docs.js";
import { syncedContextDocs } from "./synced-context-docs.js";

export type { FieldDoc, FieldDocObject, ParameterDocs, SchemaDoc, SchemaExample, SchemaKeywords } from "./schema-doc.js";

/** The texts of every named schema of the contract, in the order in which a document shows them. */
export const schemaDocs: readonly SchemaDoc[] = [
  ...contextDocs,
  ...historyDocs,
  ...searchDocs,
  ...syncBatchDocs,
  ...syncMessageDocs,
  ...syncedContextDocs,
  ...syncResultDocs,
  ...privacyDocs,
  ...exportDocs,
  ...retentionDocs,
  ...keyDocs,
  ...liveDocs,
  ...errorsDocs,
  ...idsDocs,
];

/** The texts of the parameters of every operation that has some. */
export const parameterDocs: readonly ParameterDocs[] = [
  ...contextParameterDocs,
  ...historyParameterDocs,
  ...searchParameterDocs,
  ...privacyParameterDocs,
  ...exportParameterDocs,
  ...retentionParameterDocs,
  ...keyParameterDocs,
  ...liveParameterDocs,
];
