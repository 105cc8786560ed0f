/** Limits of the workspace, its harnesses, keys and persons: what is used of them, and which of them blocked. */
import * as z from "zod";
import { limitNodes } from "../../../policy/refusal.ts";
import { limitSchema } from "../../../store/config.ts";
import type { BlockRecord, LimitOwner, LimitView } from "../../../workspace/contract/reports.ts";
import { defineRoute } from "../../shared/define-route.ts";
import { type AdminScope, askWorkspace } from "../../shared/scope.ts";

/** Limits in the list of those that blocked. */
const mostBlocks = 200;

const { metric, period, action } = limitSchema.shape;
const limit = { metric, period, max: z.number(), action };

/** Whose limit it is. */
const owner = {
  node: z.enum(limitNodes),
  /** Of the harness, key or person; empty for the workspace. */
  id: z.string(),
  /** The same id where it is a harness's, else empty. */
  harness: z.string(),
};

const limitUseSchema = z.strictObject({
  ...owner,
  ...limit,
  strict: z.union([z.boolean(), z.literal("bound")]).exactOptional(),
  /** In the limit's own unit, USD for cost. */
  used: z.number(),
  reserved: z.number(),
  resets_at: z.string(),
  /** Of the harness or key. */
  name: z.string().exactOptional(),
  /** Of a key's limit: the id of its harness. */
  key_harness: z.string().exactOptional(),
});
/** A limit with what is used of it. */
export type LimitUse = z.infer<typeof limitUseSchema>;

const blockViewSchema = z.strictObject({
  ...owner,
  ...limit,
  /** In the limit's own unit, USD for cost. */
  used: z.number(),
  count: z.number(),
  /** Of the first and the last block in the period. */
  first: z.string(),
  last: z.string(),
  period_start: z.string(),
});
/** A limit that blocked, or a notifying one that was crossed, in one period. */
export type BlockView = z.infer<typeof blockViewSchema>;

/** Every limit of the workspace. */
export async function listLimits(scope: AdminScope): Promise<LimitUse[]> {
  return (await askWorkspace(scope, (stub) => stub.limits())).map(limitUse);
}

function limitUse(view: LimitView): LimitUse {
  return {
    ...ownerOfLimit(view),
    metric: view.metric,
    period: view.period,
    max: view.max,
    action: view.action,
    ...(view.strict !== undefined && { strict: view.strict }),
    used: view.used,
    reserved: view.reserved,
    resets_at: view.resets_at,
    ...(view.name !== undefined && { name: view.name }),
    ...(view.key_harness !== undefined && { key_harness: view.key_harness }),
  };
}

function ownerOfLimit({ harness, node, id }: LimitOwner): Required<LimitOwner> {
  return { node: node ?? "harness", id: id ?? harness, harness };
}

/** Newest first, one entry a limit and period. */
export async function listBlocks(scope: AdminScope): Promise<BlockView[]> {
  return (await askWorkspace(scope, (stub) => stub.blocks(mostBlocks))).map(blockView);
}

function blockView(block: BlockRecord): BlockView {
  return {
    ...ownerOfLimit(block),
    metric: block.metric,
    period: block.period,
    max: block.max,
    action: block.action,
    used: block.used,
    count: block.count,
    first: new Date(block.first).toISOString(),
    last: new Date(block.last).toISOString(),
    period_start: new Date(block.start).toISOString(),
  };
}

/** The routes of limits and of what they blocked. */
export const adminLimitRoutes = [
  defineRoute(
    {
      method: "GET",
      path: "/api/limits",
      summary: "Limits and their use",
      access: "read",
      status: 200,
      answer: z.strictObject({ data: z.array(limitUseSchema) }),
    },
    async (_input, { scope }) => ({ data: await listLimits(scope) }),
  ),
  defineRoute(
    {
      method: "GET",
      path: "/api/blocks",
      summary: "Limits that blocked or were exceeded, newest first",
      access: "read",
      status: 200,
      answer: z.strictObject({ data: z.array(blockViewSchema) }),
    },
    async (_input, { scope }) => ({ data: await listBlocks(scope) }),
  ),
] as const;
