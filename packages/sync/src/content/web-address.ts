const urlUnitsMax = 2_048;

/** An address of the web, made absolute; empty for any other, and for one that is too long. Chrome has `URL.parse` only from 126 on. */
export function webAddress(address: string, base: string): string {
  if (address === "" || address.length > urlUnitsMax || !URL.canParse(address, base)) return "";
  const { protocol, href } = new URL(address, base);
  return /^https?:$/.test(protocol) && href.length <= urlUnitsMax ? href : "";
}
