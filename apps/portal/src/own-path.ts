/** Whether an address that came from outside leads to a page of the portal, and to no other site. */
export function isOwnPath(address: string): boolean {
  return (
    /^\/(?![/\\])/.test(address) && URL.canParse(address, location.origin) && new URL(address, location.origin).origin === location.origin
  );
}
