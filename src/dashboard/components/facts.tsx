/** What is known of a thing, as names and values. */
import type { Child } from "hono/jsx";

/** A name and its value. */
export type Fact = readonly [name: string, value: Child];

/** A list of facts; `small` inside a card. */
export function Facts({ facts, small }: { facts: readonly Fact[]; small?: true }) {
  return (
    <dl class={small === true ? "facts small-facts" : "facts"}>
      {facts.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
