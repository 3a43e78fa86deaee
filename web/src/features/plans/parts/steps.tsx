import { useLingui } from "@lingui/react/macro";
import { SLIDES, type Slide } from "../address";
import classes from "./steps.module.css";

type StepsProps = {
  at: Slide;
  titles: Record<Slide, string>;
  /** Whether a slide can be gone to. */
  open: (slide: Slide) => boolean;
  onGo: (slide: Slide) => void;
};

/** Where one is in the choice, and the way to its other parts. */
export function Steps({ at, titles, open, onGo }: StepsProps) {
  const { t } = useLingui();
  return (
    <nav aria-label={t`Parts of the choice`}>
      <ol className={classes.steps}>
        {SLIDES.map((slide, place) => (
          <li key={slide}>
            <button
              type="button"
              aria-current={slide === at ? "step" : undefined}
              disabled={!open(slide)}
              onClick={() => onGo(slide)}
            >
              <span aria-hidden="true">{place + 1}</span>
              {titles[slide]}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
