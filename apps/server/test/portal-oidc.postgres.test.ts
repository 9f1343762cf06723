import { expect, test } from "vitest";
import { startLogged } from "./oidc-sign-in.js";

test("leads a person back to the sign-in and logs the reason when the disk is full", async () => {
  await using logged = await startLogged();
  await logged.database.rows(
    "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no space' USING ERRCODE = '53100'; END $$",
  );
  await logged.database.rows("CREATE TRIGGER full_disk BEFORE INSERT ON auth_sessions FOR EACH STATEMENT EXECUTE FUNCTION full_disk()");
  expect(await logged.comeBack()).toMatchObject({
    location: "/sign-in?error=unavailable",
    line: { status: 302, reason: "The server's disk is full.", failure: {} },
  });
});
