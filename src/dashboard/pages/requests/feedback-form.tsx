/** "Was this right?": the question below why a request went to its model. */
import { giveFeedback, removeFeedback } from "../../../admin/routes/requests/feedback.ts";
import type { RequestView } from "../../../admin/routes/requests/request-view.ts";
import { feedbackTier } from "../../../routing/learning/learned-offset.ts";
import { type FeedbackAnswer, feedbackAnswers } from "../../../workspace/contract/feedback.ts";
import { ActionForm } from "../../components/guarded.tsx";
import type { RequestViewer } from "../../components/request-table.tsx";
import { field, fieldProblem, formOf } from "../../shared/forms.ts";
import { type PageApp, parameter } from "../../shared/page-context.ts";

/** Registers what the form sends. */
export function feedbackRoutes(app: PageApp): void {
  app.post("/requests/:id/feedback", async (c) => {
    const { scope } = c.var.viewer;
    const id = parameter(c, "id");
    const said = field(await formOf(c.req.raw), "verdict");
    const verdict = feedbackAnswers.find((answer) => answer === said);
    if (verdict !== undefined) await giveFeedback(scope, id, { verdict });
    else if (said === "none") await removeFeedback(scope, id);
    else throw fieldProblem("verdict", "must be right, too_weak, too_strong or none");
    const done = verdict === undefined ? "feedback-removed" : "feedback";
    return c.redirect(`${requestPath(id)}?done=${done}#why`, 303);
  });
}

/** The answers in words. */
export const feedbackWords: Readonly<
  Record<FeedbackAnswer, { label: string; means: string; said: string }>
> = {
  right: { label: "Right", means: "The right model", said: "right" },
  too_weak: { label: "Too weak", means: "A stronger model was needed", said: "too weak" },
  too_strong: { label: "Too strong", means: "A cheaper model would do", said: "too strong" },
};

interface FeedbackProps {
  request: RequestView;
  viewer: RequestViewer;
  learning: boolean;
}

/** The question with its three answers; what others said, where there is anything. */
export function FeedbackForm({ request, viewer, learning }: FeedbackProps) {
  if (request.model === null) return null;
  const action = `${requestPath(request.id)}/feedback`;
  const own = request.feedback?.own ?? null;
  return (
    <div class="feedback">
      <ActionForm viewer={viewer} action={action} class="inline">
        <span class="label" id="feedback-question">
          Was this right?
        </span>
        {feedbackAnswers.map((answer) => (
          <button
            type="submit"
            name="verdict"
            value={answer}
            class={`small ${own === answer ? "primary" : ""}`}
            aria-pressed={own === answer ? "true" : "false"}
            title={feedbackWords[answer].means}
          >
            {feedbackWords[answer].label}
          </button>
        ))}
        {own === null ? null : (
          <button type="submit" name="verdict" value="none" class="small">
            Remove answer
          </button>
        )}
      </ActionForm>
      <p class="hint">
        {saidWords(request)} <LearningHint {...{ request, viewer, learning }} />
      </p>
    </div>
  );
}

/** `2 people said right, 1 said too weak.` */
function saidWords({ feedback }: RequestView): string {
  if (feedback === undefined) return "No answers yet.";
  const counted = feedbackAnswers.filter((answer) => feedback[answer] > 0);
  const parts = counted.map((answer) => `${feedback[answer]} said ${feedbackWords[answer].said}`);
  return `${parts.join(", ")}.`;
}

function LearningHint({ request, viewer, learning }: FeedbackProps) {
  const tier = feedbackTier(request.routing?.signals);
  if (tier === undefined)
    return <>Answers are recorded, but do not teach routing: this request's tier was not scored.</>;
  const page = `/dashboard/harnesses/${encodeURIComponent(request.harness)}/routing`;
  const opens = viewer.allows("GET", page);
  const { holder } = viewer.words;
  if (learning)
    return (
      <>
        Answers teach routing
        {opens ? (
          <>
            : <a href={`${page}#outcomes`}>what it learned</a>
          </>
        ) : null}
        .
      </>
    );
  return (
    <>
      Learning is off for this {holder}: answers are recorded, but not used.{" "}
      {viewer.allows("POST", page) ? <a href={`${page}#tiers`}>Turn on</a> : null}
    </>
  );
}

function requestPath(id: string): string {
  return `/dashboard/requests/${encodeURIComponent(id)}`;
}
