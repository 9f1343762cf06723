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
