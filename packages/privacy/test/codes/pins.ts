/** PINs; `*` is a number of four digits. */
export const pins: readonly string[] = [
  "PIN: *", "PIN *", "pin: *", "PIN code: *", "PIN number: *", "my pin is *", "Your PIN is *", "The PIN is *.", "PIN\n*", "PIN:\n*", "PIN\n\n*", "PIN\t*", "| PIN | * |", "* (PIN)", "* (your PIN)", "pin=*", "PIN=\"*\"", "{\"pin\":\"*\"}", "{\"pin\": *}", "\"{\\\"pin\\\":\\\"*\\\"}\"", "userPin: \"*\"", "card_pin=*", "pin_code: *", "PUK: *9213", "PIN-Code: *", "Geheimzahl: *", "Ihre PIN lautet *", "Code PIN : *", "Votre code PIN est *", "Código PIN: *", "Tu PIN es *", "Codice PIN: *", "Il PIN è *", "Seu PIN é *", "ПИН-код: *", "Ваш ПИН-код: *", "暗証番号：*", "暗証番号は*です", "Name\tPIN\nAda\t*", "| Name | PIN |\n|---|---|\n| Ada | * |", "Name,PIN\nAda,*", "SIM PIN: *", "**PIN:** *", "PIN - *", "PIN → *", "voicemail pin: *", "export PIN='*'",
];

/** Numbers that are no PINs. */
export const noPins: readonly string[] = [
  "pinned: 4711", "pin 4 of the chip", "shipping: 12345", "pin the tab", "pins 1 to 8", "a pin header with 2 rows", "GPIO pin 17", "pinMode(13, OUTPUT)", "PIN 13 is the LED", "spin: 4500", "opinion 1234", "Pinterest has 4500 pins", "bowling pin 2019", "push pins, 1000 pieces", "pin count: 64", "pin-compatible 7400", "The PIN has 4 digits", "Enter your PIN", "PIN must be 4 digits", "forgot PIN?", "Shopping 2024", "pine 4711", "pinot noir 2019", "map pin, 4711 reviews", "pin to 1.2.3.4567", "pin version 2024.11", "npm pin 4.17.21", "safety pin 25 mm", "ball pin hammer 4500", "hairpin 4711", "underpinning 2019", "PIN: ****", "pin: null", "pin: string", "pin_length = 6", "the pin of 1998", "lapel pin, 2024 edition", "pins.length > 4711", "rolling pin: 30 cm", "PIN entry device",
];
