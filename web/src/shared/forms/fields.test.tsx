import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { Problem } from "~/shared/api/errors";
import { CONSTANTS } from "~/shared/constants";
import { show } from "~/testing/show";
import { boxed, capitals, useFields } from "./fields";
import { hasUnsaved } from "./unsaved";

type FormProps = { onSent?: (texts: Record<string, string>) => void; refused?: Problem };

function Form({ onSent = () => undefined, refused }: FormProps) {
  const form = useFields({
    email: { rules: ["required", "email"] },
    code: { rules: [], shape: capitals },
    password: { rules: ["password"], verbatim: true },
  });
  const sent = (texts: typeof form.texts) => (refused ? form.refuse(refused) : onSent(texts));
  return (
    <form onSubmit={form.submit(sent)} noValidate>
      {(["email", "code", "password"] as const).map((name) => {
        const { error, withAsterisk: _, ...field } = form.field(name);
        return (
          <label key={name}>
            {name}
            <input {...field} aria-invalid={Boolean(error)} />
            {error}
          </label>
        );
      })}
      <button type="submit">Send</button>
      <button type="button" onClick={form.reset}>
        Clear
      </button>
    </form>
  );
}

const email = () => screen.getByRole("textbox", { name: /email/ });
const send = () => fireEvent.click(screen.getByRole("button", { name: "Send" }));

afterEach(() => {
  vi.useRealTimers();
});

test("a fault waits until typing has stopped, and goes as soon as one types on", async () => {
  vi.useFakeTimers();
  show(<Form />);
  fireEvent.change(email(), { target: { value: "ivan@" } });
  await act(() => vi.advanceTimersByTimeAsync(CONSTANTS.validationDelay - 1));
  expect(email()).toBeValid();
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(email()).toBeInvalid();
  fireEvent.change(email(), { target: { value: "ivan@t" } });
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(email()).toBeValid();
});

test("faults show at once when the form is sent, the first has the focus, and nothing is sent", async () => {
  const onSent = vi.fn();
  show(<Form onSent={onSent} />);
  send();
  expect(await screen.findByText(/Required field/)).toBeVisible();
  await waitFor(() => expect(email()).toHaveFocus());
  expect(onSent).not.toHaveBeenCalled();
});

function PhoneForm() {
  const form = useFields({ phone: { rules: ["phone"], initial: "+16045550100" } });
  const { error, withAsterisk: _, ...field } = form.field("phone");
  return (
    <label>
      phone
      <input {...field} />
      {error}
    </label>
  );
}

test("a phone number is shown in the form of the specs, at first and once it was typed", async () => {
  show(<PhoneForm />);
  const phone = screen.getByRole("textbox");
  expect(phone).toHaveValue("(604) 555 - 0100");
  await userEvent.clear(phone);
  await userEvent.type(phone, "250-555-0199");
  await userEvent.tab();
  await waitFor(() => expect(phone).toHaveValue("(250) 555 - 0199"));
});

test("what passes is sent without emoji, in capitals where asked, and verbatim where asked", async () => {
  const onSent = vi.fn();
  show(<Form onSent={onSent} />);
  await userEvent.type(email(), "ivan@turnkey.example\u{1f600}");
  await userEvent.type(screen.getByRole("textbox", { name: "code" }), "h2x 1y4");
  fireEvent.change(screen.getByRole("textbox", { name: "password" }), {
    target: { value: "Garage-Lantern-26\u{1f600}" },
  });
  send();
  await waitFor(() => expect(onSent).toHaveBeenCalledTimes(1));
  expect(onSent).toHaveBeenCalledWith({
    email: "ivan@turnkey.example",
    code: "H2X 1Y4",
    password: "Garage-Lantern-26\u{1f600}",
  });
});

test("the server's faults stand at their fields until these are changed", async () => {
  const body = {
    code: "password_invalid",
    reason: "common",
    validation_errors: [
      { field: "password", message: "Password invalid" },
      { field: "unknown", message: "Required field" },
    ],
  };
  show(<Form refused={new Problem(422, body)} />);
  await userEvent.type(email(), "ivan@turnkey.example");
  const password = screen.getByRole("textbox", { name: /password/ });
  await userEvent.type(password, "Password-1");
  send();
  await waitFor(() => expect(password).toBeInvalid());
  expect(password).toHaveFocus();
  expect(screen.getByText(/one of the passwords that are guessed first/)).toBeVisible();
  await userEvent.type(password, "2");
  await waitFor(() => expect(password).toBeValid());
});

test("a fault that waited does not come into a form that was cleared", async () => {
  vi.useFakeTimers();
  show(<Form />);
  fireEvent.change(email(), { target: { value: "ivan@" } });
  await act(() => vi.advanceTimersByTimeAsync(CONSTANTS.validationDelay - 1));
  fireEvent.click(screen.getByRole("button", { name: "Clear" }));
  await act(() => vi.advanceTimersByTimeAsync(CONSTANTS.validationDelay * 2));
  expect(email()).toHaveValue("");
  expect(email()).toHaveAttribute("aria-invalid", "false");
});

