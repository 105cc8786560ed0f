/** Plays a session: the human, the client and its agents, one request after the other. */
import { claudeCode } from "./clients/claude-code.ts";
import {
  type AgentClient,
  type AskManner,
  type ClientConversation,
  type ClientName,
  type ConversationSetup,
  eventsOf,
  type Ran,
  type WireRequest,
} from "./clients/client.ts";
import { codex } from "./clients/codex.ts";
import { opencode } from "./clients/opencode.ts";
import { Conversation, type Conversations, type Served } from "./conversation.ts";
import { prose } from "./material.ts";
import type { ModelSet } from "./model-sets.ts";
import type { AskKind, AskPlan, SessionPlan } from "./plan-session.ts";
import type { Chooser, Policy } from "./policies.ts";
import { sentAgain } from "./sent-again.ts";
import { seededRandom } from "../training/random.ts";
import { type Failure, type Step, Work, type WorkPlan } from "./work.ts";

/** What came of an ask. */
export interface AskResult {
  readonly kind: AskKind;
  readonly need: WorkPlan["need"];
  readonly failure: Failure;
  readonly counts: boolean;
  readonly solved: boolean;
}

/** What came of a session. */
export interface SessionResult {
  readonly number: number;
  readonly client: ClientName;
  readonly asks: readonly AskResult[];
  readonly served: readonly Served[];
  readonly switches: number;
  readonly escalations: number;
}

export interface SessionSetting {
  readonly plan: SessionPlan;
  readonly policy: Policy;
  readonly set: ModelSet;
  /** The gateway, and the key of the workspace. */
  readonly base: string;
  readonly key: string;
  readonly conversations: Conversations;
  readonly pause: () => Promise<void>;
  /** Is told of every ask and request. */
  readonly tell?: (line: string) => void;
}

const clients: Readonly<Record<ClientName, AgentClient>> = { claude: claudeCode, codex, opencode };

/** A conversation from the client's side. */
interface Thread {
  readonly conversation: Conversation;
  readonly wire: ClientConversation;
  readonly chooser: Chooser;
  readonly setup: ConversationSetup;
}

let opened = 0;

/** Plays one session to its end. */
export async function playSession(setting: SessionSetting): Promise<SessionResult> {
  const session = new Session(setting);
  return await session.play();
}

class Session {
  readonly #client: AgentClient;
  readonly #main: Thread;
  readonly #opened: Conversation[] = [];

  readonly setting: SessionSetting;

  constructor(setting: SessionSetting) {
    this.setting = setting;
    this.#client = clients[setting.plan.client];
    this.#main = this.#open("main");
  }

  async play(): Promise<SessionResult> {
    const { plan, conversations } = this.setting;
    await this.#title(plan.asks[0]?.text ?? "");
    const asks: AskResult[] = [];
    for (const ask of plan.asks) {
      if (ask.afterPause) await this.setting.pause();
      if (ask.afterCompaction) await this.#compact();
      const solved = await this.#ask(ask);
      const { kind, counts, work } = ask;
      asks.push({ kind, counts, solved, need: work.need, failure: work.failure });
    }
    conversations.forget(this.#opened.map(({ tag }) => tag));
    const main = this.#opened.filter(({ role }) => role !== "title");
    return {
      number: plan.number,
      client: plan.client,
      asks,
      served: this.#opened.flatMap(({ served }) => served),
      switches: main.reduce((sum, { switches }) => sum + switches, 0),
      escalations: main.reduce((sum, { escalations }) => sum + escalations, 0),
    };
  }

  /** Until it is right, nobody sees that it is wrong, or the human stops trying. */
  async #ask(plan: AskPlan): Promise<boolean> {
    const { wire, chooser } = this.#main;
    const work = new Work(plan.work);
    let manner: AskManner = plan.planMode ? "plan" : "plain";
    let interrupts = plan.interruptAfter;
    chooser.asked(false);
    wire.ask(plan.text, manner);
    const { need, failure } = plan.work;
    this.setting.tell?.(`\n${plan.kind}, needs ${need}, ${failure}: ${plan.text}`);
    for (const complaint of [...plan.complaints, undefined]) {
      const interrupted = await this.#work(this.#main, work, interrupts);
      if (work.standing === "right") return true;
      if (work.standing === "unnoticed") return false;
      if (interrupted) interrupts = undefined;
      manner = interrupted ? "interrupting" : "plain";
      if (complaint === undefined) break;
      work.again();
      chooser.asked(true);
      wire.ask(complaint, manner);
      this.setting.tell?.(`  ${interrupted ? "interrupts" : "complains"}: ${complaint}`);
    }
    const resigned = new Work({ ...plan.work, need: 1, steps: 0, delegates: [] });
    chooser.asked(false);
    wire.ask(plan.resignation, manner);
    await this.#work(this.#main, resigned, undefined);
    return false;
  }

