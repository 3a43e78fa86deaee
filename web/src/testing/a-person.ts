import type { SignedInUser, Work } from "~/shared/session/session";

/** An installer of a dealer, unless told otherwise. */
export function aPerson(more: Partial<SignedInUser> = {}): SignedInUser {
  return {
    id: "u1",
    sub: "u1",
    first_name: "Ann",
    last_name: "Lee",
    email: "ann@dealer.example",
    image: null,
    phone_number: null,
    user_type: [{ type: "installer", is_owner: false, is_purchaser: false }],
    subscriber_id: null,
    is_retired: false,
    access_type: null,
    dealer_id: "d1",
    partner_code: "N1001",
    mfa_type: "none",
    roles: ["installer"],
    label: "Installer",
    is_owner: false,
    is_b2c: false,
    is_sales_rep: false,
    is_outside_rep: false,
    is_dealer_primary: false,
    is_dealer_accountant: false,
    purchasing_rights: false,
    ...more,
  };
}

export function aRep(outside = false): SignedInUser {
  return aPerson({
    user_type: [],
    dealer_id: null,
    partner_code: null,
    roles: [outside ? "outside_rep" : "inside_rep"],
    label: "Sales Rep",
    is_sales_rep: true,
    is_outside_rep: outside,
    purchasing_rights: true,
  });
}

/** Working for a business, or still choosing one. */
export function aWork(chosen: boolean, wrongSite = false): Work {
  return {
    must_choose: true,
    impersonated: null,
    business: chosen
      ? {
          id: "harbour",
          code: "N1001",
          company_name: "Harbour Car Audio",
          channel: "dealer-2",
          country: "CA",
          is_wrong_site: wrongSite,
          has_approved_brands: false,
          po_required: false,
        }
      : null,
  };
}
