/** The page of a refused or failed request. */
import { docsPath, explanationPath } from "../../../core/docs-address.ts";
import type { Problem } from "../../../core/problem.ts";
import { PlainPage } from "../../components/frame/plain-page.tsx";
import type { Theme } from "../../shared/page-context.ts";

const titles: Readonly<Record<number, string>> = {
  403: "Not allowed",
  404: "Not found",
  500: "Something went wrong",
};

interface ErrorPageProps {
  status: number;
  /** Undefined when the gateway itself failed. */
  problem: Problem | undefined;
  theme: Theme;
}

/** What went wrong, and the way back. */
export function ErrorPage({ status, problem, theme }: ErrorPageProps) {
  return (
    <PlainPage title={titles[status] ?? "Request refused"} theme={theme}>
      <p>
        {problem?.message ??
          "The gateway could not show this page. Try again; its log has the details."}
      </p>
      <p>
        <a class="button" href="/dashboard">
          Back to overview
        </a>{" "}
        <a href={problem === undefined ? docsPath("errors", "m500") : explanationPath(problem)}>
          What this means
        </a>
      </p>
    </PlainPage>
  );
}