  /** Lets the model work until it ends. Returns true when the human interrupts it. */
  async #work(thread: Thread, work: Work, interruptAfter: number | undefined): Promise<boolean> {
    const { conversation, wire, chooser } = thread;
    conversation.expected = { kind: "work", work };
    for (;;) {
      const calls = await this.#send(thread, (model) => wire.request(model));
      const steps = conversation.turn?.steps ?? [];
      if (calls !== steps.length)
        throw new Error(`${steps.length} calls were made and ${calls} arrived`);
      if (calls === 0) return false;
      const ran: Ran[] = [];
      for (const step of steps) ran.push(await this.#run(step, work));
      wire.results(ran);
      chooser.ran(ran);
      if (interruptAfter !== undefined && work.strays >= interruptAfter) return true;
    }
  }

  async #run({ action, outcome }: Step, work: Work): Promise<Ran> {
    if (outcome.kind !== "report") return { action, outcome };
    const delegated = work.plan.delegates.find(
      ({ prompt }) => action.kind === "delegate" && prompt === action.prompt,
    );
    if (delegated === undefined) throw new Error("a delegated part that nobody planned");
    const { agent, prompt, plan } = delegated;
    const thread = this.#open(agent);
    const part = new Work(plan);
    thread.chooser.asked(false);
    thread.wire.ask(prompt, "plain");
    await this.#work(thread, part, undefined);
    if (part.standing !== "right") work.redo(3);
    const text = thread.conversation.turn?.text ?? "";
    return { action, outcome: { kind: "fine", text } };
  }

  async #title(ask: string): Promise<void> {
    const thread = this.#open("title");
    const write = this.#client.title(thread.setup, ask);
    if (write === undefined) return;
    const text = '{"title":"Work on the shop"}';
    thread.conversation.expected = { kind: "say", role: "title", text };
    thread.chooser.asked(false);
    await this.#send(thread, write);
  }

  async #compact(): Promise<void> {
    const { conversation, wire } = this.#main;
    const text = prose(seededRandom(this.#opened.length), 700);
    conversation.expected = { kind: "say", role: "compaction", text };
    await this.#send(this.#main, (model) => wire.compaction(model));
    wire.resume(text);
  }

  #open(role: Conversation["role"]): Thread {
    const { plan, policy, set, conversations } = this.setting;
    const tag = (opened++).toString(36);
    const conversation = conversations.add(new Conversation(tag, role, this.#client.tools));
    this.#opened.push(conversation);
    const isAgent = role === "Explore" || role === "general-purpose";
    const first = this.#opened[0]?.tag ?? tag;
    const setup: ConversationSetup = {
      tag,
      sessionId: `session ${first}`,
      hints: plan.hints,
      ...(isAgent && { agent: { type: role, id: `agent ${tag}` } }),
    };
    return { conversation, setup, wire: this.#client.open(setup), chooser: policy.chooser(set) };
  }

  /** Sends a request as the policy has it. Returns how many calls the answer has. */
  async #send(
    { chooser, conversation, wire }: Thread,
    write: (model: string) => WireRequest,
  ): Promise<number> {
    const { base, key } = this.setting;
    const { model, headers: chosen } = chooser.next();
    const { path, headers, body } = write(model);
    const send = (): Promise<Response> =>
      fetch(base + path, {
        method: "POST",
        headers: {
          ...headers,
          ...chosen,
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
        },
        body: JSON.stringify(body),
      });
    const before = conversation.served.length;
    const response = await sentAgain(send, () => conversation.served.length > before);
    const answer = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${answer.slice(0, 500)}`);
    this.setting.tell?.(toldRequest(conversation, response.headers.get("x-gateway-reason")));
    return wire.read(eventsOf(answer));
  }
}

function toldRequest({ role, served, turn }: Conversation, reason: string | null): string {
  const last = served.at(-1);
  const did = turn?.steps.map(({ action, outcome }) => `${action.kind} (${outcome.kind})`) ?? [];
  const tokens = ((last?.uncached ?? 0) + (last?.read ?? 0) + (last?.written ?? 0)) / 1000;
  const cost = `${tokens.toFixed(0)}k $${(last?.usd ?? 0).toFixed(3)}`;
  return `  ${role} ${last?.model.name ?? ""} ${cost}: ${did.join(", ") || "ends"} | ${reason ?? ""}`;
}
