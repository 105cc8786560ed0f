import type { LabelledRecord } from "./routing-data.ts";
export function seedRecords(): LabelledRecord[] {
  return [];
}
