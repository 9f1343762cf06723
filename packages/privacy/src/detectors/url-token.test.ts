import { detectorTable, noise } from "../../test/detector-table.js";

const value = noise(28);
detectorTable({
  kind: "token",
  from: "public",
  removed: [
    ["[![x](https://e.example/badge.svg?token=MVpR1oAbIT)](https://e.example/y)", "MVpR1oAbIT"],
    ["[go](https://e.example/invite/1kwYUU4haKUWxU4LCE88p1aVEWnlUC3Q)", "1kwYUU4haKUWxU4LCE88p1aVEWnlUC3Q"],
    ["https://e.example/verify-email/4b5a688293c1bf84df26105ce74126db", "4b5a688293c1bf84df26105ce74126db"],
    ["https://cal.example/private-0cb709b8ded2df0d47a8a8eeefe93f7b/basic.ics", "0cb709b8ded2df0d47a8a8eeefe93f7b"],
    [`see https://a.example/x?access_token=${value}&y=1`, value],
    ["go to /reset?token=abc123 now", "abc123"],
    [`https://a.example/cb#id_token=${value}`, value],
    [`https://a.example/v?t=88&sid=231a72e7206647a314aa2669d7e31045`, "231a72e7206647a314aa2669d7e31045"],
    [`https://a.example/go?next=https%3A%2F%2Fb.example%2F%3Ftoken%3D${value}`, value],
    [`a=1&amp;b=2 <a href="/x?a=1&amp;apikey=${value}">`, value],
    [`https://a.example/magic-link/${value}/open`, value],
    [`https://a.example/go?next=https%3A%2F%2Fb.example%2Freset%2F${value}%3Fa%3D1`, value],
    [`https://a.example/go?next=https%3a%2f%2fb.example%2fmagic-link%2f${value}`, value],
    [`https://a.example/x;jsessionid=${noise(32)}?q=1`, noise(32)],
  ],
  kept: [
    "https://a.example/?key=name&sort=asc",
    "https://a.example/?code=DE&state=Bavaria",
    "https://a.example/?hash=top",
    "https://a.example/?token=${TOKEN}",
    "what? token=",
    "https://a.example/reset/password",
    "https://a.example/?u=https%3A%2F%2Fb.example%2Freset%2Fpassword%2Fin-settings-of-account",
    "https://a.example/?u=https%3A%2F%2Fb.example%2Fx%40y",
    "https://a.example/#section-2",
  ],
});
detectorTable({
  kind: "url_auth",
  from: "public",
  removed: [
    ["clone https://me:s3cret@git.example/x.git", "me:s3cret"],
    ["postgres://app:p4ss@db:5432/x", "app:p4ss"],
    ["https://a.example/?u=https%3A%2F%2Fme%3As3cret%40b.example%2Fx", "me%3As3cret"],
    ["https://a.example/?u=https%3a%2f%2fme:s3cret@b.example", "me:s3cret"],
    ["smtps://jo@example.org:FnD83JZs@smtp.example.org:465", "jo@example.org:FnD83JZs"],
  ],
  kept: [
    "ssh://git@github.com/x/y",
    "https://${user}:${password}@host/",
    "https://example.com/@user",
    "http://example.com: mail a@b.example",
  ],
});
