import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { PASSWORD } from "./stack";

type Answer = {
  id: string;
  seq: number;
  state: string;
  view?: { step: string; phase: string; plan: string[]; facts: Record<string, unknown> };
};

type Person = { email: string; password?: string };

type Start = { type?: string; advanced?: boolean; consumer_email?: string };

const VEHICLE = { year: 2022, make_id: 1, make: "Acura", model_id: 1, model: "ILX" };

/** What a step is sent on the way to a later one; those without an entry only confirm. */
const SENT: Record<string, unknown> = {
  "set-vehicle-details": VEHICLE,
  "controller-option-tables": { changes: {}, digest: "" },
  "keylocker-option-tables": { changes: {}, digest: "" },
  "keylocker-poc-pic": { changes: {}, digest: "" },
};

const SKIPPED = new Set([
  "check-firmware",
  "reset-keylocker-pairing",
  "keylocker-mode",
  "hardwire-x1max",
  "purchase-plan",
  "device-rewards",
  "send-welcome",
]);

/** A person in a browser who reaches a step by calls, where a journey is about a later one. */
export class Walker {
  private constructor(
    private readonly page: Page,
    private readonly token: string,
  ) {}

  /** Signs in as the page's person; the browser is remembered. */
  static async signIn(page: Page, person: Person): Promise<Walker> {
    const answer = await page.request.post("/v1/auth/sign-in", {
      data: { username: person.email, password: person.password ?? PASSWORD, remember_me: true },
    });
    expect(answer.ok(), await answer.text()).toBe(true);
    const { access_token } = (await answer.json()) as { access_token: string };
    return new Walker(page, access_token);
  }

  /** Starts an activation and opens it where it stands at `step`. */
  async open(deviceKey: string, step: string, start: Start = {}): Promise<string> {
    const { id } = await this.post("", { device_key: deviceKey, type: "new-device", ...start });
    await this.walk(id, step);
    await this.page.goto(`/activation/device?id=${id}`);
    return id;
  }

  /** Sends on what stands before `step`. */
  async walk(id: string, step: string): Promise<void> {
    const present = async () => {
      const answer = await this.look(id);
      const at = answer.view?.step ?? "";
      if (at !== step) await this.sendOn(answer, at);
      return at;
    };
    const wait = { message: `the activation stands at ${step}`, timeout: 60_000, intervals: [100] };
    await expect.poll(present, wait).toBe(step);
  }

  async look(id: string): Promise<Answer> {
    const answer = await this.get(`/v1/activations/${id}`);
    return (await answer.json()) as Answer;
  }

  private async sendOn({ id, seq, view }: Answer, step: string): Promise<void> {
    if (!view?.plan.includes(step) || view.phase !== "ready") return;
    if (SKIPPED.has(step)) await this.post(`/${id}/skip`, { step, seq, reason: "not needed here" });
    else await this.post(`/${id}/submit`, { step, seq, data: SENT[step] ?? {} });
  }

  /** Any call that changes something, as this person. */
  async call(path: string, data: unknown): Promise<unknown> {
    const answer = await this.page.request.post(path, {
      headers: { ...this.headers, "Idempotency-Key": randomUUID() },
      data,
    });
    expect(answer.status(), await answer.text()).toBeLessThan(300);
    return answer.status() === 204 ? undefined : answer.json();
  }

  /** What an address answers to this person; null where it answers nothing. */
  async read(path: string): Promise<unknown> {
    const answer = await this.get(path);
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer.status() === 204 ? null : answer.json();
  }

  private async post(path: string, data: unknown): Promise<Answer> {
    return (await this.call(`/v1/activations${path}`, data)) as Answer;
  }

  /** Again where a connection that lay idle is closed at that very moment. */
  private get(path: string) {
    return this.page.request.get(path, { headers: this.headers, maxRetries: 2 });
  }

  private get headers() {
    return { Authorization: `Bearer ${this.token}` };
  }
}
