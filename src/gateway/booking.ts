/** Reports an ended request to its workspace: its slot is freed, its usage booked, and its row written. */
import type { RequestEnd } from "../workspace/contract/request-end.ts";
import type { Identified } from "./identify.ts";
import type { Services } from "./services.ts";

type Booking = Pick<Services, "workspaces" | "drain">;

/** Reports it after the response; a promise if the response's end has to wait for it. It never rejects. */
export function bookRequest(
  ended: RequestEnd,
  { holder, waitUntil }: Pick<Identified, "holder" | "waitUntil">,
  { workspaces, drain }: Booking,
): Promise<void> | undefined {
  const unbooked = workspaces.bookLater(holder.workspace, ended, waitUntil);
  // What waits in memory would end with the process.
  const booking = drain.announced() ? saved(unbooked, { workspaces, drain }) : unbooked;
  if (booking === undefined) return undefined;
  const told = booking.catch(logLost);
  if (ended.kind === "settled") return told;
  // The row of a refused request keeps nobody waiting.
  waitUntil(told);
  return undefined;
}

async function saved(
  unbooked: Promise<void> | undefined,
  { workspaces, drain }: Booking,
): Promise<void> {
  await unbooked;
  await workspaces.bookAll();
  await drain.saved();
}

/** The request loses its row, not its response: a lease that is not settled expires. */
function logLost(error: unknown): void {
  console.error("the end of a request could not be recorded:", String(error));
}
