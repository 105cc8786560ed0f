/** Texts of which nobody reads the meaning: prose of models, files, outputs of tools, instructions of clients. */

const words =
  "the handler reads a record from the queue and writes its result to the store before it acknowledges message so that retry finds same state again each caller passes options which are checked once at border inner functions trust their input tests cover empty list missing member late answer and closed connection module exports one function for server page keeps what user typed when request fails".split(
    " ",
  );

/** So many words of prose. */
export function prose(next: () => number, count: number): string {
  const from = Math.floor(next() * words.length);
  const step = 1 + Math.floor(next() * 6);
  let text = "";
  for (let at = 0; at < count; at++) {
    const word = words[(from + at * step + (at >> 4)) % words.length] ?? "the";
    text += at === 0 ? word : at % 14 === 13 ? `${word}. ` : ` ${word}`;
  }
  return text.replaceAll(".  ", ". ");
}

const folders = [
  "src",
  "src/store",
  "src/http",
  "src/billing",
  "app/models",
  "lib",
  "test",
  "pkg/queue",
];
const files = [
  "index.ts",
  "session.ts",
  "ledger.py",
  "router.ts",
  "queue.go",
  "invoice.ts",
  "user.ts",
  "parse.ts",
];

/** A path, by a number from 0 to 1. */
export function fileAt(share: number): string {
  const at = Math.floor(share * folders.length * files.length);
  return `${folders[at % folders.length]}/${files[Math.floor(at / folders.length)]}`;
}

const pieces = {
  file: [
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
    `func (q *Queue) Pop(ctx context.Context) (*Job, error) {
	select {
	case job := <-q.jobs:
		return job, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
`,
    `.card { border: 1px solid var(--line); padding: 0.75rem 1rem; }
.card > header { display: flex; gap: 0.5rem; align-items: baseline; }
@media (max-width: 40rem) { .card { padding: 0.5rem; } }
`,
    `## Install
Copy the example configuration, set the address of the database, and start the server. It listens on port 8080.
`,
  ],
  matches: [
    "src/store/session.ts:41:  const record = await store.get(id);\nsrc/http/router.ts:12:  route(app, store);\n",
    "app/models/ledger.py:88:        raise ValidationError(errors)\ntest/ledger.py:17:    with pytest.raises(ValidationError):\n",
  ],
  listing: [
    "src/index.ts\nsrc/store/session.ts\nsrc/http/router.ts\ntest/session.test.ts\npackage.json\n",
  ],
  log: [
    "commit 4f1c2ad\n    Keep the session open while a request runs\n\ncommit 9b07e31\n    Name the tables by their module\n",
    "diff --git a/src/http/router.ts b/src/http/router.ts\n@@ -41,7 +41,9 @@\n-  return next();\n+  return await next();\n",
  ],
  edited: [
    "  41  const record = await store.get(id);\n  42  if (record === undefined) return missing(id);\n",
  ],
  "failing tests": [
    "FAIL test/billing.test.ts > retries are idempotent\nAssertionError: expected 2 to be 1\n    at test/billing.test.ts:48:27\n",
    'Traceback (most recent call last):\n  File "app/models/ledger.py", line 42, in save\n    self.full_clean()\nValueError: amount\n1 failed, 31 passed\n',
  ],
  "passing tests": [
    "PASS test/app.test.ts (12 tests) 340 ms\nPASS test/store.test.ts (31 tests) 512 ms\n",
    "........................................\n43 passed in 1.92s\n",
  ],
} as const;

/** Characters of such a text: at least, and the spread of the most frequent ones above that. */
const lengths: Readonly<Record<keyof typeof pieces, readonly [number, number]>> = {
  file: [1000, 8000],
  matches: [300, 3500],
  listing: [200, 1200],
  log: [100, 2000],
  edited: [200, 600],
  "failing tests": [800, 4000],
  "passing tests": [150, 900],
};

/** The output of a tool. Most are short; a whole file can be long. */
export function outputText(next: () => number, kind: keyof typeof pieces): string {
  const list: readonly string[] = pieces[kind];
  const [least, spread] = lengths[kind];
  const long = next() < 0.06 ? 3.5 : 1;
  const length = Math.floor(least + next() * next() * 2 * spread * long);
  const piece = list[Math.floor(next() * list.length)] ?? "";
  const mark = Math.floor(next() * 1e6).toString(36);
  return `${piece.repeat(Math.ceil(length / piece.length)).slice(0, length)}\n${mark}`;
}

const rules = [
  "Read a file before you change it, and change no more than the task needs.",
  "Prefer the project's own helpers and conventions; look at neighbouring files before you write a new one.",
  "Run the tests that cover what you changed. Say plainly which ones you could not run.",
  "Never commit unless the user asks for it, and never push.",
  "Keep answers short: no preamble, no summary of what the user can see in the diff.",
  "Use the search tools instead of shell commands for finding files and text.",
  "Ask when an instruction is ambiguous and a wrong guess would be expensive; otherwise decide and go on.",
  "Refuse to write code that is plainly malicious; security analysis of the user's own code is welcome.",
  "Quote paths with spaces. Avoid interactive commands. Set a timeout for commands that may hang.",
  "Make several independent calls at once where their results do not depend on each other.",
  "Mark an item of the list as completed as soon as it is, and keep only one in progress.",
  "Do not add comments that say what the code says, and do not add features that nobody asked for.",
];

/** Instructions of so many characters. */
export function instructionText(characters: number, salt: number): string {
  let text = "";
  for (let at = 0; text.length < characters; at++) {
    if (at % 6 === 0) text += `\n# Part ${1 + at / 6}\n`;
    text += `- ${rules[(at * 5 + salt) % rules.length]}\n`;
  }
  return text.slice(0, characters);
}
