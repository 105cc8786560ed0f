/**
 * A document on its way through the page that asks whether to import it: sealed, so that the secrets in it are neither shown
 * nor kept by whatever keeps pages.
 */
import { keyringOf } from "../../../../store/keyring.ts";
import { isSealed, open, seal } from "../../../../store/seal.ts";
import { fieldProblem } from "../../../shared/forms.ts";

/** Who imports, and the deployment's `ENCRYPTION_KEY`. */
interface Sealing {
  readonly workspace: string;
  readonly encryptionKeys: string;
}

const name = "document";

function placeIn(workspace: string) {
  return { workspace, provider: "import", field: name };
}

/** The text as the page carries it. */
export async function sealedDocument(
  text: string,
  { workspace, encryptionKeys }: Sealing,
): Promise<string> {
  return await seal(text, placeIn(workspace), await keyringOf(encryptionKeys));
}

/** The form with the document as it was entered. Throws a problem of the field `document` where it cannot be opened. */
export async function openedForm(
  form: URLSearchParams,
  { workspace, encryptionKeys }: Sealing,
): Promise<URLSearchParams> {
  const given = form.get(name) ?? "";
  if (!isSealed(given)) return form;
  const text = await open(given, placeIn(workspace), await keyringOf(encryptionKeys));
  if (text === undefined) throw fieldProblem(name, "this page is too old: paste it again");
  const opened = new URLSearchParams(form);
  opened.set(name, text);
  return opened;
}
