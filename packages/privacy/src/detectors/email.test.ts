import { detectorTable } from "../../test/detector-table.js";

detectorTable({
  kind: "email",
  from: "filtered",
  removed: [
    ["To: o'neil@example.org", "o'neil@example.org"],
    ["mail = 'anna@example.org'", "anna@example.org"],
    ["write to jo@example.org.", "jo@example.org"],
    ["Jo <jo.van+list@mail.example.co.uk>", "jo.van+list@mail.example.co.uk"],
    ["mail=jo%40example.org&x=1", "jo%40example.org"],
    ["Grüße von jürgen@münchen.example", "jürgen@münchen.example"],
    ["idn: a1@xn--mnchen-3ya.example", "a1@xn--mnchen-3ya.example"],
    ['{"a":"x\\njo@example.org"}', "jo@example.org"],
    ["j\u200bo@exam\u00adple.org", "j\u200bo@exam\u00adple.org"],
  ],
  kept: [
    "logo@2x.png",
    "npm i pkg@1.2.3",
    "import '@scope/pkg'",
    "git@github.com:owner/repo.git",
    "@user said",
    "a @ b.com",
    "user@localhost",
    "5 @ 3.50",
  ],
});
