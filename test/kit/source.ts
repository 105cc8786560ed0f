/** The files of src as text, with what the structure's rules ask of them. No compiler: a scan by patterns. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export interface SourceFile {
  /** Below src, with forward slashes. */
  file: string;
  /** The folder of the file, "" for src itself. */
  folder: string;
  /** Without comments. */
  code: string;
  imports: readonly Import[];
  /** Names that the file declares and exports; a name that is passed on from elsewhere is not among them. */
  exports: readonly string[];
}

export interface Import {
  /** Below src, like `SourceFile.file`. */
  target: string;
  typeOnly: boolean;
}

/** Every TypeScript file of src, but for tables of numbers that a script writes. */
export function sourceFiles(): SourceFile[] {
  return readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith("-data.ts"))
    .map((file) => sourceFile(file.replaceAll("\\", "/")))
    .toSorted((one, other) => (one.file < other.file ? -1 : 1));
}

function sourceFile(file: string): SourceFile {
  const code = withoutComments(readFileSync(path.join("src", file), "utf8"));
  return {
    file,
    folder: folderOf(file),
    code,
    imports: importsOf(file, code),
    exports: exportsOf(code),
  };
}

/** The folder of a file, "" for src itself. */
export function folderOf(file: string): string {
  return file.includes("/") ? path.posix.dirname(file) : "";
}

/** Comments, strings, templates and regular expressions: only in code may a slash begin a comment. */
const token =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`|(?<=[(,=:[!&|?{};]\s*|return )\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//g;

/** The code with a blank for every comment. */
export function withoutComments(text: string): string {
  return text.replace(token, (found) => (/^\/[/*]/.test(found) ? " " : found));
}

/** Static and dynamic imports, and passing on, of files of the project. */
export function importsOf(file: string, code: string): Import[] {
  const found = code.matchAll(/\b(?:import|export)\b(\s+type\b)?[^;"'`]*?["'](\.\.?\/[^"']+)["']/g);
  return Array.from(found, ([, typeWord, target = ""]) => ({
    target: path.posix.join(path.posix.dirname(file), target),
    typeOnly: typeWord !== undefined,
  }));
}

/** Names that are declared with `export`, or listed in an `export { … }` without a `from`. */
export function exportsOf(code: string): string[] {
  const declared = code.matchAll(
    /\bexport\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\s*\*?|const|let|class|interface|type|enum)\s+([A-Za-z_$][\w$]*)/g,
  );
  const listed = code.matchAll(/\bexport\s+(?:type\s+)?\{([^}]*)\}(?!\s*from\b)/g);
  return [
    ...Array.from(declared, ([, name = ""]) => name),
    ...Array.from(listed, ([, names = ""]) => names.split(","))
      .flat()
      .map((name) =>
        name
          .replace(/^.*\bas\b/s, "")
          .replace(/^\s*type\b/, "")
          .trim(),
      )
      .filter((name) => name !== "" && name !== "default"),
  ];
}
