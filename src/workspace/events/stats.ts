/** What became of deliveries in this isolate, for the metrics of whoever runs it. */

/** Deliveries that wait, and since the isolate began: those that arrived, were given up, and found no room. */
export interface WebhookStats {
  queued: number;
  sent: number;
  failed: number;
  dropped: number;
}

const counts = { sent: 0, failed: 0, dropped: 0 };
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
  return { queued, ...counts };
}
