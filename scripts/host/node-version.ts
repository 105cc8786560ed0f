/** Which Node is enough. `package.json` and `scripts/run.mjs`, which runs before any TypeScript, say the same. */
const least = [20, 19] as const;

/** Versions are compared by their first two numbers. */
export function isOldNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < least[0] || (major === least[0] && minor < least[1]);
}

/** What to do about an old one. */
export const nodeAdvice = `Install Node ${least.join(".")} or newer.`;

/** For one that is too old. */
export function oldNode(): string {
  return `Node ${process.versions.node} is too old. ${nodeAdvice}`;
}
