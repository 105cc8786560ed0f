/**
 * The object that knows the deployment's workspaces and people. Asked by the admin API and at sign-in only, never by a
 * request of a client. Its methods, which the version before may call: only added, never changed.
 *
 * Workspaces: create, list, find, change. Credentials: scopeOf, replaceToken. Sessions: openSession, openPersonSession,
 * resumeSession, useSession (the version before), sessions, closeSession, closeOwnSession, closeSessions, chooseWorkspace.
 * People: arrive, person, personByEmail, memberships, changeGroupRoles. Members: members, addMember, changeRole, beginLeaving, endMembership.
 * Invitations: invite, invitations, offer, revokeInvitation. Tokens: createToken, tokens, deleteToken. Programs: openDevice,
 * findDevice, judgeDevice, redeemDevice, refreshProgram, endProgram, endPrograms. Wrong tokens: countTry, forgetTries.
 * Readiness: proveWrite. Backups: backupTables, backupPage, beginRestore, touchRestore, addRestoreRows, restoreAgain,
 * decideRestore, restoreStage, endRestore.
 */
import { DurableObject } from "cloudflare:workers";
import type { Env } from "../../store/env.ts";
import { planNamed } from "../../store/plans.ts";
import type { MemberRole } from "../../store/roles.ts";
import { rewriteDatabase } from "../storage/sql/rewrite.ts";
import { migrate } from "../storage/sql/schema-version.ts";
import { Turns } from "../storage/sql/slices.ts";
import * as accessTokens from "./tables/access-tokens.ts";
import * as arrivals from "./arrival.ts";
import { removeWorkspace } from "./deletion.ts";
import * as devices from "./tables/device-grants.ts";
import * as groups from "./group-changes.ts";
import { type InvitationOffer, offerOf, type OfferAsked } from "./invitation-offer.ts";
import * as invitations from "./tables/invitations.ts";
import * as memberships from "./tables/memberships.ts";
import { pageTable, type TablePage, type TableQuestion } from "../storage/sql/table-pages.ts";
import type { RestoreRows, RestoreStage } from "../contract/restore.ts";
import { directoryMigrations } from "./migrations.ts";
import * as restores from "./restores.ts";
import { changePlan, type PlanChange, type PlanOutcome } from "./plans.ts";
import * as signIns from "./tables/program-sign-ins.ts";
import * as programs from "./programs.ts";
import * as sessions from "./tables/sessions.ts";
import type { Membership, Person, Scope } from "./tables/scope.ts";
import { scopeOf, type TokenProof } from "./tables/tokens.ts";
import * as users from "./tables/users.ts";
import { type TokenEntry, WrongTries } from "./tries.ts";
import * as workspaces from "./tables/workspaces.ts";
import type { WorkspaceRecord } from "./tables/workspaces.ts";
import { WriteProof } from "./write-proof.ts";

/** Workspaces, people, tokens of the admin API, sessions of the dashboard. The class name is part of the stored state: it never changes. */
export class DirectoryObject extends DurableObject<Env> {
  readonly #sql: SqlStorage;
  readonly #tries = new WrongTries();
  readonly #turns = new Turns("directory");
  readonly #proof: WriteProof;

  /** Throws NewerStateError; every call then fails with it, and nothing is written. */
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrate(ctx.storage, directoryMigrations);
    this.#sql = ctx.storage.sql;
    this.#proof = new WriteProof(ctx.storage);
    workspaces.ensureDefaultWorkspace(this.#sql);
  }

  // Workspaces

