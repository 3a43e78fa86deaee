import type { Chart } from "./chart";
import { activationV1 } from "./charts/activation_v1.chart";
import { activationV2 } from "./charts/activation_v2.chart";
import { activationV3 } from "./charts/activation_v3.chart";
import { caseV1 } from "./charts/case_v1.chart";
import { firmwareV1 } from "./charts/firmware_v1.chart";
import { firmwareV2 } from "./charts/firmware_v2.chart";
import { invitationV1 } from "./charts/invitation_v1.chart";
import { invoicePaymentV1 } from "./charts/invoice_payment_v1.chart";
import { invoicePaymentV2 } from "./charts/invoice_payment_v2.chart";
import { placementV1 } from "./charts/placement_v1.chart";
import { placementV2 } from "./charts/placement_v2.chart";
import { placementV3 } from "./charts/placement_v3.chart";
import { placementV4 } from "./charts/placement_v4.chart";
import { purchaseV1 } from "./charts/purchase_v1.chart";
import { purchaseV2 } from "./charts/purchase_v2.chart";
import { purchaseV3 } from "./charts/purchase_v3.chart";

/** Every chart that this page knows, by its id. A run ends on the version it began with. */
export const CHARTS: Readonly<Record<string, Chart>> = {
  activation_v1: activationV1,
  activation_v2: activationV2,
  activation_v3: activationV3,
  firmware_v1: firmwareV1,
  firmware_v2: firmwareV2,
  invitation_v1: invitationV1,
  invoice_payment_v1: invoicePaymentV1,
  invoice_payment_v2: invoicePaymentV2,
  placement_v1: placementV1,
  placement_v2: placementV2,
  placement_v3: placementV3,
  placement_v4: placementV4,
  case_v1: caseV1,
  purchase_v1: purchaseV1,
  purchase_v2: purchaseV2,
  purchase_v3: purchaseV3,
};

/** The chart of a run; undefined for a version that is newer than this page. */
export function chartNamed(kind: string, version: number): Chart | undefined {
  return CHARTS[`${kind}_v${version}`];
}
