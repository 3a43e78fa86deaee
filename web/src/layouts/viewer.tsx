import { lazy, Suspense } from "react";
import { useViewed } from "~/shared/media/viewer";

const ViewerDialog = lazy(() => import("./viewer-dialog"));

/** What is looked at large, over any page. */
export function Viewer() {
  const viewed = useViewed();
  return <Suspense>{viewed ? <ViewerDialog viewed={viewed} /> : null}</Suspense>;
}
