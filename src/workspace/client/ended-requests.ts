/**
 * How requests that ended reach their workspace's object without a call each on the way of an answer: the next admission
 * from this isolate takes along what waits, and where none comes, a flush brings it behind the answer. So whoever saw
 * an answer's end finds its slot free and its cost booked.
 */
import type { AdmitAnswer, AdmitRequest } from "../contract/admission.ts";
import type { AdmissionCall, RequestEnd, SentRequest } from "../contract/request-end.ts";
import { type EndedBatch, sentOf } from "./ended-backlog.ts";
import { EndedQueue, type PlannedFlush } from "./ended-queue.ts";
import {
  callWorkspace,
  lacksMethod,
  onAdmittingWorkspace,
  type WorkspaceBindings,
  type WorkspaceStub,
} from "../remote.ts";
import { isDeletedWorkspaceError } from "../storage/tables/erasure-mark.ts";

/** `BOOT_ID`: set if the process is the deployment's only one, so that no other isolate sees how long something waits. */
type Bindings = WorkspaceBindings & { readonly BOOT_ID?: string };

/** All requests of an isolate share it. */
const queue = new EndedQueue(Date.now);

/** How long an ended request waits for an admission that takes it along, in ms: other isolates do not see its end before. */
const pauseBetweenIsolates = 10;
/** The same where there is one isolate: every call of its own brings what waits before. */
const pauseOfOneProcess = 500;
/** Pauses before what could not be brought is tried again, or what is under way elsewhere is looked after, in ms. */
const retries = [100, 1000, 2000, 4000, 8000];

/**
 * Books it behind the answer, which need not wait for it: from now on every call from this isolate finds it booked. A
 * promise, which the end of the answer has to wait for, where too many wait already.
 */
export function bookLater(
  env: Bindings,
  { workspace, ended }: { workspace: string; ended: RequestEnd },
  waitUntil: (work: Promise<unknown>) => void,
): Promise<void> | undefined {
  if (!queue.add(workspace, ended)) return bookNow(env, workspace, ended);
  const pause = env.BOOT_ID === undefined ? pauseBetweenIsolates : pauseOfOneProcess;
  const flush = queue.planFlush(workspace, pause);
  if (flush !== undefined) waitUntil(flushLater(env, flush));
  return undefined;
}

/** Books it; done when the object has. Throws when it cannot be reached. */
export async function bookNow(
  env: WorkspaceBindings,
  workspace: string,
  ended: RequestEnd,
): Promise<void> {
  await unlessDeleted(book(env, workspace, [{ ended }]));
}

/** Has everything booked that ended in this isolate until now; what fails waits on. */
export async function bookEnded(env: WorkspaceBindings, workspace: string): Promise<void> {
  if (!queue.holds(workspace)) return;
  let left = queue.size(workspace);
  let batch = queue.takeAll(workspace);
  while (batch !== undefined && (await isBooked(env, workspace, batch))) {
    left -= batch.requests.length;
    batch = left > 0 ? queue.take(workspace) : undefined;
  }
}

/** The same for all workspaces. */
export async function bookAllEnded(env: WorkspaceBindings): Promise<void> {
  await Promise.all(queue.workspaces().map((workspace) => bookEnded(env, workspace)));
}

/** Asks for admission; what ended before is booked first. `mayWait`: the answer may come when a slot is free. */
export async function askAdmission(
  env: WorkspaceBindings,
  { workspace, request }: { workspace: string; request: AdmitRequest },
  mayWait: boolean,
): Promise<AdmitAnswer> {
  if (mayWait) return await askInLine(env, workspace, request);
  if (queue.exceedsOneCall(workspace)) await bookEnded(env, workspace);
  const batch = queue.take(workspace);
  if (batch === undefined) return await ask(env, workspace, { request });
  try {
    const answer = await ask(env, workspace, { request, ended: sentOf(batch) });
    queue.booked(workspace, batch);
    return answer;
  } catch (error) {
    if (isDeletedWorkspaceError(error)) queue.booked(workspace, batch);
    else queue.failed(workspace, batch);
    throw error;
  }
}

