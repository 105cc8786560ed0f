/**
 * What JSX becomes: HTML, written as text at once. Texts and values of attributes are escaped; only what this module or
 * hono's `html` wrote is taken as it is. Pages are never changed after they were written, so that no tree is needed.
 */
import { raw } from "hono/html";
import { escapeToBuffer, type HtmlEscapedString } from "hono/utils/html";

export type { JSX } from "hono/jsx/jsx-runtime";

type Written = HtmlEscapedString | Promise<HtmlEscapedString>;
type Props = Readonly<Record<string, unknown>>;
type Component = (props: Props) => unknown;

/** The compiler calls it for `<tag …>` and `<Component …>`. */
export function jsx(tag: string | Component, props: Props): unknown {
  if (typeof tag === "function") return tag(props);
  const { children, ...attributes } = props;
  const start = `<${tag}${attributesText(attributes)}`;
  if (voidTags.has(tag)) return raw(`${start}/>`);
  return joined([raw(`${start}>`), children, raw(`</${tag}>`)]);
}

export { jsx as jsxs, jsx as jsxDEV };

/** The compiler calls it for `<>…</>`. */
export function Fragment({ children }: Props): Written {
  return joined([children]);
}

const voidTags: ReadonlySet<string> = new Set(
  "area base br col embed hr img input link meta source track wbr".split(" "),
);

/** Attributes whose value is the word `true` or `false`; any other one is there or is not. */
const wordAttributes = /^(aria-|data-)|^(contenteditable|draggable|spellcheck|translate)$/;

function attributesText(attributes: Props): string {
  return Object.entries(attributes)
    .map(([name, value]) => attributeText(name, value))
    .join("");
}

function attributeText(name: string, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "boolean" || wordAttributes.test(name))
    return ` ${name}="${isWritten(value) ? String(value) : escaped(String(value))}"`;
  return value ? ` ${name}=""` : "";
}

/** A promise where a part is one. */
function joined(children: readonly unknown[]): Written {
  const parts: (string | Promise<string>)[] = [];
  collect(children, parts);
  const texts = parts.filter((part) => typeof part === "string");
  if (texts.length === parts.length) return raw(texts.join(""));
  return Promise.all(parts.map((part) => Promise.resolve(part))).then((all) => raw(all.join("")));
}

function collect(child: unknown, parts: (string | Promise<string>)[]): void {
  if (child === undefined || child === null || typeof child === "boolean") return;
  if (Array.isArray(child)) for (const each of child) collect(each, parts);
  else if (child instanceof Promise)
    parts.push(child.then(async (value) => String(await joined([value]))));
  else parts.push(isWritten(child) ? String(child) : escaped(String(child)));
}

/** No value out of JSON is ever one. */
function isWritten(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("isEscaped" in value)) return false;
  return Object.getPrototypeOf(value) === String.prototype && value.isEscaped === true;
}

function escaped(text: string): string {
  const buffer: [string] = [""];
  escapeToBuffer(text, buffer);
  return buffer[0];
}
