import { detectorTable } from "../../test/detector-table.js";

detectorTable({
  kind: "one_time_code",
  from: "public",
  removed: [
    ["Your verification code is 482913.", "482913"],
    ["482 913 is your login code", "482 913"],
    ["OTP: 9931", "9931"],
    ["use 482913 as your login code", "482913"],
    ["Your code: 4829", "4829"],
    ["G-482913 is your Google verification code", "482913"],
    ["验证码: 482913", "482913"],
  ],
  kept: ["error code 404", "postal code is 90210", "verification code of 1998", "G-123456 in stock"],
});
detectorTable({
  kind: "cvv",
  from: "public",
  removed: [
    ["CVV: 123", "123"],
    ["security code = 1234", "1234"],
    ["exp 12/27 cvc 123", "123"],
  ],
  kept: ["cvv is on the back", "CVV 2024 edition"],
});
detectorTable({
  kind: "pin",
  from: "public",
  removed: [
    ["PIN: 4711", "4711"],
    ["my pin is 4711", "4711"],
  ],
  kept: ["pinned: 4711", "pin 4 of the chip", "shipping: 12345"],
});
