import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Skeleton } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type Problem, problemOf } from "~/shared/api/errors";
import { useSend } from "~/shared/api/send";
import { PlanTermSelector } from "~/shared/plans/choice/plan-term-selector";
import { PlanTypeSelector } from "~/shared/plans/choice/plan-type-selector";
import { OpenPurchases } from "~/shared/plans/purchase/open-purchases";
import { choosePlan, plansQuery, upgradesQuery } from "~/shared/plans/queries";
import { tellRefusal } from "~/shared/plans/refused";
import { type Offer, offerOf, type Subscription } from "~/shared/plans/types";
import { isLost, ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import { Panel } from "~/shared/ui/screens/panel";
import type { Choice, Slide } from "./address";
import { Buyers } from "./parts/buyers";
import { ChosenDevices } from "./parts/chosen-devices";
import { DevicesSlide } from "./parts/devices-slide";
import { PresentPlan } from "./parts/present-plan";
import { Steps } from "./parts/steps";
import classes from "./plans.module.css";

/** The choice of a plan: for which devices, which plan, for how long. Each part has its place in the address. */
export function PlansScreen({ choice }: { choice: Choice }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { devices, slide } = choice;

  /** To another part of the choice, or on with this one: the page stays where it is, and Back leads out of the part. */
  const go = (change: Partial<Choice>) => {
    const next = { ...choice, ...change };
    const stays = next.slide === slide;
    void navigate({
      replace: stays,
      resetScroll: !stays,
      to: "/subscriptions/plans",
      search: {
        device: next.devices.length > 0 ? [...next.devices] : undefined,
        type: next.type,
        plan: next.plan,
        slide: next.slide,
      },
    });
  };
  const titles: Record<Slide, string> = {
    devices: t`For which devices?`,
    "plan-type-selector": t`Which plan?`,
    "plan-term-selector": t`For how long?`,
  };

  return (
    <div className={classes.page}>
      <Heading focusKey={slide}>{titles[slide]}</Heading>
      <Buyers>
        <OpenPurchases />
        <Steps
          at={slide}
          titles={titles}
          open={(one) =>
            one === "devices" ||
            (devices.length > 0 && (one !== "plan-term-selector" || !!choice.type))
          }
          onGo={(one) => go({ slide: one })}
        />
        {slide === "devices" ? (
          <DevicesSlide
            devices={devices}
            onChange={(chosen) => go({ devices: chosen, slide: "devices" })}
            onDone={() => go({ slide: "plan-type-selector" })}
          />
        ) : (
          <PlanSlides choice={choice} onGo={go} />
        )}
      </Buyers>
    </div>
  );
}

type PlanSlidesProps = { choice: Choice; onGo: (change: Partial<Choice>) => void };

/** One device is asked what it may have; several choose among all plans, and the mock run judges each. */
function PlanSlides({ choice, onGo }: PlanSlidesProps) {
  const [only = "", ...others] = choice.devices;
  const single = others.length === 0;
  const all = useQuery({ ...plansQuery, enabled: !single });
  const own = useQuery({ ...upgradesQuery(only), enabled: single });
  const asked = single ? own : all;
  const offers = single
    ? own.data?.results.map(offerOf)
    : all.data?.results.map((group): Offer => group);
  const failure = asked.isError ? (
    <NotOffered problem={problemOf(asked.error)} onRetry={() => void asked.refetch()} />
  ) : null;
  if (isLost(asked)) return failure;
  if (!offers) return <Skeleton height={320} radius="lg" />;
  const present = own.data?.present ?? undefined;
  return (
    <>
      {failure}
      <Offered choice={choice} offers={offers} present={present} onGo={onGo} />
    </>
  );
}

function NotOffered({ problem, onRetry }: { problem: Problem; onRetry: () => void }) {
  return <ProblemNote problem={problem} onRetry={problem.passing ? onRetry : undefined} />;
}

type OfferedProps = PlanSlidesProps & {
  offers: readonly Offer[];
  present: Subscription | undefined;
};

function Offered({ choice, offers, present, onGo }: OfferedProps) {
  const navigate = useNavigate();
  const cache = useQueryClient();
  const { busy, send } = useSend({ alert: tellRefusal });
  const offer = offers.find(({ slug }) => slug === choice.type);
  const planId = offer?.terms.find(({ id }) => id === choice.plan)?.id;

  async function keep(to: "/cart" | "/cart/checkout/subscriptions") {
    if (!planId) return;
    await send(async () => {
      for (const device of choice.devices) await choosePlan(cache, device, planId);
      const device = [...choice.devices];
      await navigate(to === "/cart" ? { to } : { to, search: { device } });
    });
  }

  if (offers.length === 0)
    return (
      <Panel className={classes.panel}>
        {present ? <PresentPlan of={present} /> : null}
        <p role="status">
          <Trans>There is no plan for this device at the moment.</Trans>
        </p>
      </Panel>
    );
  return (
    <>
      <ChosenDevices devices={choice.devices} onChange={() => onGo({ slide: "devices" })} />
      {present ? <PresentPlan of={present} /> : null}
      {choice.slide === "plan-type-selector" || !offer ? (
        <>
          <PlanTypeSelector
            switched
            plans={offers}
            value={offer?.slug}
            present={present?.plan_slug}
            term={offer?.terms.find(({ id }) => id === choice.plan)?.term}
            onChange={(type, plan) => onGo({ type, plan })}
          />
          <div className={classes.actions}>
            <Button
              size="lg"
              disabled={!offer}
              onClick={() => onGo({ slide: "plan-term-selector" })}
            >
              <Trans>Choose the term</Trans>
            </Button>
          </div>
        </>
      ) : (
        <>
          <p className={classes.soft}>
            <Trans>
              {offer.display_name}, for each device, before tax. What the device has left of its
              present plan is taken into account at checkout.
            </Trans>
          </p>
          <PlanTermSelector plan={offer} value={planId} onChange={(plan) => onGo({ plan })} />
          <div className={classes.actions}>
            <Button
              size="lg"
              loading={busy}
              disabled={!planId}
              onClick={() => void keep("/cart/checkout/subscriptions")}
            >
              <Trans>Go to checkout</Trans>
            </Button>
            <Button
              size="lg"
              variant="default"
              disabled={!planId || busy}
              onClick={() => void keep("/cart")}
            >
              <Trans>Add to cart</Trans>
            </Button>
          </div>
        </>
      )}
    </>
  );
}
