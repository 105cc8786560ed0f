/** The endpoints of operations. Their errors have OpenAI's form. */
import { clientFormats } from "../../formats/index.ts";
import { allOperations } from "../../operations/records.ts";
import { handlingOperation } from "../operations/handle-operation.ts";
import type { PublicEndpoint } from "./endpoint.ts";

export const operationEndpoints: readonly PublicEndpoint[] = allOperations.map((operation) => ({
  path: operation.path,
  method: "POST",
  client: clientFormats.chat,
  generates: true,
  operation: operation.name,
  handler: handlingOperation({ operation, form: "openai" }),
}));
