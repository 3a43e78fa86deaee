import { createFileRoute } from "@tanstack/react-router";
import { ContactForm } from "~/features/content/contact-form";
import { ContentScreen } from "~/features/content/page";

export const Route = createFileRoute("/_default/contact-us")({
  component: () => (
    <ContentScreen id="contact-us">
      <ContactForm />
    </ContentScreen>
  ),
});
