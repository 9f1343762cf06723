import { floorLabels } from "./labels.js";

/** Words that say that a code of one use is near: labels of such codes, which also stand in sentences. */
export const codeCues: readonly string[] = floorLabels.filter(({ kind }) => kind === "one_time_code").flatMap(({ words }) => words.filter((word) => word.length > 2));

/** Words for a code of any kind. They count where the sentence gives the code and something near speaks of signing in. */
export const plainCues: readonly string[] = ["code", "kode", "código", "codigo", "codice", "kod ", "код", "代码", "コード", "码", "碼", "코드", "번호", "to verify", "to sign in", "to log in", "to login", "to confirm", "pour confirmer", "pour vous connecter", "para iniciar", "para verificar", "per accedere", "per verificare", "per confermare", "para confirmar", "para entrar", "для входа", "чтобы войти", "zur bestätigung", "zum bestätigen", "pour vérifier", "um sich anzumelden", "zur anmeldung"];

/** What such a sentence speaks of: beginnings of words. */
export const signInCues: readonly string[] = ["verif", "vérif", "access", "accès", "acceso", "acesso", "anzumeld", "sign in", "sign-in", "signin", "log in", "log-in", "login", "logging", "password", "authenticat", "two-factor", "2-step", "one-time", "expire", "expira", "do not share", "don't share", "don’t share", "never share", "passcode", "anmeld", "bestätig", "passwor", "gültig", "läuft ab", "weitergeben", "weitersagen", "connexion", "connecter", "mot de passe", "partage", "iniciar sesi", "contraseña", "caduca", "vence", "compart", "acced", "scade", "condivid", "conferm", "confirm", "entrar", "senha", "вход", "войти", "подтвержд", "парол", "никому", "действ", "验证", "驗證", "登录", "登入", "注册", "分钟", "有效", "泄露", "認証", "ログイン", "確認", "有効", "分以内", "인증", "로그인", "본인확인"];

/** Words after which a number is another one. */
export const otherNumber = /(?:orders?|invoice|ticket|case|ref(?:erence)?|room|ending(?: in| with)?|ends? in|account|acct|phone|tel|call|ext|product|item|sku|model|article|zip|postal|plz|postleitzahl|version|since|year|error|exit|status|http|country|area|promo|discount|coupon|voucher|gift|qr|bar|source|dress|rs|inr|usd|eur|tracking|parcel|bestell[a-z]{0,12}|rechnung[a-z]{0,10}|auftrag[a-z]{0,10}|artikel[a-z]{0,10}|commande|facture|article|pedido|factura|art[íi]culo|ordine|fattura|articolo|заказа?|сч[её]та?|товара?|订单号?|發票|发票|注文番号|商品番号|주문번호)(?: (?:code|number|no\.?|nr\.?|id|n[°º]|номер))?[\s.:#№=-]{0,3}$/i;

/** Right before a code that is given: `is 482913`, `enter 482913`, `lautet: 482913`. */
export const given =
  /(?<=(?:[:：=]|(?<![a-z])(?:is|are|use|using|enter|type|with|ist|lautet|mit|verwenden sie|geben sie|nutzen sie|eingeben|est|utilisez|saisissez|entrez|voici|es|usa|utiliza|introduce|ingresa|escribe|è|usa|inserisci|utilizza|é|digite|insira|informe|введите|используйте)|是|为|為|は|は「|入力(?:してください|して下さい)?[。.]?|:|code|код|codice|código|コード|码|碼|：)[\s"'“„«「【(*]{0,4})/iy;
/** Right after one: `482913 is your code`, `482913 (do not share)`. */
export const giving =
  /^["'”“»」】)*]{0,3}[ ]?(?:(?:is|as|to|ist|als|est|pour|es|como|para|è|come|per|é|to)(?: [\p{L}'’-]{1,14}){0,4} |—|–|- |—\s|is |は|が|です|是|为|為|\(|（)/iu;

/** `482913 is your Acme code`: nothing else is said so. */
export const isYours =
  /^ (?:is|ist|est|es|è|é) (?:your|ihr|dein|votre|ton|tu|su|il tuo|o seu|seu) (?:[\p{L}0-9'’-]{1,16} ){0,3}(?:code|kode|código|codice)/iu;
