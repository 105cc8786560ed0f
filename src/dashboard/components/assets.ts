/** The browser's script, style sheet and icon. The build puts the texts in; unbuilt source has empty ones. */
declare const DASHBOARD_SCRIPT: string | undefined;
declare const DASHBOARD_STYLE: string | undefined;

/** A static file that the dashboard serves. */
export interface Asset {
  /** Holds a fingerprint of the content, so that browsers may cache it for ever. */
  file: string;
  type: string;
  text: string;
}

const types = { js: "text/javascript", css: "text/css", svg: "image/svg+xml" } as const;

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="#4f46e5"/><path d="M5 12h4l3-6v12l3-6h4" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

/** Every static file. */
export const assets = {
  script: asset("app", "js", typeof DASHBOARD_SCRIPT === "string" ? DASHBOARD_SCRIPT : ""),
  style: asset("app", "css", typeof DASHBOARD_STYLE === "string" ? DASHBOARD_STYLE : ""),
  icon: asset("icon", "svg", icon),
} as const;

function asset(name: string, kind: "js" | "css" | "svg", text: string): Asset {
  return {
    file: `${name}-${fingerprint(text)}.${kind}`,
    type: `${types[kind]}; charset=utf-8`,
    text,
  };
}

/** FNV-1a: enough to tell builds apart, no protection. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  }
  return hash.toString(36);
}

/** The static file of that name. */
export function findAsset(file: string): Asset | undefined {
  return Object.values(assets).find((candidate) => candidate.file === file);
}
