/** What the pages of one harness share: title, tabs, address. */
import { ActionLink } from "../../../components/guarded.tsx";
import type { Child } from "hono/jsx";
import type { HarnessEntry } from "../../../../store/config.ts";
import { Page } from "../../../components/frame/layout.tsx";
import { Tabs } from "../../../components/display.tsx";
import type { Viewer } from "../../../shared/page-context.ts";

/** The end of a tab's address. */
type HarnessTab = "" | "/routing" | "/parameters" | "/limits" | "/general";

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

/** A page of one harness, with its tabs. */
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
        <ActionLink
          viewer={viewer}
          href={`/dashboard/connect?harness=${encodeURIComponent(harness.id)}`}
        >
          Connect a client
        </ActionLink>
      }
    >
      <Tabs
        label={viewer.words.Holder}
        tabs={tabs
          .map(({ path, label }) => ({ href: base + path, label }))
          .filter(({ href }) => viewer.allows("GET", href))}
        current={base + tab}
      />
      {children}
    </Page>
  );
}

/** The address of a harness's first page. */
export function harnessPath(id: string): string {
  return `/dashboard/harnesses/${encodeURIComponent(id)}`;
}
