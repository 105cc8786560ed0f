/** Writes a call as the item of its tool, with its state in a reasoning item next to it. */
import type { OpenCall } from "../../../core/events.ts";
import type { OpaqueState } from "../../../core/request.ts";
import { clientToolItem } from "../shared/client-tools.ts";
import type { BlockContext, BlockWriter } from "./block-writer.ts";
import type { Output } from "./output.ts";
import { callItem, reasoningItem } from "./write-items.ts";

/** A writer of one call. */
export function callWriter(call: OpenCall, context: BlockContext): BlockWriter {
  const { output, clientTools } = context;
  output.closeMessage();
  writeStateItem(output, context.state, "next");
  const isPlain = call.call === "function" && call.namespace === undefined;
  return isPlain && clientTools.has(call.name)
    ? clientToolCallWriter(call, output)
    : toolCallWriter(call, output, context.state !== undefined);
}

/** `hasState`: the call's state was already written. */
function toolCallWriter(call: OpenCall, output: Output, hasState: boolean): BlockWriter {
  const isCustom = call.call === "custom";
  const id = output.newId(isCustom ? "ctc_" : "fc_");
  const type = isCustom ? "response.custom_tool_call_input" : "response.function_call_arguments";
  let input = "";
  let lateState: OpaqueState | undefined;
  const addInput = (added: string): void => {
    input += added;
    output.writeEvent?.(`${type}.delta`, `${output.position(id)},"delta":${JSON.stringify(added)}`);
  };
  output.addItem(callItem(call, { id, input, status: "in_progress" }));
  return {
    delta: addInput,
    state(state) {
      if (!hasState) lateState = state;
    },
    close() {
      // Arguments of no parameters are an empty object, not an empty text.
      if (input === "" && !isCustom) addInput("{}");
      const json = JSON.stringify(input);
      const members = isCustom
        ? `"input":${json}`
        : `"name":${JSON.stringify(call.name)},"arguments":${json}`;
      output.writeEvent?.(`${type}.done`, `${output.position(id)},${members}`);
      output.finishItem(callItem(call, { id, input, status: "completed" }));
      writeStateItem(output, lateState, "previous");
    },
  };
}

/** What the provider wants back with a call, in a reasoning item next to it. */
function writeStateItem(
  output: Output,
  state: OpaqueState | undefined,
  owner: "next" | "previous",
): void {
  if (state?.origin === undefined) return;
  output.wholeItem(reasoningItem(output.newId("rs_"), "", { state, owner }));
}

/** The item of a client-run tool has no events for its input, which is written when it is complete. */
function clientToolCallWriter(call: OpenCall, output: Output): BlockWriter {
  const clientTool = call.name;
  const id = output.newId(clientToolItem(clientTool, "")?.prefix ?? "fc_");
  let input = "";
  output.addItem(callItem(call, { id, input, status: "in_progress", clientTool }));
  return {
    delta(added) {
      input += added;
    },
    close() {
      output.finishItem(callItem(call, { id, input, status: "completed", clientTool }));
    },
  };
}
