import { PageSkeleton } from "./page-skeleton";

/** Stands for a whole page while not even its frame is there. */
export function Starting() {
  return (
    <main
      id="main"
      tabIndex={-1}
      style={{ width: "min(1120px, 100%)", margin: "0 auto", padding: 24 }}
    >
      <PageSkeleton />
    </main>
  );
}
