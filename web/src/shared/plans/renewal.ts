import { useNavigate } from "@tanstack/react-router";
import { useSend } from "~/shared/api/send";
import { quotePlans } from "./calls";
import { tellRefusal } from "./refused";

/**
 * The same plan again for a device, in one step up to the payment. `leave` is called once its price is known, or why
 * there is none.
 */
export function useRenewal(leave?: () => void) {
  const navigate = useNavigate();
  const { busy, send } = useSend({ alert: tellRefusal });

  async function renew(device_key: string, plan_id: string): Promise<void> {
    await send(async () => {
      const uuid = await quotePlans([{ device_key, plan_id }]).finally(leave);
      await navigate({ to: "/cart/checkout/subscriptions", search: { uuid } });
    }, [device_key, plan_id]);
  }

  return { busy, renew };
}
