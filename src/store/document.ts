/** The document's rules beyond its shape: what the schema cannot say, with the path of the member at fault. */
import type { $ZodIssue } from "zod/v4/core";
import { invalid, Problem } from "../core/problem.ts";
import { isObject } from "../lib/json.ts";
import { patternFault } from "../redaction/compile-patterns.ts";
import { reservedParameters } from "../translation/saved-parameters.ts";
import type { Config, HarnessEntry, ProviderEntry } from "./config.ts";
import { faultWords } from "./fault-words.ts";
import { isTimezone } from "./timezone.ts";

/** What is wrong with a provider by the catalogue's rules: the member at fault, and a problem. */
export type ProviderCheck = (
  entry: ProviderEntry,
) => { member: string; problem: Problem } | undefined;

/** `providers[0].headers["x team"]`: a path as people write it. */
export function pathText(path: readonly PropertyKey[], from = ""): string {
  let text = from;
  for (const part of path) {
    if (typeof part === "number") text += `[${part}]`;
    else if (/^[\w$-]+$/.test(String(part)))
      text += text === "" ? String(part) : `.${String(part)}`;
    else text += `[${JSON.stringify(String(part))}]`;
  }
  return text;
}

/** The first fault that the schema found, as a Problem that names its path. */
export function shapeProblem(issues: readonly $ZodIssue[]): Problem {
  const [issue] = issues;
  if (issue === undefined) return invalid("body", "not valid");
  if (issue.code === "unrecognized_keys") {
    return invalid(pathText([...issue.path, issue.keys[0] ?? ""]), "unknown member");
  }
  const path = issue.path.length === 0 ? "body" : pathText(issue.path);
  return invalid(path, faultWords(issue));
}

const deepest = 64;

/**
 * Refuses what no reader should have to meet: members named `__proto__`, and nesting that would exhaust the
 * stack. Must run before the schema, which recurses.
 */
export function checkTree(value: unknown): void {
  const open: { value: unknown; path: readonly PropertyKey[] }[] = [{ value, path: [] }];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.path.length > deepest)
      throw invalid(pathText(node.path.slice(0, 4)), "nested too deeply");
    if (Array.isArray(node.value)) {
      for (const [index, item] of node.value.entries())
        pushNode(open, { value: item, path: [...node.path, index] });
    } else if (isObject(node.value)) {
      for (const [name, item] of Object.entries(node.value)) {
        const path = [...node.path, name];
        if (name === "__proto__") throw invalid(pathText(path), "this name is not allowed");
        pushNode(open, { value: item, path });
      }
    }
  }
}

function pushNode(
  open: { value: unknown; path: readonly PropertyKey[] }[],
  node: { value: unknown; path: readonly PropertyKey[] },
): void {
  if (typeof node.value === "object" && node.value !== null) open.push(node);
}

/** Throws the first fault of a document whose shape is right. */
export function checkDocument(config: Config, checkProvider: ProviderCheck): void {
  if (config.timezone !== undefined && !isTimezone(config.timezone)) {
    throw invalid("timezone", `${JSON.stringify(config.timezone)} is not a known time zone`);
  }
  checkUnique("providers", config.providers ?? []);
  checkUnique("harnesses", config.harnesses ?? []);
  for (const [index, entry] of (config.providers ?? []).entries()) {
    checkRegion(entry, `providers[${index}]`, config.provider_regions);
    checkEntry(entry, `providers[${index}]`, checkProvider);
  }
  for (const [index, entry] of (config.harnesses ?? []).entries()) {
    checkHarness(entry, `harnesses[${index}]`);
    checkSearcher(entry, `harnesses[${index}]`, config.providers ?? []);
  }
  checkSignIn(config);
}

function checkSignIn({ sign_in: signIn = {}, harnesses = [] }: Config): void {
  const { harness, managed_settings: settings = {} } = signIn;
  if (harness !== undefined && !harnesses.some(({ id }) => id === harness))
    throw invalid("sign_in.harness", `there is no harness ${JSON.stringify(harness)}`);
  const { env = {} } = settings;
  const texts = isObject(env) && Object.values(env).every((value) => typeof value === "string");
  if (!texts) throw invalid("sign_in.managed_settings.env", "must be an object of strings");
}

