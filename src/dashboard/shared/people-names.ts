/** What people are called on pages, by their ids. */
import { askDirectory } from "../../admin/shared/credentials/access.ts";
import type { Viewer } from "./page-context.ts";

/** Names of the workspace's people. */
export interface PeopleNames {
  /** The e-mail address; the id of somebody who is gone. */
  nameOf(id: string): string;
}

/** The names that rows of the log need; undefined where none of them is of a person's key, which costs nothing. */
export async function namesOfRows(
  viewer: Viewer,
  rows: readonly { readonly person?: string }[],
): Promise<PeopleNames | undefined> {
  return rows.some(({ person }) => person !== undefined) ? await peopleNames(viewer) : undefined;
}

/** Everybody who belongs to the viewer's workspace. */
export async function peopleNames({ scope }: Viewer): Promise<PeopleNames> {
  const members = await askDirectory(scope.env, (directory) => directory.members(scope.workspace));
  const emails = new Map(members.map(({ id, email }) => [id, email]));
  return { nameOf: (id) => emails.get(id) ?? id };
}
