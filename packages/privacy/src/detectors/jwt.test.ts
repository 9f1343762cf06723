import { detectorTable, joined } from "../../test/detector-table.js";

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const header = part({ alg: "HS256", typ: "JWT" });
const payload = part({ sub: "42", name: "test" });
const token = joined(header, ".", payload, ".", "c2lnbmF0dXJlLW9mLXRoZS10ZXN0");

detectorTable({
  kind: "jwt",
  from: "public",
  removed: [
    [`Authorization: Bearer ${token}`, token],
    [`see https://example.com/d/${token}/file`, token],
    [`cut off ${header}.${payload}`, `${header}.${payload}`],
    [`unsigned "${header}.${payload}."`, `${header}.${payload}.`],
    [`z\u200b ${token.slice(0, 9)}\u200b${token.slice(9)}`, `${token.slice(0, 9)}\u200b${token.slice(9)}`],
  ],
  kept: [`config=${part({ theme: "dark", size: 12 })}.${payload}.xyz`, "eyJBB.eyJCC.eyJDDDD", `x${token}`, "eyJ"],
});
