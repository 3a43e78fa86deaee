import type { PaymentChoice, PaymentMethods, SavedMethod } from "./types";

/** Whether it pays, and is shown to those who order. */
export function isUsable({ isValid, isHidden }: SavedMethod): boolean {
  return isValid && !isHidden;
}

/** The default card or bank account, where it is usable and none of those that were `refused`. */
export function defaultOf(
  methods: PaymentMethods | undefined,
  refused: readonly string[] = [],
): PaymentChoice | undefined {
  const main = methods?.results.find(
    (one) => one.isMain && isUsable(one) && !refused.includes(one.id),
  );
  return main && { type: main.type, method_id: main.id };
}
