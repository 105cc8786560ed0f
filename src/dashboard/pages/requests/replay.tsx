/** The way from a request to the playground, where it can be sent again. */
import type { RequestView } from "../../../admin/routes/requests/request-view.ts";
import { Card } from "../../components/display.tsx";
import type { RequestViewer } from "../../components/request-table.tsx";
import { replayOf } from "../playground/replay.ts";

interface ReplayProps {
  request: RequestView;
  viewer: RequestViewer;
}

/** A link that fills the playground with the request, or why that cannot be done. */
export function Replay({ request, viewer }: ReplayProps) {
  if (!viewer.allows("GET", "/dashboard/playground")) return null;
  const replay = replayOf(request, viewer.words);
  return (
    <Card title="Replay">
      {replay.ok ? (
        <a class="button" href={`/dashboard/playground?replay=${encodeURIComponent(request.id)}`}>
          Replay in playground
        </a>
      ) : (
        <p class="hint">{replay.why}</p>
      )}
    </Card>
  );
}
