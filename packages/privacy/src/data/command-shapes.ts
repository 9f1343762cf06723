export const identified =
  /identified\s{1,4}(?:with\s{1,4}[a-z0-9_]{1,40}\s{1,4})?(?:by|as)\s{1,4}(?:password\s{1,4})?(["'])(?<value>[^"'\n\\]{1,200})\1/iy;
/** Without quotes the value must look like a password. */
export const identifiedBare = /identified\s{1,4}(?:with\s{1,4}[a-z0-9_]{1,40}\s{1,4})?by\s{1,4}(?:password\s{1,4})?(?<value>[^\s"';,()]{6,64})/iy;
/** The text of a QR code for a network: `WIFI:T:WPA;S:name;P:key;;`. */
export const wifi = /wifi:(?:[A-OQ-Z]{1,4}:(?:[^;\\\n]|\\.){0,64};){0,5}P:(?<value>(?:[^;\\\n]|\\.){4,64});/iy;
export const option = /[ \n](?:-u|--user|--proxy-user)[ =]{1,2}(["']?)(?<value>[^\s"':]{0,100}:["']?[^\s"']{1,200}["']?)\1/y;
/** `mysql -psecret`, glued as it must be; `sshpass -p secret` and others that take it apart. */
export const glued = / -p(["']?)(?<value>[^\s"'-][^\s"']{3,60})\1(?![^\s;|&)])/y;
export const spaced = / -p[ ]{1,2}(["']?)(?<value>[^\s"'-][^\s"']{3,60})\1/y;
export const mysql = /\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mariadb)\b/gi;
export const sshpass = /\b(?:sshpass|psexec|mongo[a-z]{0,7}|useradd|usermod|cqlsh|(?:docker|podman|az|oc|helm|skopeo) (?:registry )?login)\b/gi;
/** `openssl … -passin pass:secret`. */
export const passphrase = / -pass(?:in|out|word)?[ ]{1,2}(["']?)pass:(?<value>[^\s"']{3,100})\1/y;
/** `Login: anna / secret`, `credentials are admin / secret`. */
export const pairOf =
  /(?:credentials?|creds|login|user(?:name)?)(?: details| data)?(?: are| is)?[ ]?:?[ ]{1,2}["'`]?[A-Za-z0-9_.@+-]{2,60}["'`]?[ ]{1,2}[/|][ ]{1,2}["'`]?(?<value>[^\s"'`,;]{5,63}[^\s"'`,;.)])/iy;
/** A user and a password as the arguments of a call: `new NetworkCredential("user", "secret")`, `auth=("user", "secret")`. */
export const call = /(?:networkcredential|usernamepasswordcredentials|passwordauthentication|httpbasicauth|basicauth|basic_auth|\.login| auth)[ ]?=?\(\s{0,4}(?:"[^"\n]{0,80}"|'[^'\n]{0,80}'|[a-z0-9_.]{1,60})\s{0,4},\s{0,4}(["'])(?<value>[^"'\s\\]{3,100})\1/iy;
/** What starts such a call; `call` begins with one of them. */
export const calls: readonly string[] = ["networkcredential", "usernamepasswordcredentials", "passwordauthentication", "httpbasicauth", "basicauth", "basic_auth", ".login", " auth",];
/** A program that takes `-u user:password` must come before it in the same command. */
export const program = /\b(?:curl|wget|http|https|mosquitto_pub|mosquitto_sub|smbclient|mysql)\b/gi;
