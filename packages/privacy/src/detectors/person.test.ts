import { expect, test } from "vitest";
import { redactText } from "../index.js";
import { detectorTable } from "../../test/detector-table.js";

const person = '{"@type":"Person","name":"Ada Example","jobTitle":"Engineer"}';
detectorTable({
  kind: "name",
  from: "filtered",
  removed: [
    ["BEGIN:VCARD\nVERSION:4.0\nFN:Ada Example\nEND:VCARD", "Ada Example"],
    [person, "Ada Example"],
  ],
  kept: ['{"@type":"Organization","name":"Example Inc"}', "Ada Example wrote this", "FN:outside"],
});
detectorTable({
  kind: "address",
  from: "filtered",
  removed: [["BEGIN:VCARD\nADR;TYPE=home:;;1 Main St;Town;;12345;X\nEND:VCARD", ";;1 Main St;Town;;12345;X"]],
  kept: ["1 Main St, Town"],
});

test("a line of a vCard goes as a whole, however long it is", () => {
  const note = "Elm Street 7,".repeat(400);
  expect(redactText(`BEGIN:VCARD\nADR:${note}\nEND:VCARD`, "filtered").text).toBe("BEGIN:VCARD\nADR:[REDACTED:address]\nEND:VCARD");
});
