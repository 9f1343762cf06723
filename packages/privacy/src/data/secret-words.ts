/**
 * Parts of names of keys, settings and labels whose value is a secret. Sources: gitleaks `generic-api-key`, detect-secrets
 * `KeywordDetector`, CredSweeper's keyword rules, Rails and Sentry scrubbing defaults (read for their words), and
 * the words for "password" in the languages of the largest browsers' user bases.
 */
const codeWords: readonly string[] = [
  "password", "passwd", "passwort", "passphrase", "passcode", "pwd", "pswd", "psw", "psswd", "pass", "pw", "psk", "storepass", "keypass", "requirepass", "masterauth", "userpass", "dbpass", "rootpw", "bindpw", "securestring", "presharedkey", "pre_shared_key", "preshared_key",
];

/** The first words are those that code uses; the others stand in sentences and forms. */
export const codeWordCount: number = codeWords.length;

export const passwordWords: readonly string[] = [
  ...codeWords,
  "pre-shared key", "preshared key", "wi-fi code", "wifi code", "wlan-code", "code wi-fi", "code wifi", "code du wifi", "código wifi", "código del wifi", "clave del wifi", "codice wi-fi", "wpa key", "wpa2 key", "wpa3 key", "wifi key", "wi-fi key", "wlan key", "network key", "network security key", "wlan-schlüssel", "netzwerkschlüssel", "clé wi-fi", "clé wifi", "clave wifi", "clave wi-fi", "clave de red", "chiave wi-fi", "chiave wifi", "chiave di rete", "chave wi-fi", "chave de rede", "clé wpa", "clave wpa", "chiave wpa", "chave wpa", "clé de sécurité", "clé réseau", "ключ сети", "暗号化キー",
  "passwörter", "mots de passe", "пароли", "kennwort", "contraseña", "contrasena", "clave de acceso", "senha", "palavra-passe", "wachtwoord", "mot de passe", "mot_de_passe", "motdepasse", "mdp", "hasło", "haslo", "lösenord", "adgangskode", "kodeord", "passord", "salasana",
  "heslo", "jelszó", "parolă", "parola", "şifre", "κωδικός", "kata sandi", "mật khẩu", "รหัสผ่าน", "סיסמה", "كلمة المرور", "पासवर्ड",
  "пароль", "密码", "密碼", "口令", "パスワード", "비밀번호", "암호",
];

/** Names of secrets: the value must look like one. */
export const secretWords: readonly string[] = [
  "secret", "token", "apikey", "api_key", "api-key", "api key", "accesskey", "access_key", "access-key", "access key", "secretkey", "privatekey", "private_key", "private-key", "private key",
  "authkey", "auth_key", "credential", "creds", "authorization", "bearer", "authtoken", "signingkey", "signing_key", "encryption_key", "encryptionkey", "unseal", "accountkey", "sharedaccesskey", "keymaterial",
  ...["cle", "clé", "clave", "chiave", "chave"].flatMap((word) => [`${word}_api`, `${word} api`, `${word}api`]), "clave_secreta", "clave secreta", "chiave_segreta", "chiave segreta", "chave_secreta", "chave secreta", "clé secrète", "cle_secrete",
  "api-schlüssel", "api-ключ", "apiキー", "api密钥", "토큰", "トークン", "令牌", "密钥",
];

