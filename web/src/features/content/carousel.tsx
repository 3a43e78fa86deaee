import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type TouchEvent, useRef, useState } from "react";
import type { Language } from "~/i18n/language";
import { isKnown } from "~/shared/navigation/routes";
import { ArrowIcon, BackIcon } from "~/shared/ui/pictures/icons";
import { LazyImage } from "~/shared/ui/pictures/lazy-image";
import classes from "./carousel.module.css";
import { carouselQuery } from "./queries";
import { swiped } from "./swipe";

/** What is new, on the home page. It moves only when asked, by buttons or by a swipe; without slides it is not there. */
export function Carousel() {
  const { t, i18n } = useLingui();
  const slides = useQuery(carouselQuery(i18n.locale as Language)).data?.slides ?? [];
  const [place, setPlace] = useState(0);
  const touched = useRef<number>(undefined);
  const slide = slides[place % Math.max(slides.length, 1)];
  if (!slide) return null;

  const turn = (by: number) => setPlace((was) => (was + by + slides.length) % slides.length);
  function end(event: TouchEvent) {
    const from = touched.current;
    const to = event.changedTouches[0]?.clientX;
    if (from !== undefined && to !== undefined) turn(swiped(from, to));
  }

  return (
    <section
      className={classes.carousel}
      aria-roledescription={t`carousel`}
      aria-label={t`What is new`}
      onTouchStart={(event) => {
        touched.current = event.touches[0]?.clientX;
      }}
      onTouchEnd={end}
    >
      <LazyImage key={slide.image} url={slide.image} alt={slide.alt} className={classes.picture} />
      <div className={classes.words} aria-live="polite">
        <h2>{slide.title}</h2>
        <p>{slide.text}</p>
        {slide.link && slide.link_label && isKnown(slide.link) ? (
          <Link to={slide.link as "/"} className={classes.link}>
            {slide.link_label}
          </Link>
        ) : null}
      </div>
      {slides.length > 1 ? (
        <div className={classes.turn}>
          <button type="button" onClick={() => turn(-1)} aria-label={t`Previous slide`}>
            <BackIcon />
          </button>
          <span>
            <Trans>
              {place + 1} of {slides.length}
            </Trans>
          </span>
          <button type="button" onClick={() => turn(1)} aria-label={t`Next slide`}>
            <ArrowIcon />
          </button>
        </div>
      ) : null}
    </section>
  );
}
