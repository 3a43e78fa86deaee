import { useEffect, useRef, useState } from "react";
import { CONSTANTS } from "~/shared/constants";

type LazyImageProps = { url: string; alt: string; className?: string };

/** A picture that is fetched when it comes within 150 px of the view. */
export function LazyImage({ url, alt, className }: LazyImageProps) {
  const place = useRef<HTMLImageElement>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    const image = place.current;
    if (!image) return;
    if (typeof IntersectionObserver === "undefined") {
      setNear(true);
      return;
    }
    const watcher = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) setNear(true);
      },
      { rootMargin: `${CONSTANTS.lazyImageMargin}px` },
    );
    watcher.observe(image);
    return () => watcher.disconnect();
  }, []);
  return <img ref={place} src={near ? url : undefined} alt={alt} className={className} />;
}
