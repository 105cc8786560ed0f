/** What a harness's requests came to: the counts that routing may learn from, and the way to forget them. */
import type { HarnessEntry } from "../../store/config.ts";
import { forgetLearning, type LearningView } from "../../admin/routes/learning.ts";
import { readConfig } from "../../admin/routes/config.ts";
import { Card, Table } from "../parts.tsx";
import { harnessOf } from "../../admin/shared/harness.ts";
import { type PageApp, parameter } from "../shared/page-context.ts";
import { count } from "../shared/readable-values.ts";
import { Confirm } from "./confirm.tsx";
import { harnessPath } from "./harness-frame.tsx";

export function learningRoutes(app: PageApp): void {
  const path = "/harnesses/:id/routing/forget";
  app.get(path, async (c) => {
    const { viewer } = c.var;
    const harness = harnessOf(await readConfig(viewer.scope), parameter(c, "id"));
    const base = `${harnessPath(harness.id)}/routing`;
    return c.html(
      <Confirm
        viewer={viewer}
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
    await forgetLearning(c.var.viewer.scope, id);
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
  learned: LearningView;
}

export function Learning({ harness, learned }: LearningProps) {
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
function wordsOf({ learning, offset }: LearningView): string {
  const shift = `Offset +${offset.toFixed(3)}`;
  if (offset === 0) return "Offset 0: nothing follows from them.";
  return learning
    ? `${shift}: dearer tiers are chosen a little sooner.`
    : `${shift}, not in force: this harness does not learn from outcomes.`;
}
