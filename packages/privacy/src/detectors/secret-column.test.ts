import { detectorTable, noise } from "../../test/detector-table.js";

detectorTable({
  kind: "password",
  from: "public",
  removed: [
    ["name,pwd,active\napp,s0l3il178$,true\n", "s0l3il178$"],
    ["| user | password |\n|---|---|\n| anna | wErD4JYlpf |\n", "wErD4JYlpf"],
  ],
  kept: [
    "| option | password |\n|---|---|\n| type | string |\n",
    "user, password\nlogin(user, pass1word2)\n",
    "name,pass,fail\nsuite,1200123,3\n".replace("1200123", "12"),
  ],
});
detectorTable({
  kind: "secret",
  from: "public",
  removed: [["name,access_token,active\nduo,".concat(noise(40), ",true\n"), noise(40)]],
  kept: ["name,key,note\nx,".concat(noise(40), ",y\n"), "| token | meaning |\n|---|---|\n| identifier | a name |\n"],
});
