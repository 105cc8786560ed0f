/** Times in queries. */
import * as z from "zod";

/** A time that `Date.parse` reads, like `2026-01-31T12:00:00Z`. */
export const timeSchema = z
  .string()
  .refine((text) => Number.isFinite(Date.parse(text)), "must be a time in ISO 8601");
