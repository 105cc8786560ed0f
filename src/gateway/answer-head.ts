/**
 * The head of a model's answer. What many answers have alike is made once and copied whole, which costs the runtime a
 * quarter of setting each header.
 */
import { Memory } from "../workspace/memory.ts";
import { type HeaderFacts, type HeaderRecord, ownHeaders, sharedHeaders } from "./headers.ts";

/** What the head of an answer is made from. */
export interface AnswerHead {
  readonly facts: HeaderFacts;
  /** The type of the content, and what else goes with how it is sent. */
  readonly form: HeaderRecord;
  /** Headers of this response only; they take precedence over all others. */
  readonly own: HeaderRecord;
}

/** By everything that they are made from. */
const kept = new Memory<Headers>(500);

/** A response with that head. */
export function answerWith(body: BodyInit | null, { facts, form, own }: AnswerHead): Response {
  const response = new Response(body, { headers: sharedBy(facts, form) });
  setEach(response.headers, ownHeaders(facts));
  setEach(response.headers, own);
  return response;
}

/** To be copied only. */
function sharedBy(facts: HeaderFacts, form: HeaderRecord): Headers {
  const name = nameOf(facts, form);
  const known = kept.get(name);
  if (known !== undefined) return known;
  const made = new Headers({ ...sharedHeaders(facts), ...form });
  kept.set(name, made);
  return made;
}

function nameOf({ received, rate, routing, refusedWith }: HeaderFacts, form: HeaderRecord): string {
  const types = Object.values(form).join("\n");
  if (routing === undefined)
    return `${types}\n${rate?.limit}\n${received.policy.name}\n${refusedWith}`;
  const { tier, model, provider, role, score } = routing;
  const name = `${types}\n${rate?.limit}\n${tier}\n${model}\n${provider}\n${role}`;
  return score === undefined ? `${name}\n${routing.reason}\n${routing.confidence}` : name;
}

function setEach(headers: Headers, own: HeaderRecord): void {
  for (const name of Object.keys(own)) headers.set(name, own[name] ?? "");
}
