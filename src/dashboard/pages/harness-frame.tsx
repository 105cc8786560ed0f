/** The frame of one harness's pages. */
import type { Child } from "hono/jsx";
import type { HarnessEntry } from "../../store/config.ts";
import { Page } from "../layout.tsx";
import { Tabs } from "../parts.tsx";
import type { Viewer } from "../shared/page-context.ts";

export type HarnessTab = "" | "/routing" | "/parameters" | "/limits" | "/general";

const tabs: readonly { path: HarnessTab; label: string }[] = [
  { path: "", label: "Keys" },
  { path: "/routing", label: "Routing" },
  { path: "/parameters", label: "Parameters" },
  { path: "/limits", label: "Limits" },
  { path: "/general", label: "General" },
];

interface FrameProps {
  viewer: Viewer;
  harness: HarnessEntry;
  tab: HarnessTab;
  children?: Child;
}

export function HarnessFrame({ viewer, harness, tab, children }: FrameProps) {
  const base = harnessPath(harness.id);
  return (
    <Page
      viewer={viewer}
      title={harness.name}
      lead={
        <>
          <a href="/dashboard/harnesses">{viewer.words.Holders}</a> / <code>{harness.id}</code>
        </>
      }
      actions={
        <a class="button" href={`/dashboard/connect?harness=${encodeURIComponent(harness.id)}`}>
          Connect a client
        </a>
      }
    >
      <Tabs
        label={viewer.words.Holder}
        tabs={tabs.map(({ path, label }) => ({ value: base + path, label }))}
        here={base + tab}
      />
      {children}
    </Page>
  );
}

export function harnessPath(id: string): string {
  return `/dashboard/harnesses/${encodeURIComponent(id)}`;
}
