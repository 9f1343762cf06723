import { extensionApi } from "../extension-api.js";
import { answer } from "../messages.js";
import { readPdf } from "./read-pdf.js";

// A page that nobody sees: in Chromium the worker of an extension can start no worker of its own, which pdf.js needs.

const { runtime } = extensionApi();
answer(runtime, { readPdf: ({ url }) => readPdf(url, (path) => runtime.getURL(path)) });