/** Vendors whose keys have no mark: the name alone often labels them. Read from the rules of gitleaks and from public lists of APIs. */
const vendorNames: readonly string[] = [
  "algolia", "amplitude", "mixpanel", "segment", "datadog", "twilio", "sendgrid", "mailgun", "mailchimp", "heroku", "okta", "mapbox", "pusher", "airtable", "asana", "trello", "bitbucket", "circleci", "travis", "codecov", "newrelic", "new relic", "pagerduty", "opsgenie", "rollbar", "bugsnag", "honeycomb", "sumologic", "splunk", "loggly", "papertrail", "cloudinary", "dropbox", "linode", "vultr", "netlify", "vercel", "contentful", "shodan", "virustotal", "censys", "alchemy", "infura", "etherscan", "coinbase", "binance", "kraken", "bitfinex", "bittrex", "kucoin", "plaid", "klarna", "zendesk", "intercom", "hubspot", "freshdesk", "salesforce", "dynatrace", "stripe", "openai", "cohere", "mistral", "deepseek", "replicate", "pinecone", "weaviate", "deepl", "elevenlabs", "assemblyai", "deepgram", "rapidapi", "openweather", "openweathermap", "weatherapi", "newsapi", "finnhub", "alphavantage", "fastly", "backblaze", "wasabi", "lastfm", "tmdb", "sentry", "launchdarkly", "sonarqube", "postman", "zapier", "squarespace", "typeform", "confluent", "finicity", "fastspring", "beamer", "clojars", "mattermost", "messagebird", "nytimes", "sendbird", "sidekiq", "lob", "gitter",
];

/** Names that are often harmless: the value must look random. */
export const weakWords: readonly string[] = [
  "key", "auth", "sig", "signature", "session", "sessid", "cookie", "csrf", "xsrf", "salt", "nonce", "webhook", "sas", "connect.sid", "sid",
  ...vendorNames,
  "authentication", "crumb", "pat", "login", "artifactory", "jfrog", "xray", "bintray",
];

/**
 * Names that hold such a part and are something else. Matched against the whole folded name (lower case, without
 * `_`, `-` and `.`).
 */
export const harmlessNames: ReadonlySet<string> = new Set([
  "author", "authors", "authority", "keyboard", "keyword", "keywords", "monkey", "turkey", "hockey", "donkey", "jockey", "whiskey", "keynote", "keyframe", "keyframes",
  "publickey", "sshpublickey", "primarykey", "foreignkey", "partitionkey", "sortkey", "cachekey", "rowkey", "hotkey", "hotkeys", "keycode", "keycodes", "keydown", "keyup", "keypress", "keyname", "keyid", "keytype",
  "tokenizer", "tokenize", "tokenized", "tokens", "tokentype", "tokenname", "tokencount", "maxtokens", "tokenlimit", "tokenurl", "tokenendpoint", "tokenuri", "totaltokens", "prompttokens", "nexttoken", "pagetoken", "nextpagetoken", "continuationtoken", "synctoken",
  "secretary", "secretname", "secretkeyref", "secretref", "secretstoreref", "secretstore", "secretarn", "secretid", "secretsmanager",
  "passage", "passenger", "passengers", "passed", "passes", "passing", "passive", "passion", "passport", "compass", "bypass", "surpass", "encompass", "trespass", "password_field", "passwordfield", "passwordlabel", "passwordhint",
  "passwordlength", "passwordpolicy", "passwordreset", "passwordresetlink", "passwordplaceholder", "passwordinput", "passwordstrength", "passwordmin", "passwordmax", "resetpassword", "forgotpassword", "changepassword", "showpassword", "confirmpasswordlabel",
  "session", "sessions", "sessionstorage", "sessiontimeout", "sessiontype", "sessionname", "cookiename", "cookies", "cookiepolicy", "cookieconsent",
  "signatures", "significant", "design", "assign", "insignia", "authenticated", "authenticationmethod", "authmethod", "authtype", "authorized", "oauth", "authurl", "authuri", "authdomain", "authprovider",
  "saslmechanism", "sasl", "class", "classes", "subclass", "basis", "casa",
]);

/** What may follow the word in a name that still names the value itself (`SECRET_VALUE`, `token2`, `password_b64`). */
export const valueSuffix = /^(?:s|e|value|val|text|txt|string|str|plain|cleartext|hash|base64|b64|enc|encoded|encrypted|env|data|raw|prod|production|dev|test|staging|live|main|default|new|old|current|confirm|confirmation|repeat|again|keys?|id|token|auth|[0-9]{1,4}){0,3}$/;
