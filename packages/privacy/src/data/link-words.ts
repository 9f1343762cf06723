/**
 * Words in addresses of links that let someone in. Sources: the routes of Django, django-allauth, Rails Devise, Laravel, Symfony, Drupal, WordPress, Discourse,
 * Ghost, Keycloak, Auth0, Okta, Firebase, Cognito, Supabase, Clerk and Slack, and their words in the languages of the largest sites.
 */
export const strongWords: ReadonlySet<string> = new Set([
  "reset", "resets", "resetpassword", "passwordreset", "password", "passwords", "passwd", "pwreset", "resetpw", "setpassword", "newpassword", "createpassword", "changepassword", "forgot", "forgotpassword", "forgotten", "lostpassword",
  "magic", "magiclink", "magiclinks", "magiclogin", "passwordless", "emaillogin", "loginlink", "signinlink", "autologin", "quicklogin", "onetime", "onetimelogin", "otl", "ott", "oob", "otp",
  "verify", "verifyemail", "verifier", "verification", "verifications", "emailverify", "emailverification", "verified", "confirm", "confirmemail", "confirmation", "confirmations", "emailconfirm", "emailconfirmation", "doubleoptin", "optin",
  "activate", "activation", "activations", "activateaccount", "invite", "invites", "invited", "invitation", "invitations", "acceptinvite", "acceptinvitation", "joinchat", "recover", "recovery", "recoveraccount", "unlock", "unlockaccount", "reactivate", "claim", "actiontoken", "signuptoken", "validate", "validation", "emailvalidation",
  "passwort", "zuruecksetzen", "bestaetigen", "bestaetigung", "aktivieren", "aktivierung", "einladung", "freischalten", "reinitialiser", "reinitialisation", "motdepasse", "confirmer", "activer", "restablecer", "contrasena", "verificar", "confirmar", "confirmacion", "activar", "activacion", "invitacion", "recuperar", "ripristina", "conferma", "attiva", "invito", "verifica", "redefinir", "senha", "ativar", "ativacao", "convite", "wachtwoord", "bevestigen", "activeren", "uitnodiging", "haslo", "potwierdz", "aktywacja", "zaproszenie",
]);

/** Strong words as they are written apart, where no part is a strong word itself. */
export const apartWords: readonly string[] = ["one-time", "one_time", "opt-in", "opt_in", "mot-de-passe", "mot_de_passe"];

/** Words of pages to sign in: only what stands right behind them, or a key that tells, is a secret. */
export const signInWords: ReadonlySet<string> = new Set(["login", "logins", "logon", "signin", "signup", "auth", "authenticate", "authentication", "authorize", "sso", "token", "tokens", "ticket", "session", "sessions", "callback", "register", "registration", "join", "accept", "welcome", "onboarding", "share", "action", "account", "accounts", "anmelden", "registrieren", "connexion", "acceder", "accedi", "entrar"]);

/** After these a number of six digits is a code. */
export const codeWords: ReadonlySet<string> = new Set(["verify", "otp", "code", "confirm", "verification", "magic"]);

/** In addresses with such a segment a hash names a version of a file. */
export const fileSegments: ReadonlySet<string> = new Set(["commit", "commits", "blob", "tree", "blame", "raw", "compare", "archive", "static", "assets", "images", "img", "dist"]);

/** Hosts whose address is an invitation. */
export const inviteHosts: ReadonlySet<string> = new Set(["discord.gg", "chat.whatsapp.com", "join.skype.com", "join.slack.com"]);

/** Keys of links that let someone in, and of many others. */
export const shortKey =
  /^(?:code|key|k|t|tok|hash|h|c|s|i|x|v|id|data|link|invite|ticket|p|r|rp|oob|auth|login|secret|u|uid|e|l|q|a|otc|ott|sesame|m|jti|vt|ct)$/i;

/** Keys of links to sign in that hold what everyone may know. */
export const notSecret =
  /client|redirect|return|continue|callback|next|scope|lang|locale|response|audience|tenant|realm|^(?:utm|mc|ref|src|from)|campaign|source|theme|version|email|mail|name$/i;

/** A value of such a key says what the link is for. */
export const telling = /(?<![A-Za-z])(?:mode|action|type|do|op|view|step|purpose|flow|route|page|act)(?:=|%3D)([A-Za-z_-]{2,48})/gi;
