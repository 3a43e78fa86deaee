import { expect, test } from "vitest";
import { wordsOf } from "./words";

const TEXTS: [string, string][] = [
  ["Save", "Enregistrer"],
  ["Save the name", "Enregistrer le nom"],
  ["Cancel", "Annuler"],
  ["Name", "Nom"],
  ["Hi, {name}", "Bonjour {name}"],
  ["Add to cart: {name}", "Ajouter au panier : {name}"],
  [
    "{0, plural, one {# product was added} other {# products were added}}",
    "{0, plural, one {# produit a été ajouté} other {# produits ont été ajoutés}}",
  ],
  ["Pay {amount}", "Payer {amount}"],
  ["Fits {car} with: {list}", "Convient à {car} avec : {list}"],
  ["We could not reach <0>{name}</0>.", "Impossible de joindre <0>{name}</0>."],
  ["Discount", "Remise"],
  ["Shipping", "Expédition"],
  ["Shipping: {way}", "Livraison : {way}"],
  ["Ground", "Terrestre"],
  ["Monitor", "Moniteur"],
  ["Registered already? <0>Log in</0>.", "Déjà inscrit? <0>Connectez-vous</0>."],
  ["Page {number}", "Page {number}"],
  ["Not Found", "Introuvable"],
  ["Page Not Found", "Page introuvable"],
  ["The hood is shut, and its pin is in.", "Le capot est fermé, et son contact aussi."],
  ["The one waits for the other.", "L’un attend l’autre."],
  ["The one waits for the other and goes on.", "L’un attend l’autre et continue."],
];
const id = (_: unknown, at: number) => `text${at}`;
const english = Object.fromEntries(TEXTS.map(([en], at) => [id(en, at), en]));
const french = Object.fromEntries(TEXTS.map(([, fr], at) => [id(fr, at), fr]));
const words = wordsOf(english, french);

/** What is asked finds this on a page. */
function finds(asked: string | RegExp, text: string, whole = false) {
  const wanted = words(asked, whole ? "whole" : "part");
  if (typeof wanted !== "string") return wanted.test(text);
  return whole ? wanted === text : text.toLowerCase().includes(wanted.toLowerCase());
}

test.each([
  ["Save", "Enregistrer", "Save"],
  ["save the NAME", "Enregistrer le nom", "Enregistrer"],
  ["could not reach", "Impossible de joindre ACME.", "Impossible à dire"],
  ["Hi, Noor", "Bonjour Noor", "Bonjour Ivan"],
  ["Fits a Camry with:", "Convient à a Camry avec : rien", "Convient à a Civic avec : rien"],
  ["Ito", "Kenji Ito", "Moniteur"],
  ["Name", "Nom de famille", "Prénom"],
  ["Shipping: Ground", "Livraison : Terrestre", "Livraison : Express"],
  ["$1,026.00", "1\u202f026,00\u00a0$", "$1,026.00"],
  ["Save: $98.00", "Enregistrer : 98,00 $", "Save: 98,00 $"],
  ["Log in", "Connectez-vous", "Log in"],
  ["Page Not Found | Shop", "Page introuvable | Shop", "Page Not Found | Shop"],
  ["Shipping: Parcel", "Livraison : Parcel", "Shipping: Parcel"],
  ["The one waits for the other", "L’un attend l’autre.", "The one waits for the other."],
  ["The one waits for the other", "L’un attend l’autre et continue.", "L’un attend"],
  ["hood is shut", "Le capot est fermé, et son contact aussi.", "The hood is shut"],
  ["Hood", "Le capot est fermé, et son contact aussi.", "Le capot"],
  ["Hood", "Hood pin", "Neighbourhood"],
])("%s is found in %s and not in %s", (asked, there, elsewhere) => {
  expect(finds(asked, there)).toBe(true);
  expect(finds(asked, elsewhere)).toBe(false);
});

test.each([
  [/^Hi, /, "Bonjour Noor", "Et Bonjour"],
  [/^Add to cart: /, "Ajouter au panier : Sirène", "Add to cart: Sirène"],
  [/^\d+ products? (was|were) added$/, "2 produits ont été ajoutés", "aucun produit ajouté"],
  [/^Pay \$/, "Payer 98,00 $", "Payer"],
  [/^Pay \$98\.00/, "Payer 98,00 $", "Payer 99,00 $"],
  [/Discount\s*-\$\d/, "Remise-2,00 $", "Remise 2"],
  [/Save|Cancel/, "Annuler", "Cancel"],
  [/^Fits .* with: \w/, "Convient à une Camry avec : rien", "Convient à une Camry"],
  [/^Page \d\+?$/, "Page 9+", "Page 9 de 9"],
  [/5 % off from \$1,000: -\$/, "5 % off from $1,000 : -2,00 $", "5 % off from $1,000: -$2.00"],
  [/0341/, "•••• 0341", "•••• 0342"],
])("%s finds %s and not %s", (asked, there, elsewhere) => {
  expect(finds(asked, there)).toBe(true);
  expect(finds(asked, elsewhere)).toBe(false);
});

test("a text that is asked for as a whole is no part of another", () => {
  expect(finds("Save", "Enregistrer", true)).toBe(true);
  expect(finds("Save", "Enregistrer le nom", true)).toBe(false);
});

test("what is no message is looked for as it stands", () => {
  expect(words("2022 Toyota Camry")).toBe("2022 Toyota Camry");
  expect(words("Remote $tart", "whole")).toBe("Remote $tart");
  expect(words(/^T-\d+$/)).toEqual(/^T-\d+$/);
});
