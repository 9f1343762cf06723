// Made from @periscope/schemas by answer-shapes.test.ts; do not edit.
import type * as schemas from "@periscope/schemas";
import type { Shape } from "./shape.js";

/** Messages in a batch. */
export const batchMessagesMax: typeof schemas.limits.batchMessagesMax = 100;

/** {@link schemas.KeyInfo} */
export const keyInfoShape: Shape = {"userId":["matches","^[A-Za-z0-9_.:-]{1,128}$"],"keyId":"string","name":"string","scopes":["list","string"],"maxPrivacyLevel":"string","createdAt":"time","expiresAt":["either","time",["one",null]],"limits":{"sync":{"limit":["integer",0],"remaining":["integer",0],"reset":["integer",0]},"batch-sync":{"limit":["integer",0],"remaining":["integer",0],"reset":["integer",0]},"read":{"limit":["integer",0],"remaining":["integer",0],"reset":["integer",0]},"search":{"limit":["integer",0],"remaining":["integer",0],"reset":["integer",0]},"delete":{"limit":["integer",0],"remaining":["integer",0],"reset":["integer",0]}},"server":{"version":"string","live":"boolean"}};

/** {@link schemas.Context} */
export const contextShape: Shape = {"contextId":["matches","^[A-Za-z0-9_.:-]{1,128}$"],"userId":["matches","^[A-Za-z0-9_.:-]{1,128}$"],"type":"string","url":"string","title":"string","content":"string","contentFormat":"string","tabId":["matches","^[\\s\\S]{1,128}$"],"extensionId":["matches","^[\\s\\S]{1,128}$"],"timestamp":"time","privacyLevel":"string","tabMetadata":{"id":"string","url":"string","title":"string","isActive":"boolean","isLoading":"boolean","windowId":["number"],"lastUpdated":"time","incognito?":"boolean","pinned?":"boolean","audible?":"boolean","referrer?":"string","favIconUrl?":"string","openerTabId?":"string","lang?":"string"},"metadata":["record",["either","string",["number"],"boolean"]],"viewedAt?":"time","lastSeenAt?":"time","nextContentCursor?":"string"};

/** {@link schemas.HistoryPage} */
export const historyPageShape: Shape = {"contexts":["list",{"contextId":["matches","^[A-Za-z0-9_.:-]{1,128}$"],"type":"string","url":"string","title":"string","timestamp":"time","privacyLevel":"string"}],"total":["integer"],"limit":["integer"],"offset":["integer"],"nextCursor?":"string"};

/** {@link schemas.SearchPage} */
export const searchPageShape: Shape = {"results":["list",{"contextId":["matches","^[A-Za-z0-9_.:-]{1,128}$"],"type":"string","url":"string","title":"string","snippet":"string","timestamp":"time","privacyLevel":"string","relevance":["number",0,1]}],"total":["integer"],"totalIsExact":"boolean","query":"string","correctedQuery?":"string","limit":["integer"],"offset":["integer"]};

/** {@link schemas.SyncResult} */
export const syncResultShape: Shape = {"messageId":"string","status":["one","success"],"contextId?":["matches","^[A-Za-z0-9_.:-]{1,128}$"],"timestamp":"time","duplicate?":["one",true],"privacyLevel?":"string","reasons?":["list","string"],"redactions?":["record",["integer",0]]};

/** {@link schemas.BatchResult} */
export const batchResultShape: Shape = {"messageId":"string","status":["one","partial"],"results":["list",{"messageId?":"string","status":["one","success","error"],"contextId?":["matches","^[A-Za-z0-9_.:-]{1,128}$"],"timestamp":"time","duplicate?":["one",true],"error?":{"code":"string","message":"string","retryable":"boolean"},"privacyLevel?":"string","reasons?":["list","string"],"redactions?":["record",["integer",0]]}],"synced":["integer"],"failed":["integer"]};

/** {@link schemas.LiveTicket} */
export const liveTicketShape: Shape = {"ticket":"string","expiresAt":"time"};

/** {@link schemas.ImportReport} */
export const importReportShape: Shape = {"created":["integer",0],"updated":["integer",0],"unchanged":["integer",0],"newer":["integer",0],"deleted":["integer",0],"rejected":["integer",0],"failed":["integer",0],"settings":["integer",0],"failures":["list",{"line":["integer",0],"contextId?":"string","message":"string"}]};

/** {@link schemas.StoredRetention} */
export const storedRetentionShape: Shape = {"rules":["list",{"keepDays":["integer",1,36500],"type?":"string","privacyLevel?":"string","site?":["matches","^[\\s\\S]{1,500}$"]}],"updatedAt":["either","time",["one",null]],"defaultDays":["either",["integer",1,36500],["one",null]],"maxDays":["either",["integer",1,36500],["one",null]]};

/** {@link schemas.DeletePreview} */
export const deletePreviewShape: Shape = {"matches":["integer",0],"sample":["list",{"contextId":["matches","^[A-Za-z0-9_.:-]{1,128}$"],"type":"string","url":"string","title":"string","timestamp":"time","privacyLevel":"string"}],"confirm":"string"};

/** {@link schemas.DeletedMany} */
export const deletedManyShape: Shape = {"deleted":["integer",0]};

/** {@link schemas.EraseReceipt} */
export const eraseReceiptShape: Shape = {"erasedAt":"time","counts":["record",["integer",0]],"verified":{"method":"string","filesSearched":["integer",0],"tablesSearched":["integer",0],"found":["one",0]}};
