import { detectorTable } from "../../test/detector-table.js";

detectorTable({
  kind: "iban",
  from: "private",
  removed: [
    ["pay DE89 3704 0044 0532 0130 00 now", "DE89 3704 0044 0532 0130 00"],
    ["GB82WEST12345698765432", "GB82WEST12345698765432"],
    ["nl91abna0417164300", "nl91abna0417164300"],
    ["MT84 MALT 0110 0001 2345 MTLC AST0 01S.", "MT84 MALT 0110 0001 2345 MTLC AST0 01S"],
    // A typing error in the number, but the label says what it is.
    ["IBAN: DE89370400440532013001", "DE89370400440532013001"],
    // Not in the registry, but named.
    ["IBAN: IR565009435006007221746604", "IR565009435006007221746604"],
  ],
  kept: ["DE89 3704 0044 0532 0130 01", "XX89370400440532013000", "GB82WEST123456987654321", "ABDE89370400440532013000", "commit de89aa00"],
});
