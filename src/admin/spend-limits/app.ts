/**
 * Spend limits in the words of Anthropic's admin API, for tools that already speak it: `/v1/organizations/spend_limits`.
 * They are the workspace's own limits, shown and set with the admin API's credentials.
 */
import { Hono, type MiddlewareHandler } from "hono";
import { Problem } from "../../core/problem.ts";
import type { Env } from "../../store/env.ts";
import { mayDo, type Right } from "../../store/roles.ts";
import { addressOf } from "../../workspace/address/address.ts";
import type { AdminAccess } from "../shared/credentials/access.ts";
import { tellEntry } from "../shared/audit.ts";
import { callerIn } from "../shared/caller.ts";
import { judgeToken } from "../shared/credentials/judge-token.ts";
import { boundedBytes } from "../shared/request-body.ts";
import type { AdminScope } from "../shared/scope.ts";
import { spendAnswer, SpendLimitFault, spendRefusal } from "./answers.ts";
import { effectiveLimits } from "./effective.ts";
import { readSpendLimit } from "./limit-body.ts";
import {
  deleteSpendLimit,
  findSpendLimit,
  readSpendLimits,
  saveSpendLimit,
} from "./limit-store.ts";
import { pageOf } from "./query.ts";

interface SpendEnv {
  Bindings: Env;
  Variables: { scope: AdminScope };
}

const root = "/v1/organizations/spend_limits";
const longestBody = 64 * 1024;

/** Mounted at the root, before everything else under `/v1`. */
export function spendLimitsApi(): Hono<{ Bindings: Env }> {
  const app = new Hono<SpendEnv>();
  app.onError((error) => {
    if (error instanceof SpendLimitFault) return spendRefusal(error);
    if (error instanceof Problem && error.status < 500) return spendRefusal(faultOf(error));
    throw error;
  });
  app.get(root, may("read"), async (c) =>
    spendAnswer(pageOf(await readSpendLimits(c.var.scope), queryOf(c.req.raw))),
  );
  app.post(root, may("write"), async (c) => {
    const text = new TextDecoder().decode(await boundedBytes(c.req.raw, longestBody));
    return spendAnswer(await saveSpendLimit(c.var.scope, readSpendLimit(text)));
  });
  app.get(`${root}/effective`, may("read"), async (c) =>
    spendAnswer(await effectiveLimits(c.var.scope, queryOf(c.req.raw))),
  );
  app.get(`${root}/:id`, may("read"), async (c) =>
    spendAnswer(await findSpendLimit(c.var.scope, c.req.param("id"))),
  );
  app.delete(`${root}/:id`, may("write"), async (c) => {
    const id = c.req.param("id");
    await deleteSpendLimit(c.var.scope, id);
    return spendAnswer({ type: "spend_limit_deleted", id });
  });
  app.all(`${root}/*`, may("read"), () => {
    throw new SpendLimitFault(404, "not found");
  });
  // The variables are this app's own business; outside only the bindings are shared.
  return app as unknown as Hono<{ Bindings: Env }>;
}

/** What the workspace's own rules refused. */
function faultOf({ status, message }: Problem): SpendLimitFault {
  return new SpendLimitFault(status === 403 || status === 404 ? status : 400, message);
}

/** Whoever brings a credential of the admin API in either header, and has that right in the workspace. */
function may(right: Right): MiddlewareHandler<SpendEnv> {
  return async (c, next) => {
    const { headers } = c.req.raw;
    const access = await accessFor(c.env, headers);
    const named = headers.get("x-gateway-workspace") ?? undefined;
    const { workspace, caller } = await callerIn(c.env, access, named);
    if (!mayDo(caller.role, right))
      throw new SpendLimitFault(403, `requires ${right}:spend_limits`);
    if (right === "read")
      await tellEntry({ env: c.env, workspace }, { actor: caller.actor, reading: `GET ${root}` });
    c.set("scope", { env: c.env, workspace, caller });
    await next();
  };
}

async function accessFor(env: Env, headers: Headers): Promise<AdminAccess> {
  const token = tokenOf(headers);
  if (token === "") throw wrongCredentials();
  const judged = await judgeToken(env, token, {
    address: addressOf(headers, env),
    entry: "bearer",
  });
  if (judged.found !== undefined) return judged.found;
  if (judged.wait === 0) throw wrongCredentials();
  throw new SpendLimitFault(429, `too many wrong credentials: try again in ${judged.wait} s`);
}

function tokenOf(headers: Headers): string {
  const bearer = /^\s*bearer\s+(\S+)\s*$/i.exec(headers.get("authorization") ?? "")?.[1];
  return headers.get("x-api-key")?.trim() ?? bearer ?? "";
}

function wrongCredentials(): SpendLimitFault {
  return new SpendLimitFault(401, "missing or invalid admin credentials");
}

function queryOf(request: Request): URLSearchParams {
  return new URL(request.url).searchParams;
}
