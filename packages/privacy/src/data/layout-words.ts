/** What may end a label. */
export const labelRest =
  /[ _.-]{0,2}(?:numbers?|nummer|nr\.?|num\.?|no\.?|n[.°º]|#|№|id|codes?|код|value|key|address|adresse|号码|號碼|番号|号|번호|(?<=[ _.-])[0-9]{1,2}(?![A-Za-z0-9.,/%-]))/iy;
/** How to fill in a field, or another name of it: `(DD/MM/YYYY)`, `(CVV)`, `on file`. */
export const labelHint = /[ \t]{0,2}\([^()\n]{0,40}\)/y;
/** Words that join a label and its value. */
export const joiningWords =
  /^(?:is|was|are|equals|ist|lautet|sind|es|est|er|jest|wynosi|to|no?|nr|number|nummer|id|codes?|value|key|address|adresse)(?![a-z])|^[a-z2-7]{4} [a-z2-7]{4}/;
export const copula =
  /(?:(?:is|was|are|equals|ist|lautet|sind|es|est|è|é|son|sont|sono|são|er|är|jest|wynosi|to)(?: now| le)?(?=[ :])|A:(?= )|は|是|为|為|는|은|이|가)/iy;
/** Words of a button that stands between a label and its value: `PIN`, `Copy`, `4711`. */
export const buttonWord = /(?:copy|show|hide|reveal|kopieren|anzeigen|copier|afficher|copiar|mostrar|copia|mostra|копировать|показать|复制|显示|コピー|表示)/iy;
/** What ends the words that go on with a label, and such words: `code for your card:`, `code to enter the building is`. */
export const phraseEnd = /:| (?:is|ist|lautet|est|es|è|é|=)(?= )/gi;
export const labelPhrase = /(?: [A-Za-z@.'\u0080-\uffff-]{1,24}){1,5}(?= ?:| (?:is|ist|lautet|est|es|è|é) )/iy;
/** What comes after a value that a sentence ends with. */
export const sentenceEnd = /["'`*_)]{0,3}(?:[.,;!?]|[ \t]{0,4}(?:[\r\n]|$)| (?:and|und|et|y|e)(?= )| [(–—-])/iy;
/** The second of two labels: `PIN/PUK:`. */
export const labelJoint = /[ ]?[/&+] ?[\p{L}0-9]{2,12}(?= ?[:=])/uy;
/** The value at the end of an item of a list on one line. */
export const listValue =
  /(?<![^\s,;/|:–])(?=[^\s,;/|:–]{0,12}[0-9])[^\s,;/|:–]{1,24}(?=[ ]{0,2}(?:[,;/|]|(?:and|und|et|y)[ ]|$))/g;
/** A line of a list, up to its value: `Front door: 4711`. */
export const lineValue = /\n[^\n:]{1,40}?(?:: ?| [–—-] )(?:[^\s:]{1,40} \/ )?([^\s:]{3,64})(?=[ \t\r]{0,2}(?:\n|$))/g;
/** From a label in a question to the end of its line; no code. */
export const restOfQuestion = /[^\n?？=(){}[\];:&$]{0,60}[?？][^\n?？=(){}[\];:&$]{0,40}/y;
/** From a label that is asked for in a conversation to the end of the line, and what the line says before it: `Tom: what's the gate`. */
export const restOfRequest = /[^\n?？=(){}[\];:&$.,]{0,30}(?=\r?\n)/y;
export const requestBefore =
  /(?<=(?:[:\]>] |：)(?:hey |hi |also )?(?:what['’]?s?|which|can|and|und|was|wie|quel(?:le)?|c['’]est quoi|et|cu[aá]l|necesito|y|qual|e|какой|скинь|и)[ ][^\n:：]{0,60})/iy;
/** What stands before an answer in a line below: `[14:02] Tom:`, `it's`. */
export const answerLead = /\r?\n{1,2}[ \t]{0,8}(?:[^\n]{0,40}(?:[:\]>][ ]|：))?(?:(?:sure|yes|yep|ok|klar|ja|oui|s[ií]|sim|claro|да)[,.!]? )?(?:(?:it['’]?s|it is|es ist|c['’]est|es|è|é) )?/iy;
/** Behind the name of who says it. */
export const afterSpeaker = /(?<=(?:[:\]>] |：)[^\n:]{0,16})/y;
export const answerEnd = /^[.!#*)"'`\s]{0,4}$/;
export const restOfLine = /[^\r\n]{0,100}/y;
/** Another line or cell, behind a value and before a label. */
export const neighbourAfter = /[ \r]{0,2}(?:[\n\t|]|\\n)[\s|]{0,8}[^\s|]/y;
export const neighbourBefore = /(?<=[^\s|][ \r]{0,2}(?:[\n\t|]|\\n)[\s|]{0,8}[^\n\t|]{0,32})/y;
