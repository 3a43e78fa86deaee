/** The page is looked at again, and asks anew for what is not fresh. */
export function lookAgain(): void {
  window.dispatchEvent(new Event("visibilitychange"));
}
