/** How a harness's requests ended: the counts that routing learns from, and resetting them. */
import { ActionLink } from "../../../components/guarded.tsx";
import type { HarnessEntry } from "../../../../store/config.ts";
import { forgetLearning, type LearningView } from "../../../../admin/routes/requests/learning.ts";
import { readConfig } from "../../../../admin/routes/document/config.ts";
import { Card, Table } from "../../../components/display.tsx";
import { harnessOf } from "../../../../admin/shared/document/harness.ts";
import { type PageApp, parameter, type Visitor } from "../../../shared/page-context.ts";
import { count } from "../../../shared/readable-values.ts";
import { ConfirmPage } from "../../../components/frame/confirm-page.tsx";
import { harnessPath } from "../shared/harness-frame.tsx";

/** Registers resetting what was learned. */
export function learningRoutes(app: PageApp): void {
  const path = "/harnesses/:id/routing/forget";
  app.get(path, async (c) => {
    const { viewer } = c.var;
    const harness = harnessOf(await readConfig(viewer.scope), parameter(c, "id"));
    const base = `${harnessPath(harness.id)}/routing`;
    return c.html(
      <ConfirmPage
        viewer={viewer}
        title="Reset learning?"
        text={`This deletes the recorded outcomes of ${harness.name} and what routing learned from them.`}
        action={`${base}/forget`}
        button="Reset"
        back={`${base}#outcomes`}
      />,
    );
  });
  app.post(path, async (c) => {
    const id = parameter(c, "id");
    await forgetLearning(c.var.viewer.scope, id);
    return c.redirect(`${harnessPath(id)}/routing?done=forgotten#outcomes`, 303);
  });
}

const columns = [
  ["served", "Served"],
  ["errors", "Failed"],
  ["truncated", "Cut off"],
  ["rephrased", "Repeated"],
  ["overridden", "Other model requested"],
  ["bad_calls", "Invalid tool calls"],
  ["right", "Rated right"],
  ["too_weak", "Rated too weak"],
  ["too_strong", "Rated too strong"],
] as const;

interface LearningProps {
  viewer: Visitor;
  harness: HarnessEntry;
  learned: LearningView;
}

/** The counts of outcomes by tier. */
export function LearningCard({ viewer, harness, learned }: LearningProps) {
  const rows = Object.entries(learned.tiers);
  const empty = rows.every(([, counts]) => Object.values(counts).every((number) => number === 0));
  return (
    <Card
      id="outcomes"
      title="Outcomes"
      lead={
        <>
          How requests for <code>auto</code> ended, by tier, and how people rated the chosen models.
        </>
      }
      actions={
        empty ? undefined : (
          <ActionLink
            viewer={viewer}
            class="danger"
            href={`${harnessPath(harness.id)}/routing/forget`}
          >
            Reset…
          </ActionLink>
        )
      }
    >
      <p>{adjustmentText(learned)}</p>
      <Table
        caption="Outcomes by tier"
        head={["Tier", ...columns.map(([, label]) => ({ label, class: "num" }))]}
      >
        {rows.map(([tier, counts]) => (
          <tr>
            <td>{tier}</td>
            {columns.map(([name]) => (
              <td class="num">{count(counts[name])}</td>
            ))}
          </tr>
        ))}
      </Table>
    </Card>
  );
}

/** What follows from the counts. */
function adjustmentText({ learning, offset }: LearningView): string {
  if (offset === 0) return "No adjustment yet.";
  const shift = `Offset ${offset > 0 ? "+" : ""}${offset.toFixed(3)}`;
  if (!learning) return `${shift}, not applied: learning from outcomes is off.`;
  return `${shift}: higher tiers are chosen slightly ${offset > 0 ? "sooner" : "later"}.`;
}
