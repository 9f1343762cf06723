import { detectorTable } from "../../test/detector-table.js";

detectorTable({
  kind: "mac",
  from: "filtered",
  removed: [
    ["hw 00:1a:2b:3c:4d:5e up", "00:1a:2b:3c:4d:5e"],
    ["AA-BB-CC-DD-EE-FF", "AA-BB-CC-DD-EE-FF"],
    ["0012.3456.789a", "0012.3456.789a"],
    ["00-1a-2b-ff-fe-3c-4d-5e", "00-1a-2b-ff-fe-3c-4d-5e"],
  ],
  kept: ["00:00:00:00:00:00", "ff:ff:ff:ff:ff:ff", "12:30:45", "aa:bb:cc:dd:ee", "aa:bb:cc:dd:ee:ff:11", "2021.1231.1159", "a-b-c-d-e-f"],
});
