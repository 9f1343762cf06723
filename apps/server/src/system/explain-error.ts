import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { findFault } from "../storage/faults.js";

type SystemError = Error & Partial<Record<"code" | "path" | "address" | "port" | "hostname", unknown>>;

/** What an error of the operating system or of the database means to the operator, and what to do. */
export function explainSystemError({ code, message, path, address, port, hostname }: SystemError): string {
  const place = `${String(address)}:${String(port)}`;
  if (code === "ENOENT" && typeof path === "string")
    return existsSync(dirname(path))
      ? `There is nothing at ${path}. Check the path, or choose another place.`
      : `There is no directory ${dirname(path)}. Create it, or choose another place.`;
  switch (code) {
    case "EADDRINUSE":
      return `${place} is in use by another program. Stop it, or choose another port: --port 0 picks a free one.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `This machine does not have the address ${String(address ?? hostname)}. Set HOST or --host to one of its addresses, such as 127.0.0.1.`;
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return path === undefined && port !== undefined
        ? `This user may not listen on ${place}. Choose a port above 1023 with --port.`
        : `This user cannot write to ${String(path)}. Choose another place, for the data with --data-dir, or change its owner.`;
    case "ENOTDIR":
    case "EEXIST":
      return `${String(path)} is a file, but must be a directory. Choose another place; for the data, give --data-dir.`;
    default: {
      // Of this error alone: one that wraps another says more than the cause.
      const fault = findFault({ code });
      if (fault) return `${fault.what} ${fault.advice}`;
      // Libraries append code excerpts and hints to their messages.
      return message.split("\n").find((line) => line.trim() !== "") ?? "Unexpected failure without a message.";
    }
  }
}
