/** The pages of the documentation that are made from the source. */
import { apiPage } from "./api.ts";
import { configurationPage } from "./configuration.ts";
import { providerPages } from "./provider-pages.ts";
import { settingsPage } from "./settings.ts";

/** Each page's text by its file. */
export function generatedPages(): Readonly<Record<string, string>> {
  return {
    "docs/api.md": apiPage(),
    "docs/configuration.md": configurationPage(),
    "docs/settings.md": settingsPage(),
    ...providerPages(),
  };
}
