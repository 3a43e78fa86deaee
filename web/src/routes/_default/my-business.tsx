import { createFileRoute } from "@tanstack/react-router";
import { BusinessScreen } from "~/features/dealers/business-screen";

export const Route = createFileRoute("/_default/my-business")({ component: BusinessScreen });