test("what was typed is unsaved until it is cleared", async () => {
  show(<Form />);
  expect(hasUnsaved()).toBe(false);
  await userEvent.type(email(), "ivan");
  expect(hasUnsaved()).toBe(true);
  fireEvent.click(screen.getByRole("button", { name: "Clear" }));
  expect(hasUnsaved()).toBe(false);
  expect(email()).toHaveValue("");
});

type SizesProps = { onSent: (texts: Record<string, string>, pressed: string) => void };

function Sizes({ onSent }: SizesProps) {
  const above = (text: string, { least = "" }: Readonly<Record<string, string>>) =>
    Number(text) > Number(least) ? undefined : `More than ${least}`;
  const form = useFields({
    least: { rules: ["required"], initial: "3" },
    most: { rules: ["required", above], shape: (typed) => typed.replaceAll(/[^0-9]/g, "") },
    firm: { rules: [], initial: boxed(true) },
  });
  const most = form.field("most");
  return (
    <form onSubmit={form.submit(onSent)} noValidate>
      <label>
        most
        <input name="most" value={most.value} onChange={most.onChange} />
      </label>
      {most.error}
      <label>
        firm
        <input type="checkbox" {...form.box("firm")} />
      </label>
      <button type="button" onClick={() => form.set("most", "")}>
        Empty
      </button>
      <button type="submit" value="keep">
        Keep
      </button>
      <button type="submit" value="try">
        Try
      </button>
    </form>
  );
}

test("a rule sees the other texts, a box is a text, and the work hears which button was pressed", async () => {
  const onSent = vi.fn();
  show(<Sizes onSent={onSent} />);
  const most = screen.getByRole("textbox", { name: "most" });
  await userEvent.type(most, "2 m");
  await userEvent.click(screen.getByRole("button", { name: "Try" }));
  expect(await screen.findByText("More than 3")).toBeVisible();
  expect(most).toHaveFocus();
  await userEvent.type(most, "0");
  await userEvent.click(screen.getByRole("checkbox", { name: "firm" }));
  await userEvent.click(screen.getByRole("button", { name: "Try" }));
  expect(onSent).toHaveBeenCalledExactlyOnceWith({ least: "3", most: "20", firm: "" }, "try");
});

test("what is put by the program is judged when the form is sent", async () => {
  const onSent = vi.fn();
  show(<Sizes onSent={onSent} />);
  await userEvent.type(screen.getByRole("textbox", { name: "most" }), "20");
  await userEvent.click(screen.getByRole("button", { name: "Empty" }));
  expect(screen.queryByText("Required field")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Keep" }));
  expect(await screen.findByText("Required field")).toBeVisible();
  expect(onSent).not.toHaveBeenCalled();
});

type KeptProps = { kept: { name: string; phone: string }; leavable?: boolean };

function Kept({ kept, leavable }: KeptProps) {
  const form = useFields(
    {
      name: { rules: ["required"], initial: kept.name },
      phone: { rules: ["phone"], initial: kept.phone },
    },
    { leavable },
  );
  return (
    <form onSubmit={form.submit(() => undefined)} noValidate>
      <input aria-label="name" {...inputOf(form.field("name"))} />
      <input aria-label="phone" {...inputOf(form.field("phone"))} />
      <button type="button" onClick={form.reset}>
        Clear
      </button>
      <p>{form.dirty ? "dirty" : "clean"}</p>
    </form>
  );
}

function inputOf<Field extends { error?: unknown; withAsterisk: boolean }>(field: Field) {
  const { error: _, withAsterisk: __, ...input } = field;
  return input;
}

test("what nobody changed follows the server, and what was typed stays", async () => {
  const { rerender } = show(<Kept kept={{ name: "Ivan", phone: "+16045550100" }} />);
  rerender(<Kept kept={{ name: "Igor", phone: "+16045550100" }} />);
  const name = screen.getByRole("textbox", { name: "name" });
  const phone = screen.getByRole("textbox", { name: "phone" });
  expect(name).toHaveValue("Igor");
  expect(screen.getByText("clean")).toBeVisible();
  expect(hasUnsaved()).toBe(false);
  await userEvent.type(name, "!");
  rerender(<Kept kept={{ name: "Inga", phone: "+12505550199" }} />);
  expect(name).toHaveValue("Igor!");
  expect(phone).toHaveValue("(250) 555 - 0199");
  expect(hasUnsaved()).toBe(true);
  await userEvent.click(screen.getByRole("button", { name: "Clear" }));
  expect(name).toHaveValue("Inga");
  expect(screen.getByText("clean")).toBeVisible();
  rerender(<Kept kept={{ name: "Ilse", phone: "+12505550199" }} />);
  expect(name).toHaveValue("Ilse");
});

test("a form that may be left keeps its texts, whatever it began with", () => {
  const { rerender } = show(<Kept leavable kept={{ name: "A", phone: "" }} />);
  rerender(<Kept leavable kept={{ name: "AB", phone: "" }} />);
  expect(screen.getByRole("textbox", { name: "name" })).toHaveValue("A");
});
