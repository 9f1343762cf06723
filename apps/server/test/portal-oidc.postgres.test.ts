import { expect, test } from "vitest";
import { startLogged } from "./oidc-sign-in.js";

test("leads a person back to the sign-in and logs the reason when the disk is full", async () => {
  await using logged = await startLogged();
  // No trigger: tables that are spread over machines have none.
  await logged.database.rows(
    "CREATE FUNCTION full_disk() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no space' USING ERRCODE = '53100'; END $$",
  );
  await logged.database.rows("ALTER TABLE auth_sessions ADD CONSTRAINT full_disk CHECK (full_disk())");
  expect(await logged.comeBack()).toMatchObject({
    location: "/sign-in?error=unavailable",
    line: { status: 302, reason: "The server's disk is full.", failure: {} },
  });
});
