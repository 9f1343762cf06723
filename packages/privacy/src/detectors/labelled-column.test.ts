import { detectorTable } from "../../test/detector-table.js";

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
