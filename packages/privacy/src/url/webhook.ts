import { vendorTokens } from "../data/vendor-tokens.js";

/** Vendors whose token is a whole address: its host tells what the path is. */
const webhooks = vendorTokens
  .filter(({ anchor }) => anchor.includes("/"))
  .map(({ anchor, shape }) => ({ host: anchor.slice(0, anchor.indexOf("/")), shape: new RegExp(shape) }));

/** Whether whoever knows this address may write to it: the path of a webhook is a secret, and no part of it tells. */
export function isWebhook(host: string, path: string): boolean {
  const name = host.toLowerCase().replace(/:[0-9]{0,5}$/, "");
  return webhooks.some((webhook) => name.endsWith(webhook.host) && webhook.shape.test(name + path));
}
