/** The plan of a workspace: what it allows, and choosing another. */
import type { WorkspaceView } from "../../../admin/routes/workspaces/workspaces.ts";
import type { WorkspacePlan } from "../../../store/plans.ts";
import { Card } from "../../components/display.tsx";
import { type Fact, Facts } from "../../components/facts.tsx";
import { Select } from "../../components/fields.tsx";
import { SettingsForm } from "../../components/guarded.tsx";
import type { FieldError } from "../../shared/forms.ts";
import type { Visitor } from "../../shared/page-context.ts";
import { count } from "../../shared/readable-values.ts";

/** What the plan card shows. */
export interface PlanProps {
  viewer: Visitor;
  workspace: WorkspaceView;
  /** Names of the setting's plans. */
  plans: readonly string[];
  /** What the workspace's plan allows. */
  bounds: WorkspacePlan;
  form?: URLSearchParams;
  error?: FieldError;
}

/** The plan's bounds, and the choice where the setting has plans. */
export function PlanCard(props: PlanProps) {
  const { viewer, workspace, plans, bounds, form, error } = props;
  const action = `/dashboard/workspaces/${encodeURIComponent(workspace.id)}/plan`;
  return (
    <Card title="Plan" lead={leadOf(props)}>
      {workspace.plan === null ? null : <Facts small facts={factsOf(bounds, viewer)} />}
      {plans.length === 0 ? null : (
        <SettingsForm viewer={viewer} action={action} class="inline">
          <Select
            name="plan"
            label="Plan"
            value={form?.get("plan") ?? workspace.plan ?? ""}
            options={optionsOf(props)}
            error={error}
          />
          <button type="submit" class="primary">
            Change plan
          </button>
        </SettingsForm>
      )}
    </Card>
  );
}

function leadOf({ workspace: { plan }, plans }: PlanProps): string {
  if (plans.length === 0)
    return "No plans are set up: the setting PLANS of this deployment is empty.";
  if (plan === null) return "This workspace has no plan and no limits from one.";
  if (!plans.includes(plan))
    return `The plan ${plan} is no longer in the setting PLANS. The first plan's limits apply.`;
  return "A change applies from the next request.";
}

/** What a workspace has now is an option too, so that the form never shows another plan than it has. */
function optionsOf({ workspace: { plan }, plans }: PlanProps) {
  const own = plan === null ? [{ value: "", label: "No plan" }] : [];
  const gone =
    plan === null || plans.includes(plan) ? [] : [{ value: plan, label: `${plan} (removed)` }];
  return [...own, ...gone, ...plans.map((name) => ({ value: name, label: name }))];
}

function factsOf(bounds: WorkspacePlan, { words }: Visitor): Fact[] {
  const { monthly_requests, retention_days, members, throttle, features } = bounds;
  const bound = (value: number | null) => (value === null ? "no limit" : count(value));
  return [
    ["Requests per month", bound(monthly_requests)],
    ["Retention", retention_days === null ? "no limit" : days(retention_days)],
    ["Members", bound(members)],
    // Only variant B has agents, and a throttle.
    ...(words.holder === "agent" ? [throttleFact(throttle)] : []),
    ["Features", features.length === 0 ? "none" : features.join(", ")],
  ];
}

function throttleFact(throttle: WorkspacePlan["throttle"]): Fact {
  if (throttle === undefined) return ["Throttle per agent", "default"];
  if (throttle === null) return ["Throttle per agent", "none"];
  return [
    "Throttle per agent",
    `${count(throttle.limit)} requests in ${String(throttle.ttl / 1000)} s`,
  ];
}

function days(number: number): string {
  return `${count(number)} ${number === 1 ? "day" : "days"}`;
}
