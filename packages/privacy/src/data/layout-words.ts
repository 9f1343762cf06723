/** What may end a label. */
export const labelRest =
  /[ _.-]{0,2}(?:numbers?|nummer|nr\.?|num\.?|no\.?|n[.°º]|#|№|id|codes?|код|value|key|address|adresse|号码|號碼|番号|号|번호)/iy;
/** How to fill in a field, or another name of it: `(DD/MM/YYYY)`, `(CVV)`, `on file`. */
export const labelHint = /[ \t]{0,2}\([^()\n]{0,40}\)/y;
/** Words that join a label and its value. */
export const joiningWords =
  /^(?:is|was|are|equals|ist|lautet|sind|es|est|er|jest|wynosi|to|no?|nr|number|nummer|id|codes?|value|key|address|adresse)(?![a-z])|^[a-z2-7]{4} [a-z2-7]{4}/;
export const copula =
  /(?:(?:is|was|are|equals|ist|lautet|sind|es|est|è|é|son|sont|sono|são|er|är|jest|wynosi|to)(?: now)?(?=[ :])|A:(?= )|は|是|为|為|는|은|이|가)/iy;
/** Words of a button that stands between a label and its value: `PIN`, `Copy`, `4711`. */
export const buttonWord = /(?:copy|show|hide|reveal|kopieren|anzeigen|copier|afficher|copiar|mostrar|copia|mostra|копировать|показать|复制|显示|コピー|表示)/iy;
