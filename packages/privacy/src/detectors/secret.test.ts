import { detectorTable, joined, noise } from "../../test/detector-table.js";

const value = noise(24);

detectorTable({
  kind: "secret",
  from: "public",
  removed: [
    [`API_KEY = "${value}"`, value],
    [`client_secret: ${value}`, value],
    [`{"awsSecretKey":"${value}","x":1}`, value],
    [`System.setProperty("OKTA_TOKEN", "${value}")`, value],
    [`$cloudToken .= "${value}"`, value],
    [`<apiToken>\n  ${value}\n</apiToken>`, value],
    [`<add key="ApiKey" value="${value}" />`, value],
    [`run --token ${value} now`, value],
    [`Authorization: Basic ${value}`, value],
    [`curl -H "X-Api-Key: ${value}"`, value],
    ["kind: Secret\ndata:\n  extra: cGFzc3dvcmQtMTIz\n  other: eHl6LXZhbHVl\nmetadata:", "extra: cGFzc3dvcmQtMTIz\n  other: eHl6LXZhbHVl"],
  ],
  kept: [
    "token: string", "const token = getToken()", "apiKey: process.env.API_KEY", "secret: ${SECRET}", "token = null", "public_key = abc123def456", 'author: "J. R. R. Tolkien 1937"', "keyboard: 104 keys", "the token is used to sign requests",
    "maxTokens: 4096", "key: value", "--recv-keys 5BE8A3F6C8A5C01D106C0AD820B1A390B168D356", "secretName: my-app-secret-1", "API_KEY=your-api-key-here", "token: <paste it here>", "const { token } = props1",
    "kind: ExternalSecret\ndata:\n  extra: cGFzc3dvcmQtMTIz", "tokenType: Bearer2",
  ],
});

detectorTable({
  kind: "password",
  from: "public",
  removed: [
    ['password = "hunter2!"', "hunter2!"],
    ["DB_PASS=s3cr3t-Word", "s3cr3t-Word"],
    ["Server=db;User=app;Password=correcthorse;", "correcthorse"],
    ["the password was changed to hunter2x", "hunter2x"],
    ["  db-password: \"h%bH#g3LKRK\"", "h%bH#g3LKRK"],
    ['"passwd" => "zR4!kk"', "zR4!kk"],
    ["mysql --password Sne3sd8AZjq x", "Sne3sd8AZjq"],
    ["my password is zebra99x", "zebra99x"],
    ["CREATE USER 'a'@'b' IDENTIFIED BY 'kkWord77';", "kkWord77"],
    [`curl -u admin:${noise(10)} https://example.com`, `admin:${noise(10)}`],
    [joined("Kennwort: ", "geh3im!x"), "geh3im!x"],
    ['{"password": "with \\"quotes\\" 1"}', 'with \\"quotes\\" 1'],
  ],
  kept: [
    "password: string", "password: ${link}", 'type="password"', "Password must be 8 characters", "password = getPassword()", 'label: "Password"', "forgot password?", "passenger: 12345678", "compass=n0rth4", "login(user=name, password=letmein)", "<input password={letmein}>", "password=$PASSWORD", 'password: "password"', "docker run -u 1000:1000 image", 'curl -u "$USER:$PASS" https://example.com',
    "pass the first argument", "pass `--keyring=\"${HOME}/.gnupg/pubring.kbx\"` to it",
  ],
});
