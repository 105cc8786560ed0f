/** Thoughts and thought signatures in the history of a Gemini request. */
import type { Block, CallBlock, OpaqueState, ThinkingBlock } from "../../../core/request.ts";
import { asString } from "../../../lib/json.ts";
import { readSignature } from "../shared/carried-states.ts";
import { signatureTypes, skipValidation, type SignedPart } from "../shared/thought-signature.ts";
import type { Members } from "./read-members.ts";

/** What a part's signature stands for. */
export interface PartSignature {
  /** State of the part itself. */
  readonly own?: OpaqueState;
  /** States of thinking before the part, which its client may have dropped. */
  readonly thinking: readonly OpaqueState[];
  readonly path: string;
}

/** Nothing where there is none, and for the word that stands in for one. A signature without tag is Gemini's own. */
export function readPartSignature(part: Members, kind: SignedPart): PartSignature {
  const signature = asString(part.get("thoughtSignature")) ?? "";
  const path = part.pathOf("thoughtSignature");
  if (signature === "" || isSkipped(signature)) return { thinking: [], path };
  const carried = readSignature(signature);
  if (!carried) {
    const own = { format: "gemini", type: signatureTypes[kind], data: signature } as const;
    return { own, thinking: [], path };
  }
  const own = carried.find(({ owner }) => owner === "part")?.state;
  const thinking = carried.flatMap(({ state, owner }) => (owner === "thinking" ? [state] : []));
  return { ...(own && { own }), thinking, path };
}

/** Typed clients write the word in base64, as they do every signature. */
function isSkipped(signature: string): boolean {
  return signature === skipValidation || signature === btoa(skipValidation);
}

/** A thought; its text alone where the client brought no state with it. */
export function thought(text: string, path: string, state?: OpaqueState): ThinkingBlock {
  const redacted = state !== undefined && state.type.startsWith("redacted");
  return {
    kind: "thinking",
    text,
    ...(state && { state }),
    ...(redacted && { redacted: true }),
    path,
  };
}

/** The call with its state. */
export function withState(call: CallBlock, { own, path }: PartSignature): CallBlock {
  return own === undefined ? call : { ...call, state: own, statePath: path };
}

/**
 * States come behind the thoughts that they belong to. Where a turn brings as many thoughts as states, each thought
 * gets its own back; else the states stand alone, since which of the texts they prove is unknown.
 */
export function pairThoughts(blocks: readonly Block[]): Block[] {
  const thoughts = blocks.filter((block) => block.kind === "thinking");
  const loose = thoughts.filter(isLooseState);
  if (loose.length === 0 || thoughts.filter(isBareThought).length !== loose.length)
    return [...blocks];
  let next = 0;
  return blocks.flatMap((block): Block[] => {
    if (block.kind !== "thinking") return [block];
    if (isLooseState(block)) return [];
    return isBareThought(block) ? [thought(block.text, block.path, loose[next++]?.state)] : [block];
  });
}

function isBareThought({ text, state }: ThinkingBlock): boolean {
  return text !== "" && state === undefined;
}

/** Hidden thinking never had a text, and Gemini's own states say which part they came with. */
function isLooseState({ text, state, redacted }: ThinkingBlock): boolean {
  return text === "" && state !== undefined && state.format !== "gemini" && redacted !== true;
}
