/** What a change of the whole document would take away, said loudly, and the question that has to be answered first. */
import type { ConfigPreview } from "../../admin/shared/document/config-preview.ts";
import { configConflict } from "../../admin/shared/errors.ts";
import { sha256 } from "../../lib/sha256.ts";
import { field } from "../shared/forms.ts";
import { Alert } from "./display.tsx";

/** `3 providers, 1 harness and 2 keys`; undefined where the change takes none of them away. */
export function removalWords({ removes, stops_keys: keys }: ConfigPreview): string | undefined {
  const parts = [
    counted(removes.providers.length, "provider", "providers"),
    counted(removes.harnesses.length, "harness", "harnesses"),
    counted(keys.length, "key", "keys"),
  ].filter((part) => part !== undefined);
  const last = parts.pop();
  if (last === undefined) return undefined;
  return parts.length === 0 ? last : `${parts.join(", ")} and ${last}`;
}

function counted(number: number, one: string, several: string): string | undefined {
  return number === 0 ? undefined : `${number} ${number === 1 ? one : several}`;
}

/** What the check box sends: which of them, not only how many. */
function agreed({ removes, stops_keys: keys }: ConfigPreview): string {
  const names = [removes.providers, removes.harnesses, keys.map(({ id }) => id)];
  return sha256(JSON.stringify(names)).slice(0, 32);
}

/** Throws 409 where the form does not agree to what the change takes away now. */
export function checkAnswered(preview: ConfigPreview, form: URLSearchParams): void {
  const words = removalWords(preview);
  if (words === undefined || field(form, "removes") === agreed(preview)) return;
  throw configConflict(`Nothing was changed. Check the box to delete ${words}.`);
}

/** Names that are listed of each kind. */
const listed = 20;

/** The warning with its check box, inside the form; nothing if nothing is removed. */
export function RemovalQuestion({ preview }: { preview: ConfigPreview }) {
  const words = removalWords(preview);
  if (words === undefined) return null;
  const { removes, stops_keys: keys } = preview;
  return (
    <Alert kind="bad">
      <strong>{`This deletes ${words}.`}</strong>
      <ul class="removals">
        <Removed label="Providers, with their API keys" names={removes.providers} />
        <Removed label="Harnesses, with their routing and limits" names={removes.harnesses} />
        <Removed
          label="Keys that stop working"
          names={keys.map(
            ({ name, harness, last4 }) =>
              `${name === "" ? "unnamed" : name} (…${last4}, ${harness})`,
          )}
        />
      </ul>
      <div class="check">
        <input id="f-removes" type="checkbox" name="removes" value={agreed(preview)} required />
        <div>
          <label for="f-removes">{`Delete ${words}`}</label>
        </div>
      </div>
    </Alert>
  );
}

function Removed({ label, names }: { label: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  const more = names.length - listed;
  return (
    <li class="anywhere">
      {`${label}: ${names.slice(0, listed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`}
    </li>
  );
}

/** Names what else the change takes away, which needs no answer of its own; nothing where it takes nothing else. */
export function RemovedSettings({ preview: { changes } }: { preview: ConfigPreview }) {
  const paths = changes
    .filter(({ path, after }) => after === undefined && !entryPath.test(path))
    .map(({ path }) => path);
  if (paths.length === 0) return null;
  const more = paths.length > listed ? ` and ${paths.length - listed} more` : "";
  return (
    <p class="anywhere">{`Settings that are removed: ${paths.slice(0, listed).join(", ")}${more}.`}</p>
  );
}

/** Providers and harnesses, which the question names. */
const entryPath = /^(?:providers|harnesses)(?:\.[a-z0-9-]+)?$/;

/** Keys that the change brings back; nothing where it brings back none. */
export function ReturningKeys({ preview: { returns_keys: keys } }: { preview: ConfigPreview }) {
  if (keys.length === 0) return null;
  const names = keys
    .slice(0, listed)
    .map(({ name, last4 }) => `${name === "" ? "unnamed" : name} (…${last4})`);
  const more = keys.length > listed ? ` and ${keys.length - listed} more` : "";
  return (
    <p class="anywhere">
      {`${keys.length === 1 ? "1 key works" : `${keys.length} keys work`} again: ${names.join(", ")}${more}.`}
    </p>
  );
}
