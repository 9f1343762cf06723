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
    [`first\\n${token}\\nlast`, token],
    [`go to a%20${token}`, token],
    [`id_${token} x`, token],
    [
      `spaced ${joined(Buffer.from('{ "alg": "none" }').toString("base64url"), ".", payload, ".abc")} x`,
      joined(Buffer.from('{ "alg": "none" }').toString("base64url"), ".", payload, ".abc"),
    ],
    [`cut off ${header}.${payload}`, `${header}.${payload}`],
    [`unsigned "${header}.${payload}."`, `${header}.${payload}.`],
    [`z\u200b ${token.slice(0, 9)}\u200b${token.slice(9)}`, `${token.slice(0, 9)}\u200b${token.slice(9)}`],
  ],
  kept: [`config=${part({ theme: "dark", size: 12 })}.${payload}.xyz`, "eyJBB.eyJCC.eyJDDDD", `x${token}`, "eyJ"],
});
