/** The built-in demo provider answers in this process. */
import { Problem, problemCodes } from "../core/problem.ts";
import { clientFormats } from "../formats/index.ts";
import { isClientFormat } from "../core/format-name.ts";
import { isInProcess } from "../providers/connection/connection.ts";
import { answerDemo } from "./demo/answer.ts";
import { start, type Open } from "./start.ts";
import type { Layer } from "./upstream.ts";

export const demo: Layer = (next) => (ask) =>
  isInProcess(ask.candidates[0].connection) ? start(ask, openDemo) : next(ask);

const openDemo: Open = async ({ target, body }, signal) => {
  if (!isClientFormat(target.format))
    throw new Problem(problemCodes.internal, "The demo speaks clients' formats only.");
  const format = clientFormats[target.format];
  return { ok: true, response: answerDemo({ format, body, model: target.model, signal }) };
};
