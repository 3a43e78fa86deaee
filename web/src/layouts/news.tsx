import { useQuery } from "@tanstack/react-query";
import { Carousel } from "~/features/content/carousel";
import { type Scope, startPageQuery } from "~/features/desk/queries";

/** What is new: for whoever is known it comes last, and is asked for once what waits is there (shell spec 2). */
export function News({ scope }: { scope: Scope }) {
  const { isSuccess } = useQuery({ ...startPageQuery(scope), enabled: false });
  return isSuccess ? <Carousel /> : null;
}
