/** The settings of a harness as they are for requests of one role. */
import type { RequestRoleName } from "../core/request-role.ts";
import type { RoutingEntry } from "../store/config.ts";

/** What a role adds to the settings. */
export interface RoleRouting {
  /** The settings with the role's own tiers and quality in place of the general ones. */
  readonly routing: RoutingEntry | undefined;
  /** The role's models, whatever the tier; undefined where it names none. */
  readonly models: readonly string[] | undefined;
}

/** The settings for a role; without any of its own they are the general ones. */
export function roleRouting(routing: RoutingEntry | undefined, role: RequestRoleName): RoleRouting {
  const own = routing?.roles?.[role];
  if (own === undefined) return { routing, models: undefined };
  const { tiers, quality, models } = own;
  return {
    routing: {
      ...routing,
      ...(tiers !== undefined && { tiers: { ...routing?.tiers, ...tiers } }),
      ...(quality !== undefined && { quality }),
    },
    models,
  };
}
