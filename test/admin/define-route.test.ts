import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineRoute } from "../../src/admin/shared/define-route.ts";

const definition = {
  method: "PATCH",
  path: "/api/things/{id}/parts/{partId}",
  summary: "Change a part",
  access: "write",
  query: z.object({ deep: z.coerce.boolean().default(false) }),
  body: { schema: z.strictObject({ size: z.number() }) },
  status: 200,
  answer: z.strictObject({ id: z.string(), size: z.number() }),
} as const;

describe("a route's definition", () => {
  it("names the route by method and path", () => {
    const route = defineRoute(definition, async ({ params, body }) => ({
      id: params.partId,
      size: body.size,
    }));
    expect(route.name).toBe("PATCH /api/things/{id}/parts/{partId}");
  });

  it("types the handler's input by the path and the schemas", () => {
    defineRoute(definition, async ({ params, query, body }, { scope }) => {
      const input: { id: string; deep: boolean; size: number; workspace: string } = {
        id: params.id,
        deep: query.deep,
        size: body.size,
        workspace: scope.workspace,
      };
      // @ts-expect-error -- the path has no such parameter
      params.other satisfies string;
      return { id: input.id, size: input.size };
    });
  });

  it("types what the handler returns by the answer's schema", () => {
    // @ts-expect-error -- a member is missing
    defineRoute(definition, async () => ({ id: "a" }));
    // @ts-expect-error -- a member has another type
    defineRoute(definition, async () => ({ id: "a", size: "large" }));
    // @ts-expect-error -- nothing is documented to be answered
    defineRoute({ ...definition, status: 204, answer: undefined }, async () => ({ id: "a" }));
  });

  it("gives only workspace routes a workspace", () => {
    // @ts-expect-error -- an open route acts on no workspace
    defineRoute({ ...definition, access: "open" }, async (_input, { scope }) => ({
      id: scope.workspace,
      size: 1,
    }));
  });
});
