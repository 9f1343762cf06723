import { detectorTable } from "../../test/detector-table.js";

/** Numbers that the issuers publish as specimens, or that only satisfy the check digit. */
detectorTable({
  kind: "national_id",
  from: "private",
  removed: [
    ["NINO AB 12 34 56 C", "AB 12 34 56 C"],
    ["NHS number 943 476 5919", "943 476 5919"],
    ["DNI 12345678Z", "12345678Z"],
    ["NIE X1234567L", "X1234567L"],
    ["CF RSSMRA85T10A562S", "RSSMRA85T10A562S"],
    ["PESEL 44051401359", "44051401359"],
    ["personnummer 811218-9876", "811218-9876"],
    ["tunnus 131052-308T", "131052-308T"],
    ["Steuer-ID 86095742719", "86095742719"],
    ["numéro de sécurité sociale 255081416802538", "255081416802538"],
    ["BSN 111222333", "111222333"],
    ["registre national 85.07.30-033.28", "85.07.30-033.28"],
    ["TCKN 10000000146", "10000000146"],
    ["South Africa ID 8001015009087", "8001015009087"],
    ["my SIN is 130 692 544", "130 692 544"],
    ["Aadhaar 2341 2341 2346", "2341 2341 2346"],
    ["PAN ABCPD1234Z", "ABCPD1234Z"],
    ["TFN 123 456 782", "123 456 782"],
    ["Korean RRN 900101-1234568", "900101-1234568"],
    ["NRIC S1234567D", "S1234567D"],
    ["CPF 529.982.247-25", "529.982.247-25"],
    ["Thai ID 1234567890121", "1234567890121"],
  ],
  kept: [
    "AB 12 34 56 C", "943 476 5919", "12345678A", "44051401359", "811218-9876", "131052-308U", "86095742719", "111222333", "S1234567A", "529.982.247-26", "order 8001015009087", "NHS number 943 476 5918", "single 130 692 544", "commit 12345678Zabc",
  ],
});
