import type { RequestHandler } from "express";
import { badRequest } from "../domain-error.js";

/** What HTTP/1.1 has a server refuse; Node would do so with an empty body. HTTP/1.0 knows neither header. */
export const headCheck: RequestHandler = ({ httpVersion, headers }, _res, next) => {
  if (httpVersion !== "1.1") return next();
  if (headers.host === undefined) throw badRequest("Host: required in HTTP/1.1; send the name of this server.");
  if (headers.expect !== undefined && !/(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect))
    throw badRequest("Expect: only 100-continue can be met; send that, or leave the header out.");
  next();
};
