export { backoffMs } from "./backoff.js";
export { toBaseUrl } from "./base-url.js";
export { decide, type Decision, type GiveUp, type Outcome } from "./decide.js";
export { newMessageId } from "./message-id.js";
export { type HeaderReader, retryAfterMs, statedWaitMs } from "./retry-after.js";
