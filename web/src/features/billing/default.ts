import { msg } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { dismiss, tell, tellProblem } from "~/shared/alerts/alerts";
import { changeMethod } from "~/shared/payments/calls";
import { nameOf } from "~/shared/payments/method-words";
import { askForMethods, methodsQuery } from "~/shared/payments/queries";
import type { PaymentMethods, SavedMethod } from "~/shared/payments/types";

/** Makes a method the default at once on the screen, takes it back when the server refuses, and offers to undo it. */
export function useDefault() {
  const { i18n } = useLingui();
  const cache = useQueryClient();

  async function become(method: SavedMethod): Promise<SavedMethod | undefined> {
    await cache.cancelQueries({ queryKey: methodsQuery.queryKey });
    const held = cache.getQueryData<PaymentMethods>(methodsQuery.queryKey);
    if (held) cache.setQueryData(methodsQuery.queryKey, withDefault(held, method.id));
    try {
      await changeMethod(method, { isDefault: true });
      await askForMethods(cache);
    } catch (cause) {
      if (held) cache.setQueryData(methodsQuery.queryKey, held);
      void tellProblem(cause);
      return undefined;
    }
    return held?.results.find(({ isMain }) => isMain);
  }

  return async function choose(method: SavedMethod): Promise<void> {
    const before = await become(method);
    if (!before || before.id === method.id) return;
    const name = nameOf(method, i18n);
    const told = tell({
      content: i18n._(msg`${name} is the default now.`),
      type: "success",
      action: {
        label: msg`Undo`,
        run: () => {
          dismiss(told);
          void become(before);
        },
      },
    });
  };
}

/** Exactly one is the default (shop spec 4.8), and it is shown to those who order. */
export function withDefault(methods: PaymentMethods, id: string): PaymentMethods {
  return {
    ...methods,
    results: methods.results.map((one) => ({
      ...one,
      isMain: one.id === id,
      isHidden: one.isHidden && one.id !== id,
    })),
  };
}
