import { storageKey } from "~/shared/storage";

/** The cart whose order was placed last, so that its page can be found again without its address (rulings "Screens"). */
export function rememberOrder(userId: string, token: string): void {
  localStorage.setItem(storageKey("checkout_confirm", userId), token);
}

export function rememberedOrder(userId: string): string | undefined {
  return localStorage.getItem(storageKey("checkout_confirm", userId)) ?? undefined;
}
