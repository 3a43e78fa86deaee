import { createFileRoute } from "@tanstack/react-router";
import { WaitsMark } from "~/features/activation/waiting/waits-mark";
import { KeptScreen } from "~/features/vehicles/kept/kept-screen";
import { WaitingNote } from "~/layouts/notices/waiting-note";
import { query, text } from "~/shared/navigation/query";

export const Route = createFileRoute("/_plain/offline")({
  validateSearch: query({ next: text() }),
  component: Offline,
});

function Offline() {
  const { next } = Route.useSearch();
  return (
    <>
      <WaitingNote />
      <KeptScreen next={next} waits={(id) => <WaitsMark id={id} />} />
    </>
  );
}
