/** The order in which the models of a provider are offered. */
import { expect, it } from "vitest";
import { connectionOf } from "../../src/providers/connection/connection.ts";
import { listed } from "../../src/providers/models/models.ts";
import { newestFirst } from "../../src/providers/models/newest-first.ts";

function ordered(...models: (string | [id: string, created: number])[]): string[] {
  const connection = connectionOf({
    id: "p",
    kind: "custom",
    format: "chat",
    base_url: "http://p",
  });
  const list = models.map((model) => {
    const [id, created] = typeof model === "string" ? [model] : model;
    return listed(connection, { id, ...(created !== undefined && { created }) });
  });
  return newestFirst(list).map(({ info }) => info.id);
}

it("is that of the dates, where the provider tells them", () => {
  expect(ordered(["a-9", 1], ["b-1", 3], "c-99", ["d", 2])).toEqual(["b-1", "d", "a-9", "c-99"]);
});

it("is else that of the versions in the names, and not of sizes, dates and numbers of builds", () => {
  expect(
    ordered("gemini-2.5-pro", "text-embedding-004", "gemini-3-pro-preview", "gemini-2.5-flash"),
  ).toEqual(["gemini-3-pro-preview", "gemini-2.5-pro", "gemini-2.5-flash", "text-embedding-004"]);
  expect(
    ordered("claude-sonnet-4-20250514", "claude-3-5-haiku-20241022", "claude-opus-4-5-20251101"),
  ).toEqual(["claude-opus-4-5-20251101", "claude-sonnet-4-20250514", "claude-3-5-haiku-20241022"]);
  expect(ordered("gemma-2-27b-it", "phi-3-mini-128k", "llama3.1:8b", "qwen3:4b")).toEqual([
    "llama3.1:8b",
    "phi-3-mini-128k",
    "qwen3:4b",
    "gemma-2-27b-it",
  ]);
});
