/** A harness's limits: how much is used, what they blocked, and changing them. */
import type { HarnessEntry } from "../../../store/config.ts";
import { listBlocks, listLimits, type BlockView } from "../../../admin/routes/usage/limits.ts";
import { readConfig } from "../../../admin/routes/document/config.ts";
import { editHarness, withMembers } from "./shared/edit-harness.ts";
import { Badge, Card, Table, Timestamp } from "../../components/display.tsx";
import { LimitsCard, type ShownLimit } from "../../components/limits.tsx";
import { limitAmount, limitWords } from "../../shared/limit-words.ts";
import { blockedAddress } from "../../shared/limit-address.ts";
import { harnessOf } from "../../../admin/shared/document/harness.ts";
import { type RefusedLimit, registerLimits } from "../../shared/limit-changes.ts";
import {
  type PageApp,
  type PageContext,
  parameter,
  type Viewer,
} from "../../shared/page-context.ts";
import { HarnessFrame, harnessPath } from "./shared/harness-frame.tsx";

/** Registers a harness's limits. */
export function limitRoutes(app: PageApp): void {
  app.get("/harnesses/:id/limits", (c) => showLimits(c, undefined));
  registerLimits(app, "/harnesses/:id/limits", {
    edit: (c, change) =>
      editHarness(c.var.viewer.scope, parameter(c, "id"), (harness) =>
        withMembers(harness, { limits: change(harness.limits ?? []) }),
      ),
    show: showLimits,
    page: (c) => `${harnessPath(parameter(c, "id"))}/limits`,
  });
}

async function showLimits(c: PageContext, refused: RefusedLimit | undefined): Promise<Response> {
  const { viewer } = c.var;
  const config = await readConfig(viewer.scope);
  const harness = harnessOf(config, parameter(c, "id"));
  const [limits, blocks] = await Promise.all([listLimits(viewer.scope), listBlocks(viewer.scope)]);
  return c.html(
    <LimitsPage
      {...{ viewer, harness, ...refused }}
      timezone={config.timezone ?? "UTC"}
      limits={limits.filter((limit) => limit.harness === harness.id)}
      blocks={blocks.filter((block) => block.harness === harness.id)}
      edited={refused?.form.get("limit") ?? c.req.query("limit") ?? ""}
    />,
    refused === undefined ? 200 : 422,
  );
}

interface LimitsProps extends Partial<RefusedLimit> {
  viewer: Viewer;
  harness: HarnessEntry;
  limits: readonly ShownLimit[];
  blocks: readonly BlockView[];
  timezone: string;
  edited: string;
}

function LimitsPage(props: LimitsProps) {
  const { viewer, harness } = props;
  const page = `${harnessPath(harness.id)}/limits`;
  return (
    <HarnessFrame viewer={viewer} harness={harness} tab="/limits">
      <LimitsCard {...props} owner={`this ${viewer.words.holder}`} page={page} action={page} />
      <Blocks {...props} />
    </HarnessFrame>
  );
}

function Blocks({ blocks, timezone }: LimitsProps) {
  return (
    <Card title="History" lead="One row per limit and period.">
      {blocks.length === 0 ? (
        <p class="muted">No limit has been reached.</p>
      ) : (
        <Table
          caption="Limits that were reached"
          head={[
            "Limit",
            "Result",
            { label: "Used", class: "num" },
            { label: "First", class: "mid" },
            "Last",
          ]}
        >
          {blocks.map((block) => (
            <tr>
              <td>{limitWords(block)}</td>
              <td class="nowrap">
                {block.action === "block" ? (
                  <a href={blockedAddress(block)}>
                    <Badge tone="bad">{`${block.count} blocked`}</Badge>
                  </a>
                ) : (
                  <Badge tone="warn">exceeded</Badge>
                )}
              </td>
              <td class="num">{limitAmount(block.metric, block.used)}</td>
              <td class="mid nowrap">
                <Timestamp iso={block.first} timezone={timezone} />
              </td>
              <td class="nowrap">
                <Timestamp iso={block.last} timezone={timezone} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Card>
  );
}
