import { createFileRoute } from "@tanstack/react-router";
import { WaitsMark } from "~/features/activation/parts/waits-mark";
import { KeptScreen } from "~/features/wiring/kept-screen";
import { WaitingNote } from "~/layouts/waiting-note";

export const Route = createFileRoute("/_plain/offline")({ component: Offline });

function Offline() {
  return (
    <>
      <WaitingNote />
      <KeptScreen waits={(id) => <WaitsMark id={id} />} />
    </>
  );
}
