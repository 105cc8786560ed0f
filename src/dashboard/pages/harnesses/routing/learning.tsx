/** What a harness's requests came to: the counts that routing may learn from, and the way to forget them. */
import type { HarnessEntry } from "../../../../store/config.ts";
import { forgetLearning, type ShownLearning } from "../../../../admin/learning.ts";
import { readConfig } from "../../../../admin/actions.ts";
import { Card, Table } from "../../../components/display.tsx";
import { harnessIn, type PageApp, parameter } from "../../../scene.ts";
import { count } from "../../../shown.ts";
import { ConfirmPage } from "../../../components/confirm-page.tsx";
import { harnessPath } from "../shared/harness-frame.tsx";

export function learningRoutes(app: PageApp): void {
  const path = "/harnesses/:id/routing/forget";
  app.get(path, async (c) => {
    const { scene } = c.var;
    const harness = harnessIn(await readConfig(scene.office), parameter(c, "id"));
    const base = `${harnessPath(harness.id)}/routing`;
    return c.html(
      <ConfirmPage
        scene={scene}
        title="Forget the outcomes?"
        words={`How requests of ${harness.name} ended is forgotten, and what routing learned from it. Counting begins anew.`}
        action={`${base}/forget`}
        button="Forget"
        back={`${base}#outcomes`}
      />,
    );
  });
  app.post(path, async (c) => {
    const id = parameter(c, "id");
    await forgetLearning(c.var.scene.office, id);
    return c.redirect(`${harnessPath(id)}/routing?done=forgotten#outcomes`, 303);
  });
}

const columns = [
  ["served", "Served"],
  ["errors", "Failed"],
  ["truncated", "Cut short"],
  ["rephrased", "Asked again"],
  ["overridden", "Other model named"],
  ["bad_calls", "Bad tool calls"],
] as const;

interface LearningProps {
  harness: HarnessEntry;
  learned: ShownLearning;
}

export function LearningCard({ harness, learned }: LearningProps) {
  const rows = Object.entries(learned.tiers);
  const empty = rows.every(([, counts]) => Object.values(counts).every((number) => number === 0));
  return (
    <Card
      id="outcomes"
      title="Outcomes"
      lead="How requests for auto ended, by tier."
      actions={
        empty ? undefined : (
          <a class="button danger" href={`${harnessPath(harness.id)}/routing/forget`}>
            Forget…
          </a>
        )
      }
    >
      <p>{wordsOf(learned)}</p>
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

/** What follows from the counts, in words. */
function wordsOf({ learning, offset }: ShownLearning): string {
  const shift = `Offset +${offset.toFixed(3)}`;
  if (offset === 0) return "Offset 0: nothing follows from them.";
  return learning
    ? `${shift}: dearer tiers are chosen a little sooner.`
    : `${shift}, not in force: this harness does not learn from outcomes.`;
}
