/** Simulates sessions of coding agents, in the shapes of their real requests. */
import type { Block, Message, Tool, ModelRequest } from "../../src/core/request.ts";
import { estimateRequest } from "../../src/tokens/estimate.ts";

/** One request of a simulated session. */
export interface SessionStep {
  request: ModelRequest;
  headers: { get(name: string): string | null };
  /** Milliseconds since the step before. */
  pauseMs: number;
  /** Estimated input tokens. */
  inputTokens: number;
  outputTokens: number;
  inToolLoop: boolean;
  /** A background request: it shares no prefix with the conversation. */
  background: boolean;
}

type Random = () => number;

/** Easy asks; most of a working day. */
const easyAsks = [
  "run the tests",
  "commit this with a short message",
  "rename the variable to retryCount",
  "yes",
  "what does this function do?",
  "add a line to the changelog",
  "show me the diff",
  "fix the typo in the readme",
  "bump the version",
  "continue",
  "which files use this class?",
  "format the file",
];
const hardAsks = [
  "Design a cache for the session store with invalidation across instances and explain the trade-offs in detail.",
  "The integration tests deadlock under load. Analyse the traceback, find the race condition and fix it.",
  "Refactor the billing module to be idempotent, migrate the schema and write unit tests for the failure paths.",
  "Compare three strategies for sharding the events table and develop a migration plan without downtime.",
  "Implement a parser for the expression language with error recovery and optimise it for large inputs.",
];
const hardestAsks = [
  "ultrathink about why the consensus protocol loses a committed entry after two partitions",
];

const fillerText =
  "the handler reads a record from the queue and writes the result to the store before it acknowledges the message ";

/** Tool results: files, listings, test runs, tracebacks. */
const toolOutputs = [
  `export async function handle(request: Request): Promise<Response> {
  const record = await store.get(new URL(request.url).pathname);
  if (record === undefined) return new Response("not found", { status: 404 });
  return new Response(record.body, { headers: { etag: record.hash } });
}
`,
  `class LedgerEntry(models.Model):
    account = models.ForeignKey(Account, on_delete=models.CASCADE)
    amount = models.DecimalField(max_digits=12, decimal_places=2)

    def save(self, *args, **kwargs):
        self.full_clean()
        super().save(*args, **kwargs)
`,
  `diff --git a/src/queue.go b/src/queue.go
@@ -41,7 +41,9 @@ func (q *Queue) Pop(ctx context.Context) (*Job, error) {
-\tjob := <-q.jobs
+\tselect {
+\tcase job := <-q.jobs:
+\t\treturn job, nil
`,
  "src/app.ts\nsrc/worker.ts\nsrc/store/config.ts\ntest/app.test.ts\n",
  "PASS test/app.test.ts (12 tests) 340 ms\nPASS test/store.test.ts (31 tests) 512 ms\n",
  `FAIL test/billing.test.ts > retries are idempotent
AssertionError: expected 2 to be 1
    at test/billing.test.ts:48:27
    at processTicksAndRejections (node:internal/process/task_queues:95:5)
`,
  `Traceback (most recent call last):
  File "app/models.py", line 42, in save
    self.full_clean()
sqlalchemy.exc.OperationalError: deadlock detected while waiting for ShareLock
`,
  `2026-11-02T09:14:07Z WARN consumer lag 48211 partition=7 group=billing
2026-11-02T09:14:09Z ERROR redis connection reset by peer, retry in 2s
`,
  "| id | status | total |\n| 17 | open | 40.20 |\n| 18 | paid | 12.00 |\n",
  `## Sharding
Compare hash and range partitioning before you migrate. Hash spreads writes evenly; range keeps scans local. Plan the
migration so that both schemas are written while the backfill runs, and verify checksums before the cut-over.
`,
];

function toolOutput(next: Random, tokens: number): string {
  const piece = toolOutputs[Math.floor(next() * toolOutputs.length)] ?? fillerText;
  return piece.repeat(Math.ceil((tokens * 4) / piece.length));
}

function filler(tokens: number): string {
  return fillerText.repeat(Math.ceil(tokens / 20)).slice(0, tokens * 5);
}

/** What one client always sends. */
interface ClientShape {
  headers: Record<string, string>;
  instructions: string;
  tools: number;
  format: ModelRequest["format"];
}

const shapes: readonly ClientShape[] = [
  {
    headers: { "user-agent": "claude-cli/2.1.329 (external, cli)" },
    instructions: "You are Claude Code, Anthropic's official CLI for Claude.",
    tools: 20,
    format: "messages",
  },
  {
    headers: { "user-agent": "codex_exec/0.169.0", originator: "codex_exec" },
    instructions: "You are Codex, a coding agent.",
    tools: 9,
    format: "responses",
  },
];

