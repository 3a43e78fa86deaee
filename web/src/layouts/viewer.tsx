import { closeViewer, useViewed } from "~/shared/media/viewer";
import { fetchedDialog } from "~/shared/ui/fetched";

const ViewerDialog = fetchedDialog(() => import("./viewer-dialog"));

/** What is looked at large, over any page. */
export function Viewer() {
  const viewed = useViewed();
  return viewed ? <ViewerDialog {...viewed} onClose={closeViewer} /> : null;
}
