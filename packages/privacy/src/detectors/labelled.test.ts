import { detectorTable } from "../../test/detector-table.js";

detectorTable({
  kind: "bank_account",
  from: "filtered",
  removed: [
    ["Account number: 7582249128", "7582249128"],
    ["Kontonummer 12 345 678", "12 345 678"],
    ["SWIFT: DEUTDEFF500", "DEUTDEFF500"],
    ["Account No. 84755122", "84755122"],
    ["Konto-Nr. 3743718302", "3743718302"],
    ['"accountNumber":"315867814544"', "315867814544"],
    ['account_number: "7982985162"', "7982985162"],
    ["IFSC: HDFC0897266", "HDFC0897266"],
    ["Acct. No.: 9797552520", "9797552520"],
    ["N° de compte : 36968555350", "36968555350"],
  ],
  kept: ["7582249128", "on account of 2024", "account settings", "accountability 12345678", "ifsc code"],
});
detectorTable({
  kind: "passport",
  from: "filtered",
  removed: [
    ["Passport: U64963786", "U64963786"],
    ["passport no. C01X00T47", "C01X00T47"],
    ["Passport No : SJ1365157", "SJ1365157"],
    ["Paspoortnummer: NUI334133", "NUI334133"],
    ["passeport n° 17DG35166", "17DG35166"],
    ['"passportNumber": "I6358974"', "I6358974"],
    ["mi pasaporte es: aaa123456", "aaa123456"],
    ["护照号码：E71555768", "E71555768"],
    ["Document number: C4K8T91LN", "C4K8T91LN"],
    ["Número de documento: AAB123456", "AAB123456"],
    ["Паспорт: 45 08 447122", "45 08 447122"],
  ],
  kept: [
    "passport photos",
    "U64963786",
    "passport.js 0.7.0",
    "passport authentication",
    "Passport number required",
    "Document number formats",
    "Document version: 2024-11",
  ],
});
detectorTable({
  kind: "licence",
  from: "filtered",
  removed: [
    ["Driver's license: D123-4567-8901", "D123-4567-8901"],
    ["Führerscheinnummer: N0704578035", "N0704578035"],
    ['"driverLicense": "R1864621"', "R1864621"],
    ["permis de conduire n° 641074885004", "641074885004"],
  ],
  kept: ["License: BSD-2-Clause", "license number plates"],
});
detectorTable({
  kind: "medical_record",
  from: "filtered",
  removed: [
    ["MRN: MRN-1447606", "MRN-1447606"],
    ['"mrn": "10259590"', "10259590"],
    ['"insurance_id": "NID-900192367"', "NID-900192367"],
    ["Subscriber ID: KWO829026168", "KWO829026168"],
    ["Versichertennummer: L876482488", "L876482488"],
    ["Membership number: 44-120-9987", "44-120-9987"],
  ],
  kept: ["dea5dd7077 commit", "the medical record of a nation", "Membership fee 2024: 1200"],
});
detectorTable({
  kind: "national_id",
  from: "filtered",
  removed: [
    ["Steuernummer: 143/815/08151", "143/815/08151"],
    ["Steuernummer 219/5077/1234\nBescheid", "219/5077/1234"],
    ["SV-Nummer: 65 120487 W 001", "65 120487 W 001"],
    ["Sozialvers.-Nr.: 65 120487 W 001", "65 120487 W 001"],
    ["Numéro fiscal : 3012345678901", "3012345678901"],
    ["N.º de utente: 123456781", "123456781"],
    ["National Insurance number: QQ 12 34 56 C", "QQ 12 34 56 C"],
  ],
  kept: [
    "Steuernummern vergibt das Finanzamt. Die Steuer 2024 ist fällig.",
    "SV 1904 hat gewonnen",
    "tax number of 2024",
    "Tax reference: 123/AB456",
  ],
});
detectorTable({
  kind: "date_of_birth",
  from: "filtered",
  removed: [
    ["DOB: 1976-10-10", "1976-10-10"],
    ["born on 18 January 1961", "18 January 1961"],
    ["And your date of birth?\nA: 1956-08-09.", "1956-08-09"],
    ["geboren am 3.4.1980", "3.4.1980"],
    ["(born 24 March 1996 in Berlin)", "24 March 1996"],
    ['"dateOfBirth": "4/15/1961"', "4/15/1961"],
    ["date_of_birth=6/20/1995", "6/20/1995"],
    ["<birthDate>1969-08-09</birthDate>", "1969-08-09"],
    ["Date of Birth (DD/MM/YYYY): 22.12.1964", "22.12.1964"],
    ["né le 18 février 1966", "18 février 1966"],
    ["Дата рождения: 08-10-1950", "08-10-1950"],
    ['"birthDate": "1979-05-12T00:00:00Z"', "1979-05-12T00:00:00Z"],
    ["Geburtstag: 12.04.1987", "12.04.1987"],
    ["Cumpleaños: 14/02/1985", "14/02/1985"],
    ["When is your birthday?\nBen: 4 May 1979\n", "4 May 1979"],
  ],
  kept: ["1976-10-10", "born in 1961 in Paris", "born 1961", "reborn 24 March 1996", "Geburtstagsfeier: 12.04.2025"],
});
detectorTable({
  kind: "date_of_birth",
  from: "filtered",
  removed: [
    ['name,address,dob\nJo Turner,"7194 Elm, Franklin",2004-03-15\n', "2004-03-15"],
    ["Name;Geburtsdatum;Ort\nAnna;12.03.1981;Berlin\n", "12.03.1981"],
    ["| name | date of birth |\n|---|---|\n| Anna | 12/03/1981 |\n", "12/03/1981"],
  ],
  kept: ["name,joined\nJo,2004-03-15\n", "dob, name\nno table 2004-03-15 here\n", "a,dob\n1,2,2004-03-15\n"],
});
detectorTable({
  kind: "passport",
  from: "filtered",
  removed: [["id\tpassport_number\n1\tP9L125959\n", "P9L125959"]],
  kept: ["id\tpassport\n1\tissued\n"],
});