/** An answer that comes late must not keep open whether what it took along was booked. */
async function askInLine(
  env: WorkspaceBindings,
  workspace: string,
  request: AdmitRequest,
): Promise<AdmitAnswer> {
  // From now on: what ends while others are booked is brought at once, too.
  queue.asks(workspace);
  try {
    await bookEnded(env, workspace);
    return await ask(env, workspace, { request });
  } finally {
    queue.answered(workspace);
  }
}

async function ask(
  env: WorkspaceBindings,
  workspace: string,
  call: AdmissionCall,
): Promise<AdmitAnswer> {
  try {
    const text = JSON.stringify(call);
    const answer = await callWorkspace(env, workspace, (stub, again) =>
      stub.admitNext(again ? JSON.stringify(repeated(call)) : text),
    );
    // Written by the object as this type.
    return JSON.parse(answer) as AdmitAnswer;
  } catch (error) {
    if (!lacksMethod(error)) throw error;
    return await callWorkspace(env, workspace, (stub) => askAsBefore(stub, call));
  }
}

/** The same, of which the object may have booked what ended. */
function repeated({ request, ended }: AdmissionCall): AdmissionCall {
  return ended === undefined ? { request } : { request, ended: allAgain(ended) };
}

function allAgain(ended: readonly SentRequest[]): SentRequest[] {
  return ended.map((one) => ({ ended: one.ended, again: true }));
}

/** By the methods that an object of the version before has. */
async function askAsBefore(
  stub: WorkspaceStub,
  { request, ended = [] }: AdmissionCall,
): Promise<AdmitAnswer> {
  await bookAsBefore(stub, ended);
  const answer = await stub.admit(request);
  if (answer.verdict !== "admitted") return answer;
  // The version before that one answers with a stub of the lease; in both the lease has the request's id.
  return { ...answer, lease: answer.lease === null ? null : { id: request.requestId } };
}

/** Brings what waits then, and goes on until all of it is booked, or another flush has taken its place. */
async function flushLater(env: WorkspaceBindings, flush: PlannedFlush): Promise<void> {
  const { workspace } = flush;
  for (let tries = 0; ; tries += 1) {
    await pauseUntil(flush.wakesAt);
    if (!queue.isCurrent(flush)) return;
    const batch = queue.take(workspace);
    if (batch !== undefined) await isBooked(env, workspace, batch);
    if (!queue.holds(workspace)) return queue.flushed(flush);
    const retry = retries[tries];
    if (retry === undefined) return giveUp(flush);
    flush.wakesAt = Date.now() + retry;
  }
}

async function pauseUntil(time: number): Promise<void> {
  const pause = time - Date.now();
  if (pause > 0) await scheduler.wait(pause);
}

/** Slots that are not freed expire. */
function giveUp(flush: PlannedFlush): void {
  if (!queue.isCurrent(flush)) return;
  const lost = queue.clear(flush.workspace);
  queue.flushed(flush);
  if (lost > 0) console.error(`${lost} ended requests of ${flush.workspace} could not be booked`);
}

/** Sends the batch; false: it waits on. */
async function isBooked(
  env: WorkspaceBindings,
  workspace: string,
  batch: EndedBatch,
): Promise<boolean> {
  try {
    await unlessDeleted(book(env, workspace, sentOf(batch)));
    queue.booked(workspace, batch);
    return true;
  } catch (error) {
    queue.failed(workspace, batch);
    console.warn(`ended requests wait to be booked: ${String(error)}`);
    return false;
  }
}

async function book(
  env: WorkspaceBindings,
  workspace: string,
  ended: readonly SentRequest[],
): Promise<void> {
  const text = JSON.stringify(ended);
  await onAdmittingWorkspace(env, workspace, async (stub, again) => {
    try {
      await stub.bookEnded(again ? JSON.stringify(allAgain(ended)) : text);
    } catch (error) {
      if (!lacksMethod(error)) throw error;
      await bookAsBefore(stub, ended);
    }
  });
}

async function bookAsBefore(stub: WorkspaceStub, sent: readonly SentRequest[]): Promise<void> {
  for (const { ended } of sent) {
    if (ended.kind === "refused") await stub.log(ended.record);
    else await stub.settleLate(ended.record, ended.reasoning);
  }
}

/** A request that outlives its workspace is booked nowhere. */
async function unlessDeleted(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isDeletedWorkspaceError(error)) throw error;
  }
}
