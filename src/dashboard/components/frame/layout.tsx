/** The layout of every page: head, navigation, theme. */
import { html as markup } from "hono/html";
import type { Child } from "hono/jsx";
import { helpFor } from "../../shared/help-pages.ts";
import { assets } from "./assets.ts";
import { Icon, type IconName } from "../../shared/icons.tsx";
import type { MenuItem, Theme, Visitor } from "../../shared/page-context.ts";
import { SessionIdentity } from "./session-identity.tsx";
import { doneWords, SavedNotice } from "./saved-notice.tsx";

interface PageProps {
  viewer: Visitor;
  title: string;
  /** What the step before led to, as the document's title begins with it. */
  outcome?: string | undefined;
  /** A line under the title. */
  lead?: Child;
  /** The page of the documentation that explains it, where its path does not say so. */
  help?: string;
  /** Buttons beside the title. */
  actions?: Child;
  children?: Child;
}

/** A page with the navigation, and the message of what was done just before. */
export function Page(props: PageProps) {
  const { viewer, title, outcome, lead, help = helpFor(viewer.path), actions, children } = props;
  const [done] = doneWords(viewer)?.split(/\.(?: |$)/) ?? [];
  const happened = outcome ?? done;
  return (
    <HtmlDocument
      title={happened === undefined ? title : `${happened}: ${title}`}
      theme={viewer.theme}
    >
      <div class="frame">
        <Navigation viewer={viewer} />
        <main id="content" tabindex={-1}>
          <header class="page-head">
            <div>
              <h1>{title}</h1>
              {lead === undefined ? null : <p class="lead">{lead}</p>}
            </div>
            <div class="actions">
              {actions}
              <a class="page-docs" href={help}>
                Docs
              </a>
            </div>
          </header>
          <SavedNotice viewer={viewer} />
          {children}
        </main>
      </div>
    </HtmlDocument>
  );
}

/** The HTML document round a page. By itself it is a page without navigation, for those who are not signed in. */
export function HtmlDocument({
  title,
  theme,
  children,
}: {
  title: string;
  theme: Theme;
  children?: Child;
}) {
  return (
    <>
      {markup`<!doctype html>`}
      <html lang="en" data-theme={theme}>
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content={theme === "auto" ? "light dark" : theme} />
          <meta name="robots" content="noindex" />
          <title>{`${title} · Gateway`}</title>
          <link rel="icon" href={`/dashboard/assets/${assets.icon}`} type="image/svg+xml" />
          <link rel="stylesheet" href={`/dashboard/assets/${assets.style}`} />
          <script src={`/dashboard/assets/${assets.script}`} defer></script>
        </head>
        <body>
          <a class="skip" href="#content">
            Skip to content
          </a>
          {children}
        </body>
      </html>
    </>
  );
}

function Navigation({ viewer }: { viewer: Visitor }) {
  return (
    <header class="side">
      <a class="brand" href="/dashboard">
        <Icon name="logo" /> <span>Gateway</span>
      </a>
      <SearchButton viewer={viewer} />
      <nav aria-label="Main">
        <ul>
          {viewer.menu.map((item) => (
            <li>
              <a href={item.path} aria-current={isCurrent(viewer.path, item) ? "page" : undefined}>
                <Icon name={item.icon} />
                <span>{item.label}</span>
                <News count={item.news} />
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="side-foot">
        <SessionIdentity viewer={viewer} />
        <button type="button" class="plain small keys-button" data-keys hidden>
          Keyboard shortcuts
        </button>
        <ThemeSwitch theme={viewer.theme} path={viewer.path} />
        <form method="post" action={signOutPath(viewer)}>
          <button class="plain" type="submit">
            <Icon name="leave" /> <span>Sign out</span>
          </button>
        </form>
      </div>
    </header>
  );
}

/** Leads to the search page; the script opens the command palette instead. */
function SearchButton({ viewer }: { viewer: Visitor }) {
  if (!viewer.allows("GET", "/dashboard/search")) return null;
  return (
    <form class="search-all" method="get" action="/dashboard/search" data-palette>
      <button type="submit">
        <Icon name="search" /> <span>Search</span> <kbd aria-hidden="true">Ctrl K</kbd>
      </button>
    </form>
  );
}

/** A number on a menu entry, with words for those who do not see where it stands. */
function News({ count }: { count: number | undefined }) {
  if (count === undefined) return null;
  return (
    <span class="badge accent news" data-news hidden={count === 0}>
      <span>{Math.min(count, mostNews)}</span>
      <span class="hidden"> new</span>
    </span>
  );
}

const mostNews = 99;

/** The sign-in of people ends their sessions itself. */
function signOutPath({ access }: Visitor): string {
  return access.kind === "person" ? "/auth/logout" : "/dashboard/sign-out";
}

/** Whether the menu entry leads to this page, to one above it, or to the one that this page belongs to. */
export function isCurrent(path: string, entry: Pick<MenuItem, "path" | "others">): boolean {
  if (path === entry.path || entry.others?.includes(path) === true) return true;
  return entry.path !== "/dashboard" && path.startsWith(`${entry.path}/`);
}

const themes: readonly { name: Theme; label: string; icon: IconName }[] = [
  { name: "auto", label: "System", icon: "auto" },
  { name: "light", label: "Light", icon: "sun" },
  { name: "dark", label: "Dark", icon: "moon" },
];

/** The choice is a cookie: the first paint is right already, and no script is needed. */
function ThemeSwitch({ theme, path }: { theme: Theme; path: string }) {
  return (
    <form class="theme" method="post" action="/dashboard/theme">
      <input type="hidden" name="back" value={path} />
      <div role="group" aria-label="Theme">
        {themes.map(({ name, label, icon }) => (
          <button
            type="submit"
            name="theme"
            value={name}
            title={label}
            aria-label={label}
            aria-pressed={theme === name ? "true" : "false"}
          >
            <Icon name={icon} />
          </button>
        ))}
      </div>
    </form>
  );
}
