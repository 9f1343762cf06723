export { captureBounds } from "./bounds.js";
export {
  type Answer,
  type CallRequest,
  type Capture,
  type EnqueueRequest,
  type ExplainRequest,
  type HeartbeatRequest,
  protocolVersion,
  type RemoteMethod,
  type Request,
  type VisitKind,
} from "./messages.js";
export { isTooLarge, readRequest } from "./read-request.js";
