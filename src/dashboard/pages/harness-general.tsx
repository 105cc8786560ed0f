/** Name, aliases, text log; duplicate and delete. */
import type { HarnessEntry } from "../../store/config.ts";
import { Area, Check, Field } from "../fields.tsx";
import type { Fault } from "../shared/forms.ts";
import { Card, FormFault } from "../parts.tsx";
import type { Viewer } from "../shared/page-context.ts";
import { HarnessFrame, harnessPath } from "./harness-frame.tsx";

interface GeneralProps {
  viewer: Viewer;
  harness: HarnessEntry;
  /** What was sent, when it was refused. */
  form?: URLSearchParams;
  fault?: Fault;
}

export function GeneralPage({ viewer, harness, form, fault }: GeneralProps) {
  const base = harnessPath(harness.id);
  const aliases = Object.entries(harness.aliases ?? {}).map(([name, to]) => `${name} = ${to}`);
  return (
    <HarnessFrame viewer={viewer} harness={harness} tab="/general">
      <Card title="General">
        <FormFault fault={fault} fields={["name", "aliases"]} />
        <form method="post" action={`${base}/general`}>
          <Field
            name="name"
            label="Name"
            value={form?.get("name") ?? harness.name}
            fault={fault}
            required
          />
          <Area
            name="aliases"
            label="Aliases"
            code
            rows={Math.max(4, aliases.length + 1)}
            value={form?.get("aliases") ?? aliases.join("\n")}
            fault={fault}
            hint={
              <>
                Names that clients insist on, one a line: <code>claude-haiku-* = auto</code>,{" "}
                <code>gpt-5.4-nano = lab/qwen3</code>. An exact name goes before a pattern.
              </>
            }
          />
          <Check
            name="log_text"
            label="Keep the text of requests and answers"
            checked={form === undefined ? harness.log_text === true : form.has("log_text")}
            hint="Off unless you need it: prompts often hold secrets. Up to 100,000 characters each."
          />
          <button type="submit" class="primary">
            Save
          </button>
        </form>
      </Card>
      <Card title="Duplicate or delete">
        <div class="buttons">
          <form method="post" action={`${base}/duplicate`}>
            <button type="submit">Duplicate</button>
          </form>
          <a class="button danger" href={`${base}/delete`}>
            Delete…
          </a>
        </div>
      </Card>
    </HarnessFrame>
  );
}
