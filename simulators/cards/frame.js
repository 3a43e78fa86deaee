const asked = new URLSearchParams(window.location.search);
const around = new URL(asked.get("origin")).origin;
const inputs = ["number", "expiry", "cvc"].map((id) => document.getElementById(id));
const [number, expiry, cvc] = inputs;
const digits = (input) => input.value.replace(/[\s/-]/g, "");

function say(message) {
  window.parent.postMessage(message, around);
}

function passesCheck(text) {
  if (!/^\d{12,19}$/.test(text)) return false;
  const sum = [...text].reverse().reduce((total, digit, place) => {
    const worth = Number(digit) * (1 + (place % 2));
    return total + (worth > 9 ? worth - 9 : worth);
  }, 0);
  return sum % 10 === 0;
}

function monthAndYear() {
  const found = /^(0[1-9]|1[0-2])(\d\d)$/.exec(digits(expiry));
  return found ? { month: Number(found[1]), year: 2000 + Number(found[2]) } : undefined;
}

function isOver({ month, year }) {
  const today = new Date();
  return year < today.getFullYear() || (year === today.getFullYear() && month <= today.getMonth());
}

function faultOf(input) {
  if (input === number) return passesCheck(digits(number)) ? "" : number.dataset.fault;
  if (input === cvc) return /^\d{3,4}$/.test(digits(cvc)) ? "" : cvc.dataset.fault;
  const given = monthAndYear();
  if (!given) return expiry.dataset.fault;
  return isOver(given) ? expiry.dataset.expired : "";
}

function show(input, fault) {
  input.setAttribute("aria-invalid", String(fault !== ""));
  document.getElementById(`${input.id}-error`).textContent = fault;
}

async function take({ name, address = {} }) {
  const faults = inputs.map((input) => [input, faultOf(input)]);
  for (const [input, fault] of faults) show(input, fault);
  const first = faults.find(([, fault]) => fault !== "");
  if (first) {
    first[0].focus();
    return say({ type: "error", detail: "" }); // said here already
  }
  const { month, year } = monthAndYear();
  const body = new URLSearchParams({
    type: "card",
    "card[number]": digits(number),
    "card[exp_month]": String(month),
    "card[exp_year]": String(year),
    "card[cvc]": digits(cvc),
  });
  const details = {
    name,
    "address][line1": address.streetAddress1,
    "address][line2": address.streetAddress2,
    "address][city": address.city,
    "address][state": address.state,
    "address][postal_code": address.postalCode,
    "address][country": address.countryCode,
  };
  for (const [field, value] of Object.entries(details)) {
    if (value) body.set(`billing_details[${field}]`, value);
  }
  const answer = await fetch("/cards/v1/payment_methods", {
    method: "POST",
    headers: { Authorization: `Bearer ${asked.get("key")}` },
    body,
  });
  const told = await answer.json();
  if (!answer.ok) return say({ type: "error", detail: told.error?.message ?? "" });
  const { id, card } = told;
  say({
    type: "token",
    paymentMethod: {
      id,
      brand: card.brand,
      last4: card.last4,
      expMonth: card.exp_month,
      expYear: card.exp_year,
    },
  });
}

for (const input of inputs) {
  input.addEventListener("input", () => {
    show(input, "");
    say({ type: "change", complete: inputs.every((one) => faultOf(one) === "") });
  });
  input.addEventListener("change", () => show(input, input.value ? faultOf(input) : ""));
}
document.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
// Tab from the page around it lands on the frame itself, which has nothing to type into.
function intoTheNumber() {
  if (document.hasFocus() && document.activeElement === document.body) number.focus();
}
window.addEventListener("focus", intoTheNumber);
// The fields stand there before this script: whoever is quick is on the frame already.
intoTheNumber();
window.addEventListener("message", (event) => {
  if (event.origin !== around || event.source !== window.parent) return;
  if (event.data?.type === "theme") {
    document.documentElement.dataset.theme = event.data.theme;
  }
  if (event.data?.type === "submit") {
    take(event.data).catch(() => say({ type: "error", detail: "" }));
  }
});
say({ type: "ready" });
