/** Forms and links that only those see who may use them: by the right of the route that they lead to. */
import type { Child } from "hono/jsx";
import type { Visitor } from "../shared/page-context.ts";

interface FormProps {
  viewer: Pick<Visitor, "allows">;
  /** The path that it is sent to, `/dashboard` included. */
  action: string;
  class?: string;
  id?: string;
  autocomplete?: "off";
  "data-chains"?: boolean;
  children?: Child;
}

/** A form that does something; nothing for those whose role does not allow it. */
export function ActionForm({ viewer, children, ...form }: FormProps) {
  if (!viewer.allows("POST", form.action)) return null;
  return (
    <form method="post" {...form}>
      {children}
    </form>
  );
}

/**
 * A form of saved values; those whose role does not allow to change them see the values only. It is sent with what its
 * page showed, so that it overwrites nothing that others changed meanwhile.
 */
export function SettingsForm({
  viewer,
  children,
  ...form
}: FormProps & { viewer: Pick<Visitor, "allows" | "generation"> }) {
  if (viewer.allows("POST", form.action))
    return (
      <form method="post" {...form} action={seenAddress(viewer, form.action)}>
        {children}
      </form>
    );
  return (
    <fieldset class={`read-only ${form.class ?? ""}`} id={form.id} disabled>
      {children}
    </fieldset>
  );
}

/** The address with the generation of the document that the page shows. */
export function seenAddress({ generation }: Pick<Visitor, "generation">, address: string): string {
  if (generation === undefined) return address;
  return `${address}${address.includes("?") ? "&" : "?"}seen=${generation}`;
}

interface LinkProps {
  viewer: Visitor;
  href: string;
  class?: string;
  "aria-label"?: string;
  children?: Child;
}

/** A link that looks like a button; nothing for those whose role does not open its page. */
export function ActionLink({ viewer, children, class: more = "", ...link }: LinkProps) {
  if (!viewer.allows("GET", link.href)) return null;
  return (
    <a class={`button ${more}`} {...link}>
      {children}
    </a>
  );
}
