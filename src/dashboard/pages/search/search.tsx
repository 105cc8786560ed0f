/** Finds pages, models, keys and requests by their names: as a page, and for the command palette. */
import { Card } from "../../components/display.tsx";
import { TextField } from "../../components/fields.tsx";
import { Page } from "../../components/frame/layout.tsx";
import type { PageApp, PageContext, PageServices, Viewer } from "../../shared/page-context.ts";
import { searchWorkspace } from "./entries.ts";
import type { SearchEntry } from "./match.ts";

const longestText = 200;

/** Registers the page, and its results as JSON. */
export function searchRoutes(app: PageApp, services: PageServices): void {
  app.get("/search", async (c) => {
    const text = textOf(c);
    const results = await searchWorkspace(c, services, text);
    return c.html(<SearchPage viewer={c.var.viewer} text={text} results={results} />);
  });
  app.get("/search/results", async (c) =>
    c.json({ results: await searchWorkspace(c, services, textOf(c)) }),
  );
}

function textOf(c: PageContext): string {
  return (c.req.query("q") ?? "").trim().slice(0, longestText);
}

interface SearchProps {
  viewer: Viewer;
  text: string;
  results: readonly SearchEntry[];
}

function SearchPage({ viewer, text, results }: SearchProps) {
  return (
    <Page viewer={viewer} title="Search" lead="Pages, models, keys by name, and requests by id.">
      <form class="filters" method="get" action="/dashboard/search">
        <TextField name="q" label="Search everything" value={text} type="search" autofocus />
        <button type="submit">Search</button>
      </form>
      <Card title="Results">
        <ul class="results">
          {results.map((entry) => (
            <li>
              <Result entry={entry} />
              <span class="muted">{entry.kind}</span>
            </li>
          ))}
        </ul>
      </Card>
    </Page>
  );
}

function Result({ entry }: { entry: SearchEntry }) {
  if ("href" in entry)
    return (
      <a class="anywhere" href={entry.href}>
        {entry.label}
      </a>
    );
  return (
    <form method="post" action="/dashboard/theme">
      <input type="hidden" name="back" value="/dashboard/search" />
      <button type="submit" class="small" name="theme" value={entry.theme}>
        {entry.label}
      </button>
    </form>
  );
}