/** Tool calls after one ask, on average. */
const meanCalls = 6;
/** A session ends where an agent would compact it. */
const maxPrefix = 150_000;

/** One session: a title request, then asks, each with a loop of tool calls. */
export function simulateSession(next: Random, number: number): SessionStep[] {
  const shape = shapes[number % shapes.length] ?? shapes[0];
  if (shape === undefined) return [];
  const given = { ...shape.headers, "x-gateway-session": `session-${number}` };
  const headers = { get: (name: string) => new Map(Object.entries(given)).get(name) ?? null };
  const messages: Message[] = [
    {
      role: "instruction",
      blocks: [text(shape.instructions + filler(8000 + Math.floor(next() * 6000)))],
      top: true,
    },
  ];
  const steps: SessionStep[] = [titleStep(shape, headers)];
  const asks = 4 + Math.floor(next() * 14);
  for (let ask = 0; ask < asks; ask++) {
    if ((steps.at(-1)?.inputTokens ?? 0) > maxPrefix) break;
    messages.push({ role: "user", blocks: [text(askFor(next))] });
    // Mostly the next ask follows soon; sometimes after a break in which the cache expires.
    const pauseMs = next() < 0.12 ? 20 * 60_000 : 20_000 + next() * 200_000;
    steps.push(stepOf({ shape, messages, headers, next }, { pauseMs, inToolLoop: false }));
    const calls = Math.min(24, Math.floor(-meanCalls * Math.log(1 - next())));
    for (let call = 0; call < calls && (steps.at(-1)?.inputTokens ?? 0) <= maxPrefix; call++) {
      messages.push(...toolStep(`${ask}-${call}`, next));
      steps.push(
        stepOf(
          { shape, messages, headers, next },
          { pauseMs: 4000 + next() * 15_000, inToolLoop: true },
        ),
      );
    }
    messages.push({ role: "assistant", blocks: [text(filler(150 + Math.floor(next() * 300)))] });
  }
  return steps;
}

function askFor(next: Random): string {
  const kind = next();
  const list = kind < 0.68 ? easyAsks : kind < 0.96 ? hardAsks : hardestAsks;
  return list[Math.floor(next() * list.length)] ?? "continue";
}

function text(value: string): Block {
  return { kind: "text", text: value };
}

/** A call and its result; one in ten fails. */
function toolStep(id: string, next: Random): Message[] {
  const failed = next() < 0.1;
  return [
    {
      role: "assistant",
      blocks: [
        { kind: "call", id, name: "Bash", call: "function", input: `{"command":"step ${id}"}` },
      ],
    },
    {
      role: "user",
      blocks: [
        {
          kind: "result",
          id,
          call: "function",
          blocks: [text(failed ? "Error: not found" : toolOutput(next, resultTokens(next)))],
          isError: failed,
          path: "",
        },
      ],
    },
  ];
}

/** Most results are short; a whole file can be very long. */
function resultTokens(next: Random): number {
  const kind = next();
  if (kind < 0.6) return 50 + Math.floor(next() * 800);
  return kind < 0.93 ? 800 + Math.floor(next() * 4000) : 6000 + Math.floor(next() * 20_000);
}

/** The session so far. */
interface SessionSoFar {
  shape: ClientShape;
  messages: readonly Message[];
  headers: SessionStep["headers"];
  next: Random;
}

function stepOf(
  { shape, messages, headers, next }: SessionSoFar,
  { pauseMs, inToolLoop }: Pick<SessionStep, "pauseMs" | "inToolLoop">,
): SessionStep {
  const request = requestOf(shape, [...messages]);
  return {
    request,
    headers,
    pauseMs,
    inToolLoop,
    background: false,
    inputTokens: estimateRequest(request),
    outputTokens: 80 + Math.floor(next() * 700),
  };
}

function titleStep(shape: ClientShape, headers: SessionStep["headers"]): SessionStep {
  const instruction =
    "Generate a concise, sentence-case title (3-7 words) for this coding session.";
  const request = {
    ...requestOf(shape, [
      { role: "instruction", blocks: [text(instruction)] },
      { role: "user", blocks: [text("fix the login test")] },
    ]),
    tools: [],
  };
  return {
    request,
    headers,
    pauseMs: 500,
    inputTokens: estimateRequest(request),
    outputTokens: 12,
    inToolLoop: false,
    background: true,
  };
}

function requestOf(shape: ClientShape, messages: Message[]): ModelRequest {
  const tools: Tool[] = Array.from({ length: shape.tools }, (_, at) => ({
    kind: "function",
    name: `tool_${at}`,
    description: filler(80),
    path: "tools[]",
  }));
  return {
    format: shape.format,
    model: "auto",
    stream: true,
    wantsUsage: false,
    messages,
    tools,
    stop: [],
    sampling: {},
    unsupported: [],
    paths: {},
    openaiOnly: {},
  };
}