  /** `tokenHash`: of the token that administers it; null: none. */
  create(workspace: WorkspaceRecord, tokenHash: string | null): void {
    workspaces.insertWorkspace(this.#sql, workspace, tokenHash);
  }

  /** Oldest first. */
  list(): WorkspaceRecord[] {
    return workspaces.readWorkspaces(this.#sql);
  }

  find(id: string): WorkspaceRecord | undefined {
    return workspaces.findWorkspace(this.#sql, id);
  }

  /** The changed record, or undefined when there is none of that id. */
  change(
    id: string,
    { name, monthly_requests }: { name?: string; monthly_requests?: number | null },
  ): WorkspaceRecord | undefined {
    if (name !== undefined) workspaces.renameWorkspace(this.#sql, id, name);
    if (monthly_requests !== undefined) workspaces.changeQuota(this.#sql, id, monthly_requests);
    return this.find(id);
  }

  /** What became of the change, and the workspace as it is now. */
  changePlan(change: PlanChange): { outcome: PlanOutcome; workspace: WorkspaceRecord | undefined } {
    const outcome = this.ctx.storage.transactionSync(() =>
      changePlan(this.#sql, change, Date.now()),
    );
    return { outcome, workspace: this.find(change.workspace) };
  }

  /** Forgets the workspace. False: there is none. On one machine its bytes are gone from the file too. */
  async remove(id: string): Promise<boolean> {
    const { storage } = this.ctx;
    const removed = storage.transactionSync(() => removeWorkspace(this.#sql, id));
    if (removed && this.env.BOOT_ID !== undefined) await this.#rewrite();
    return removed;
  }

  /** One after another: they share a table. */
  async #rewrite(): Promise<void> {
    await this.#turns.take(() => rewriteDatabase(this.ctx.storage));
  }

  // Credentials

  /** What a token reaches; undefined when it is nobody's. */
  scopeOf(proof: TokenProof): Scope | undefined {
    return (
      scopeOf(this.#sql, proof) ?? accessTokens.tokenScopeOf(this.#sql, proof.given, Date.now())
    );
  }

  /** The new administrator's token takes the place of the old one. */
  replaceToken(change: Parameters<typeof sessions.replaceToken>[1]): void {
    sessions.replaceToken(this.#sql, change);
  }

  // Sessions

  openSession(session: sessions.NewSession): void {
    sessions.openSession(this.#sql, session, Date.now());
  }

  openPersonSession(session: sessions.NewPersonSession): void {
    sessions.openPersonSession(this.#sql, session, Date.now());
  }

  /** Undefined when the session ended. */
  resumeSession(session: sessions.SessionResume): sessions.ResumedSession | undefined {
    return sessions.resumeSession(this.#sql, session, Date.now());
  }

  useSession(session: sessions.SessionUse): Scope | undefined {
    return sessions.useSession(this.#sql, session, Date.now());
  }

  /** Newest first. */
  sessions(owner: sessions.SessionOwner): sessions.SessionRecord[] {
    return sessions.readSessions(this.#sql, owner, Date.now());
  }

  closeSession(id: string): void {
    sessions.closeSession(this.#sql, id);
  }

  /** False: they have none with that handle. */
  closeOwnSession(owner: sessions.SessionOwner, handle: string): boolean {
    return sessions.closeOwnSession(this.#sql, owner, handle);
  }

  closeSessions(owner: sessions.SessionOwner, keep: string | null): void {
    sessions.closeSessions(this.#sql, owner, keep);
  }

  /** False: the session's person does not belong to the workspace. */
  chooseWorkspace(handle: string, workspace: string): boolean {
    return sessions.chooseWorkspace(this.#sql, handle, workspace);
  }

  // People

  /** Somebody signed in by the identity provider. */
  arrive(arrival: arrivals.Arrival): arrivals.ArrivalOutcome {
    const mostMembers = (plan: string | null) => planNamed(this.env, plan).members;
    const terms = { now: Date.now(), mostMembers };
    return this.ctx.storage.transactionSync(() => arrivals.arrive(this.#sql, arrival, terms));
  }

  /** Undefined when there is none of that id. */
  person(id: string): Person | undefined {
    const found = users.readUser(this.#sql, id);
    return found && users.personOf(found);
  }

  /** In the order in which they joined. */
  memberships(user: string): Membership[] {
    return memberships.membershipsOf(this.#sql, user);
  }

  /** What the workspace's document says of groups now. */
  changeGroupRoles(change: groups.GroupRolesChange): groups.GroupRolesOutcome {
    return this.ctx.storage.transactionSync(() =>
      groups.changeGroupRoles(this.#sql, change, Date.now()),
    );
  }

  // Members

  /** In the order in which they joined; one of them alone, where a user is named. */
  members(workspace: string, user?: string): memberships.MemberRecord[] {
    return memberships.readMembers(this.#sql, workspace, user);
  }

  /** Whoever signed in at that issuer with that verified address. */
  personByEmail(identity: { issuer: string; email: string }): Person | undefined {
    const found = users.findUserByEmail(this.#sql, identity);
    return found && users.personOf(found);
  }

  /** The user belongs to the workspace from now on, at least as what is said. Their object has welcomed them before. */
  addMember(member: memberships.NewMember): memberships.AddedMember {
    return this.ctx.storage.transactionSync(() =>
      memberships.joinMember(this.#sql, member, Date.now()),
    );
  }

  changeRole(
    member: memberships.MemberName,
    role: MemberRole,
  ): { before: MemberRole } | { refused: memberships.MemberRefusal } {
    return memberships.changeRole(this.#sql, member, { role, now: Date.now() });
  }

  /**
   * First step of leaving: why they cannot, or undefined. Then the workspace's object revokes their keys, and
   * `endMembership` is the last step.
   */
  beginLeaving(member: memberships.MemberName): memberships.MemberRefusal | undefined {
    return memberships.beginLeaving(this.#sql, member, Date.now());
  }

  endMembership(member: memberships.MemberName): void {
    this.ctx.storage.transactionSync(() => memberships.endMembership(this.#sql, member));
  }

  // Invitations

  /** False: the workspace has as many people as it may have. */
  invite(invitation: invitations.NewInvitation): boolean {
    return this.ctx.storage.transactionSync(() =>
      invitations.insertInvitation(this.#sql, invitation),
    );
  }

  /** Those that can be used, oldest first. */
  invitations(workspace: string): invitations.InvitationRecord[] {
    return invitations.openInvitations(this.#sql, workspace, Date.now());
  }

  /** What the invitation offers to them, or why they cannot use it; changes nothing. */
  offer(asked: OfferAsked): InvitationOffer | invitations.InvitationFault {
    return offerOf(this.#sql, asked, Date.now());
  }

  /** The revoked one; undefined: the workspace has no open one of that id. */
  revokeInvitation(workspace: string, id: string): invitations.InvitationRecord | undefined {
    return invitations.removeInvitation(this.#sql, workspace, id);
  }

  // Access tokens

  /** `full`: there are too many. */
  createToken(token: Parameters<typeof accessTokens.insertToken>[1]): "added" | "full" {
    return accessTokens.insertToken(this.#sql, token);
  }

  /** Oldest first. */
  tokens(owner: accessTokens.TokenOwner): accessTokens.TokenRecord[] {
    return accessTokens.readTokens(this.#sql, owner);
  }

  /** The deleted one; undefined: there was none of that id. */
  deleteToken(owner: accessTokens.TokenOwner, id: string): accessTokens.TokenRecord | undefined {
    return accessTokens.removeToken(this.#sql, owner, id);
  }

  // Programs that people sign in

  /** A program asks to be signed in. `taken`: with another short code it will do. */
  openDevice(grant: devices.NewDeviceGrant): "opened" | "taken" {
    return devices.openDeviceGrant(this.#sql, grant, Date.now());
  }

  /** What waits under that short code for the person who opened its page. */
  findDevice(code: string, person?: string): devices.OpenDeviceGrant | undefined {
    if (person !== undefined) devices.markDeviceGrant(this.#sql, code, person);
    return devices.findDeviceGrant(this.#sql, code, Date.now());
  }

  /** False: nothing waits under that code any more. */
  judgeDevice(judged: devices.DeviceVerdict): boolean {
    return devices.judgeDeviceGrant(this.#sql, judged, Date.now());
  }

  redeemDevice(redeem: programs.DeviceRedeem): programs.DeviceRedemption {
    return this.ctx.storage.transactionSync(() =>
      programs.redeemDevice(this.#sql, redeem, Date.now()),
    );
  }

  refreshProgram(
    refresh: Parameters<typeof programs.refreshProgram>[1],
  ): programs.ProgramRefreshed {
    return this.ctx.storage.transactionSync(() =>
      programs.refreshProgram(this.#sql, refresh, Date.now()),
    );
  }

  /** Whose it was; undefined: there is none of that id. */
  endProgram(id: string): signIns.ProgramOwner | undefined {
    return signIns.endProgramSignIn(this.#sql, id);
  }

  /** Those of a person, in one workspace or in all: which they were. Codes that they confirmed are void. */
  endPrograms(owner: { person: string; workspace?: string }): signIns.ProgramOwner[] {
    return this.ctx.storage.transactionSync(() => programs.endPrograms(this.#sql, owner));
  }

  // Readiness

  /** Resolves when a write of the last seconds is on the disk. */
  async proveWrite(): Promise<void> {
    await this.#proof.prove();
  }

  // Backups

  /** Tables that a backup of the deployment holds. */
  backupTables(): string[] {
    return [...restores.keptTables];
  }

  /** In the order of the primary key. */
  backupPage(question: TableQuestion): TablePage {
    return pageTable(this.#sql, question);
  }

  /** False: another one of the same workspaces is under way. `workspaces`: those that it fills. */
  beginRestore(restore: restores.NewRestore): boolean {
    const boot = this.env.BOOT_ID ?? null;
    return restores.beginRestore(this.ctx.storage, { ...restore, boot, now: Date.now() });
  }

  /** It is still under way; false: it is not. */
  touchRestore(id: string): boolean {
    return restores.touchRestore(this.#sql, id, Date.now());
  }

  /** Rows for the directory's own tables. */
  addRestoreRows(id: string, rows: RestoreRows): void {
    restores.addRestoreRows(this.ctx.storage, id, rows);
  }

  /** Those of these tables come once more. */
  restoreAgain(id: string, tables: readonly string[]): void {
    restores.restoreAgain(this.#sql, id, tables);
  }

  /** From now on it is done, whatever happens; false: it was given up before. */
  decideRestore(id: string, whole: boolean): boolean {
    return this.ctx.storage.transactionSync(() => restores.decideRestore(this.#sql, id, whole));
  }

  restoreStage(id: string): RestoreStage {
    const boot = this.env.BOOT_ID ?? null;
    return restores.restoreStage(this.#sql, id, { boot, now: Date.now() });
  }

  /** One that was not decided is given up; of one that was, the workspace is done. */
  endRestore(id: string, workspace?: string): void {
    this.ctx.storage.transactionSync(() => restores.endRestore(this.#sql, id, workspace));
  }

  // Wrong tokens

  /** Counts a wrong token; milliseconds to wait when there were too many. Asked by the version before alone. */
  countTry(address: string, entry: TokenEntry = "page"): number {
    return this.#tries.count(address, entry, Date.now());
  }

  /** Asked by the version before alone. */
  forgetTries(address: string): void {
    this.#tries.forget(address);
  }
}
