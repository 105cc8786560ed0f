/** A routing decision in words and bars: the log's explanation and the dry run show the same. */
import { z } from "zod";
import { Badge, Card, Table } from "./display.tsx";

const tiers = ["simple", "standard", "complex", "reasoning"] as const;

/** The explanation as the log keeps it; rows of older versions may lack parts. */
const explanation = z.object({
  tier: z.string().optional(),
  confidence: z.number().optional(),
  p: z.array(z.number()).optional(),
  signals: z.record(z.string(), z.unknown()).optional(),
  candidates: z.array(z.string()).optional(),
  contributions: z
    .array(
      z.object({ name: z.string(), bin: z.string(), tiers: z.array(z.number()), gain: z.number() }),
    )
    .optional(),
  excluded: z.array(z.object({ id: z.string(), why: z.string() })).optional(),
});

type Explanation = z.infer<typeof explanation>;

export function RoutingExplanation({
  routing,
  reason,
}: {
  routing: unknown;
  reason: string | null;
}) {
  const read = explanation.safeParse(routing);
  const why = read.success ? read.data : undefined;
  if (why === undefined && reason === null) return null;
  return (
    <Card title="Why this model">
      {reason === null ? null : <p class="anywhere">{reason}</p>}
      {why === undefined ? null : <DecisionDetails why={why} />}
    </Card>
  );
}

export function DecisionDetails({ why: given }: { why: Explanation | Record<string, unknown> }) {
  const read = explanation.safeParse(given);
  if (!read.success) return null;
  const why = read.data;
  return (
    <>
      {why.p === undefined ? null : <Chances p={why.p} chosen={why.tier} />}
      <Contributions why={why} />
      <Candidates why={why} />
      {why.signals === undefined || Object.keys(why.signals).length === 0 ? null : (
        <details>
          <summary>Signals</summary>
          <ul class="chips">
            {Object.entries(why.signals).map(([name, value]) => (
              <li>
                <code>{`${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Chances({ p, chosen }: { p: readonly number[]; chosen: string | undefined }) {
  return (
    <dl class="chances">
      {tiers.map((tier, index) => {
        const share = Math.round(100 * (p[index] ?? 0));
        return (
          <div class={tier === chosen ? "chosen" : undefined}>
            <dt>{tier}</dt>
            <dd>
              <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                <rect class="track" x="0" y="0" width="100" height="4" />
                <rect class="share" x="0" y="0" width={share} height="4" />
              </svg>
              <span class="num">{share} %</span>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** The addends that moved the decision most; they sum up to it exactly. */
const mostContributions = 12;

function Contributions({ why }: { why: Explanation }) {
  const all = why.contributions ?? [];
  const index = tiers.findIndex((tier) => tier === why.tier);
  if (all.length === 0) return null;
  const pulls = all.map((one) => ({ ...one, pull: pullOf(one.tiers, index) }));
  const shown = pulls
    .sort((a, b) => Math.abs(b.pull) - Math.abs(a.pull))
    .slice(0, mostContributions);
  const most = Math.max(0.001, ...shown.map(({ pull }) => Math.abs(pull)));
  return (
    <Table
      caption="What spoke for and against this tier"
      showCaption
      head={["Signal", "Seen", { label: "Pull", class: "num" }, { label: "", class: "far" }]}
    >
      {shown.map(({ name, bin, pull }) => (
        <tr>
          <td>{name}</td>
          <td>
            <code>{bin}</code>
          </td>
          <td class="num">{`${pull >= 0 ? "+" : "−"}${Math.abs(pull).toFixed(2)}`}</td>
          <td class="far">
            <svg class="pull" viewBox="-50 0 100 6" preserveAspectRatio="none" aria-hidden="true">
              <rect
                class={pull >= 0 ? "good" : "bad"}
                x={pull >= 0 ? 0 : (50 * pull) / most}
                y="0"
                width={(50 * Math.abs(pull)) / most}
                height="6"
              />
              <rect class="axis" x="-0.3" y="0" width="0.6" height="6" />
            </svg>
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** How much an addend favours one tier over the mean of the others. */
function pullOf(values: readonly number[], index: number): number {
  if (index < 0) return values.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  const own = values[index] ?? 0;
  const sum = values.reduce((all, value) => all + value, 0);
  return own - (sum - own) / Math.max(1, values.length - 1);
}

function Candidates({ why }: { why: Explanation }) {
  const candidates = why.candidates ?? [];
  const excluded = why.excluded ?? [];
  return (
    <>
      {candidates.length === 0 ? null : (
        <p>
          <span class="label">Candidates</span>{" "}
          {candidates.map((id, index) => (
            <>
              {index === 0 ? null : <span class="muted"> → </span>}
              <Badge tone={index === 0 ? "accent" : "plain"}>{id}</Badge>
            </>
          ))}
        </p>
      )}
      {excluded.length === 0 ? null : (
        <details>
          <summary>{`${excluded.length} models were passed over`}</summary>
          <ul class="plain-list">
            {excluded.slice(0, 50).map(({ id, why: reason }) => (
              <li>
                <code>{id}</code> <span class="muted">{reason}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
