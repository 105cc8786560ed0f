/** Jurisdictions as pages name them. */
import { type Jurisdiction, jurisdictions } from "../../store/jurisdiction.ts";
import type { SelectOption } from "./fields.tsx";

/** Their names. */
export const jurisdictionNames: Readonly<Record<Jurisdiction, string>> = {
  eu: "European Union",
  us: "United States",
};

/** A choice among them, with the option that means none of them first. */
export function jurisdictionOptions(
  none: string,
  offered: readonly Jurisdiction[] = jurisdictions,
): SelectOption[] {
  const named = offered.map((name) => ({ value: name, label: jurisdictionNames[name] }));
  return [{ value: "", label: none }, ...named];
}
