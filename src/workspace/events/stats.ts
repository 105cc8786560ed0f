/** Outcomes of deliveries in this isolate, for the operator's metrics. */

/** As sinks say it of what they take. */
export interface WebhookStats {
  readonly name: "webhooks";
  /** Deliveries that wait. */
  readonly queued: number;
  /** Since the isolate began: those that arrived, and those that were given up. */
  readonly sent: number;
  readonly dropped: number;
}

const counts = { sent: 0, dropped: 0 };
/** By workspace; those without waiting deliveries are left out. */
const waiting = new Map<string, number>();

/** Adds to what is counted. */
export function countWebhooks(of: keyof typeof counts, many = 1): void {
  counts[of] += many;
}

/** The workspace has so many waiting deliveries now. */
export function noteWaiting(workspace: string, many: number): void {
  if (many > 0) waiting.set(workspace, many);
  else waiting.delete(workspace);
}

/** The counts of this isolate. */
export function webhookStats(): WebhookStats {
  let queued = 0;
  for (const many of waiting.values()) queued += many;
  return { name: "webhooks", queued, ...counts };
}