function checkUnique(list: string, entries: readonly { id: string }[]): void {
  const seen = new Set<string>();
  for (const [index, { id }] of entries.entries()) {
    if (seen.has(id))
      throw invalid(`${list}[${index}].id`, `${JSON.stringify(id)} is already in use`);
    seen.add(id);
  }
}

/** Where the document names regions, a provider without one is in none of them. */
function checkRegion(
  { region }: ProviderEntry,
  path: string,
  allowed: Config["provider_regions"],
): void {
  if (allowed === undefined || (region !== undefined && allowed.includes(region))) return;
  const words = allowed.length === 0 ? "no region" : allowed.join(" or ");
  throw invalid(`${path}.region`, `this workspace allows ${words} only (provider_regions)`);
}

function checkEntry(entry: ProviderEntry, path: string, checkProvider: ProviderCheck): void {
  if (entry.kind === "custom" && entry.format === undefined) {
    throw invalid(`${path}.format`, "required for a custom provider");
  }
  if (entry.kind === "custom" && entry.base_url === undefined) {
    throw invalid(`${path}.base_url`, "required for a custom provider");
  }
  if (entry.api_key !== undefined && !isHeaderValue(entry.api_key.trim())) {
    throw invalid(`${path}.api_key`, "contains characters that are not allowed in a header");
  }
  for (const [name, value] of Object.entries(entry.headers ?? {})) {
    if (!isHeaderName(name))
      throw invalid(`${path}.headers`, `${JSON.stringify(name)} is not a valid header name`);
    if (!isHeaderValue(value)) {
      throw invalid(
        pathText([name], `${path}.headers`),
        "contains characters that are not allowed in a header",
      );
    }
  }
  const found = checkProvider(entry);
  if (found !== undefined) throw atPath(`${path}.${found.member}`, found);
}

/** The catalogue words its problem by the member's name; the document's reader needs the whole path. */
function atPath(path: string, { member, problem }: { member: string; problem: Problem }): Problem {
  const words = problem.message.startsWith(`${member}: `)
    ? problem.message.slice(member.length + 2)
    : problem.message;
  return new Problem(problem.marker, `${path}: ${words}`);
}

function isHeaderName(name: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name);
}

function isHeaderValue(value: string): boolean {
  // eslint-disable-next-line no-control-regex -- the control characters are what is looked for
  return !/[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/.test(value);
}

function checkHarness(entry: HarnessEntry, path: string): void {
  checkParams(entry.params ?? {}, `${path}.params`);
  for (const [model, params] of Object.entries(entry.model_params ?? {})) {
    checkParams(params, `${path}.model_params[${JSON.stringify(model)}]`);
  }
  for (const [index, pattern] of (entry.redact?.patterns ?? []).entries()) {
    const fault = patternFault(pattern);
    if (fault !== undefined) throw invalid(`${path}.redact.patterns[${index}]`, fault);
  }
}

function checkSearcher(
  { web_search: searcher }: HarnessEntry,
  path: string,
  providers: readonly ProviderEntry[],
): void {
  if (searcher === undefined) return;
  const { provider, model, url } = searcher;
  const at = `${path}.web_search`;
  if ((provider === undefined) === (url === undefined))
    throw invalid(at, "name either a provider or the url of a search endpoint");
  if (url !== undefined && model !== undefined)
    throw invalid(`${at}.model`, "needs a provider, not a url");
  if (url?.includes("{query}") === false)
    throw invalid(`${at}.url`, "must contain {query} for the search words");
  if (url !== undefined && !keepsItsServer(url))
    throw invalid(`${at}.url`, "may have {query} in its path and its query only");
  if (provider === undefined || providers.some(({ id }) => id === provider)) return;
  throw invalid(`${at}.provider`, `there is no provider ${JSON.stringify(provider)}`);
}

/** Whether scheme, user, host and port of a search address are the same whatever a model searches for. */
export function keepsItsServer(address: string): boolean {
  const [one, other] = ["1", "2"].map((query) => serverOf(address.replaceAll("{query}", query)));
  return one !== undefined && one === other;
}

function serverOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, host } = new URL(text);
  return [protocol, username, password, host].join(" ");
}

function checkParams(params: Record<string, unknown>, path: string): void {
  for (const name of Object.keys(params)) {
    if (reservedParameters.has(name))
      throw invalid(`${path}.${name}`, "set by the gateway; it can't be saved");
  }
}
