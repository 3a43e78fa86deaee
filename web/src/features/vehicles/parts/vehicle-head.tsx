import { Trans } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { LazyImage } from "~/shared/ui/pictures/lazy-image";
import type { InternalWiring } from "../types";
import classes from "../wiring.module.css";

/** The vehicle's picture, or else what would stand for it, its tech tip and its documents. */
export function VehicleHead({ internal }: { internal: InternalWiring }) {
  return (
    <div className={classes.head}>
      {internal.image ? (
        <LazyImage
          url={internal.image}
          alt={internal.vehicle_description}
          className={classes.image}
        />
      ) : null}
      <div>
        {internal.vehicle_description && !internal.image ? (
          <p lang="en">{internal.vehicle_description}</p>
        ) : null}
        {internal.description ? (
          <p>
            <strong>
              <Trans>Tech tip</Trans>
            </strong>{" "}
            <span lang="en">{internal.description}</span>
          </p>
        ) : null}
        <Documents documents={internal.vehicle_documents} />
      </div>
    </div>
  );
}

export function Documents({ documents }: { documents: InternalWiring["vehicle_documents"] }) {
  if (documents.length === 0) return null;
  return (
    <ul className={classes.documents}>
      {documents.map(({ slug, title, kind, folder }) => (
        <li key={slug}>
          <Link to="/installer-guides" search={{ folder, document: slug }}>
            {title}
          </Link>{" "}
          <small>{kind}</small>
        </li>
      ))}
    </ul>
  );
}
