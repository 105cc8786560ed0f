/** Why a model was chosen: sentences, and below them the numbers. For logged requests and for dry runs. */
import type { Child } from "hono/jsx";
import * as z from "zod";
import { docsPath } from "../../core/docs-address.ts";
import { exclusionWords } from "../../routing/explanation/model-words.ts";
import { Badge, Card, Table } from "./display.tsx";

const tiers = ["simple", "standard", "complex", "reasoning"] as const;

/** A routing decision as it is logged; rows of older versions may lack members. */
const decisionSchema = z.object({
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

type LoggedDecision = z.infer<typeof decisionSchema>;

interface ExplanationProps {
  /** The sentences. */
  why: string;
  /** As the response's header said it. */
  reason: string | null;
  routing: unknown;
  /** What can be said of it. */
  children?: Child;
}

/** The card of a logged request. */
export function RoutingExplanation({ why, reason, routing, children }: ExplanationProps) {
  return (
    <Card id="why" title="Why this model">
      <p class="why">{why}</p>
      {children}
      <DecisionNumbers reason={reason} decision={routing} />
    </Card>
  );
}

/** Folded: the numbers that the sentences are made from. */
export function DecisionNumbers({
  reason,
  decision,
}: {
  reason: string | null;
  decision: unknown;
}) {
  const read = decisionSchema.safeParse(decision);
  if (!read.success && reason === null) return null;
  return (
    <details class="numbers">
      <summary>Show the numbers</summary>
      {reason === null ? null : (
        <p class="hint anywhere">
          <code>{reason}</code>
        </p>
      )}
      {read.success ? <DecisionDetails decision={read.data} /> : null}
      <p class="hint">
        <a href={docsPath("routing")}>How auto chooses a model</a>
      </p>
    </details>
  );
}

/** Tier probabilities, signals, candidates and excluded models of one decision. */
function DecisionDetails({ decision }: { decision: LoggedDecision }) {
  return (
    <>
      {decision.p === undefined ? null : (
        <TierProbabilities p={decision.p} chosen={decision.tier} />
      )}
      <Contributions decision={decision} />
      <Candidates decision={decision} />
      {decision.signals === undefined || Object.keys(decision.signals).length === 0 ? null : (
        <details>
          <summary>All signals</summary>
          <ul class="chips">
            {Object.entries(decision.signals).map(([name, value]) => (
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

function TierProbabilities({ p, chosen }: { p: readonly number[]; chosen: string | undefined }) {
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
              <span class="num">{`${share}%`}</span>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** The signals that moved the decision most are shown; all of them add up to it exactly. */
const maxContributions = 12;

function Contributions({ decision }: { decision: LoggedDecision }) {
  const all = decision.contributions ?? [];
  const index = tiers.findIndex((tier) => tier === decision.tier);
  if (all.length === 0) return null;
  const weighted = all.map((one) => ({ ...one, weight: weightOf(one.tiers, index) }));
  const shown = weighted
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
    .slice(0, maxContributions);
  const most = Math.max(0.001, ...shown.map(({ weight }) => Math.abs(weight)));
  return (
    <Table
      caption="Signals for and against this tier"
      showCaption
      head={["Signal", "Value", { label: "Weight", class: "num" }, { label: "", class: "far" }]}
    >
      {shown.map(({ name, bin, weight }) => (
        <tr>
          <td>{name}</td>
          <td>
            <code>{bin}</code>
          </td>
          <td class="num">{`${weight >= 0 ? "+" : "−"}${Math.abs(weight).toFixed(2)}`}</td>
          <td class="far">
            <svg class="pull" viewBox="-50 0 100 6" preserveAspectRatio="none" aria-hidden="true">
              <rect
                class={weight >= 0 ? "good" : "bad"}
                x={weight >= 0 ? 0 : (50 * weight) / most}
                y="0"
                width={(50 * Math.abs(weight)) / most}
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

/** How much a signal favours one tier over the mean of the others. */
function weightOf(values: readonly number[], index: number): number {
  if (index < 0) return values.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  const own = values[index] ?? 0;
  const sum = values.reduce((all, value) => all + value, 0);
  return own - (sum - own) / Math.max(1, values.length - 1);
}

function Candidates({ decision }: { decision: LoggedDecision }) {
  const candidates = decision.candidates ?? [];
  const excluded = decision.excluded ?? [];
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
          <summary>{`${excluded.length} ${excluded.length === 1 ? "model" : "models"} excluded`}</summary>
          <ul class="plain-list">
            {excluded.slice(0, 50).map(({ id, why: reason }) => (
              <li>
                <code>{id}</code> <span class="muted">{exclusionWords(reason)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
