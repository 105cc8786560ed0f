/** Which models may serve a request: by a header rule, by the default tier where routing is off, or by its tier. */
import type { TierAssessment } from "./assess-tier.ts";
import type { DecidedBy, RoutingDecision } from "./contract/decision.ts";
import type { RoutingInput } from "./contract/input.ts";
import type { Exclusions } from "./models/exclusions.ts";
import { namedRequirements, type Requirements } from "./models/requirements.ts";
import {
  candidatesForTier,
  configuredCandidates,
  tierMembers,
  type TierCandidates,
} from "./models/tier-candidates.ts";

/** The candidates of a request, and who determined them. */
export interface CandidateChoice {
  /** A tier, `default`, or the name of a header rule. */
  readonly tier: string;
  readonly by: DecidedBy;
  readonly candidates: TierCandidates;
  readonly notes: readonly string[];
}

/** A request whose tier is assessed and whose requirements are known. */
export interface CandidateChoiceInput {
  readonly input: RoutingInput;
  readonly assessment: TierAssessment;
  readonly requirements: Requirements;
  /** Models that cannot serve the request are added here. */
  readonly exclusions: Exclusions;
  /** The models of the request's role, whatever the tier. */
  readonly roleModels?: readonly string[] | undefined;
}

/** Chooses the candidates. A header rule or role of which no model can serve the request is passed over. */
export function chooseCandidates(choice: CandidateChoiceInput): CandidateChoice {
  const { input, assessment, requirements } = choice;
  const rule = matchingRule(input);
  const byRule = rule && candidatesByRule(choice, rule);
  if (byRule) return byRule;
  const byRole = candidatesByRole(choice);
  if (byRole) return byRole;
  if (input.harness.routing?.auto === false) {
    const candidates = candidatesForTier({ ...candidatesInput(choice), tier: "default" });
    const notes = ["tier=default", "by=routing is off", `models=${candidates.why}`];
    return { tier: "default", by: "off", candidates, notes };
  }
  const { need: tier, by } = assessment;
  const candidates = candidatesForTier({ ...candidatesInput(choice), tier });
  const notes = [`tier=${tier}`];
  if (rule) notes.push(`rule=${rule.name} has no model for this`);
  notes.push(...assessment.notes);
  if (candidates.why !== "configured") notes.push(`models=${candidates.why}`);
  const needs = namedRequirements(requirements);
  if (needs !== "") notes.push(`needs=${needs}`);
  return { tier, by, candidates, notes };
}

function candidatesInput({ input, requirements, exclusions, roleModels }: CandidateChoiceInput) {
  const { models, resolve, harness } = input;
  const listedOnly = roleModels !== undefined;
  return { models, resolve, routing: harness.routing, requirements, exclusions, listedOnly };
}

type HeaderRule = NonNullable<NonNullable<RoutingInput["harness"]["routing"]>["headers"]>[number];

function matchingRule({ harness, headers }: RoutingInput): HeaderRule | undefined {
  // `get` throws for a name that no header can have.
  return harness.routing?.headers?.find(
    ({ header, value }) => headerName.test(header) && headers.get(header.toLowerCase()) === value,
  );
}

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

function candidatesByRule(
  choice: CandidateChoiceInput,
  { name, header, models }: HeaderRule,
): CandidateChoice | undefined {
  const candidates = configuredCandidates(candidatesInput(choice), models);
  if (candidates.models.length === 0) return undefined;
  const notes = [`tier=${name}`, `by=rule: header ${header}`];
  return { tier: name, by: "rule", candidates, notes };
}

function candidatesByRole(choice: CandidateChoiceInput): CandidateChoice | undefined {
  const { roleModels, assessment } = choice;
  if (roleModels === undefined) return undefined;
  const candidates = configuredCandidates(candidatesInput(choice), roleModels);
  if (candidates.models.length === 0) return undefined;
  const { need: tier, notes } = assessment;
  return {
    tier,
    by: "role",
    candidates,
    notes: [`tier=${tier}`, "models=of the role", ...notes],
  };
}

/** Adds the models of all tiers, on which a session may stay, unless the session does not matter. */
export function modelsWithStayCandidates(
  choice: CandidateChoiceInput,
  { by, candidates }: CandidateChoice,
): Pick<RoutingDecision, "models" | "stayCandidates" | "tierRanks" | "ladder"> {
  const { models } = candidates;
  if (by === "rule" || by === "role" || by === "off" || by === "housekeeping")
    return { models, stayCandidates: [], tierRanks: {}, ladder: [] };
  const requirements =
    candidates.ignoresSchema === true
      ? { ...choice.requirements, schemaOutput: false }
      : choice.requirements;
  const members = tierMembers({ ...candidatesInput(choice), requirements });
  const own = new Set(models.map(({ id }) => id));
  const others = members.models.filter(({ id }) => !own.has(id));
  return {
    models: [...models, ...others],
    stayCandidates: others.map(({ id }) => id),
    tierRanks: Object.fromEntries(members.ranks),
    ladder: members.primaries,
  };
}
