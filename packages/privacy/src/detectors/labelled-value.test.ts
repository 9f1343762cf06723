import { detectorTable } from "../../test/detector-table.js";

detectorTable({
  kind: "bank_account",
  from: "filtered",
  removed: [
    ["Account number: 7582249128", "7582249128"],
    ["Kontonummer 12 345 678", "12 345 678"],
    ["SWIFT: DEUTDEFF500", "DEUTDEFF500"],
  ],
  kept: ["7582249128", "on account of 2024", "account settings"],
});
detectorTable({
  kind: "passport",
  from: "filtered",
  removed: [
    ["Passport: U64963786", "U64963786"],
    ["passport no. C01X00T47", "C01X00T47"],
  ],
  kept: ["passport photos", "U64963786", "passport.js 0.7.0"],
});
detectorTable({
  kind: "licence",
  from: "filtered",
  removed: [["Driver's license: D123-4567-8901", "D123-4567-8901"]],
  kept: ["License: BSD-2-Clause", "license number plates"],
});
detectorTable({
  kind: "medical_record",
  from: "filtered",
  removed: [
    ["MRN: MRN-1447606", "MRN-1447606"],
    ['"mrn": "10259590"', "10259590"],
  ],
  kept: ["dea5dd7077 commit", "the medical record of a nation"],
});
detectorTable({
  kind: "date_of_birth",
  from: "filtered",
  removed: [
    ["DOB: 1976-10-10", "1976-10-10"],
    ["born on 18 January 1961", "18 January 1961"],
    ["And your date of birth?\nA: 1956-08-09.", "1956-08-09"],
    ["geboren am 3.4.1980", "3.4.1980"],
  ],
  kept: ["1976-10-10", "born in 1961 in Paris"],
});
