/** Generation and token counting in every format whose paths are fixed. */
import { clientFormats } from "../../formats/index.ts";
import { countingWith } from "../endpoints/count.ts";
import { handle } from "../handle.ts";
import { openingSockets } from "../socket/open.ts";
import type { PublicEndpoint } from "./endpoint.ts";

export const formatEndpoints: readonly PublicEndpoint[] = Object.values(clientFormats)
  .filter(({ addressed }) => addressed !== true)
  .flatMap((client) => {
    const { path, counting, socket } = client;
    const post = { method: "POST", client } as const;
    const upgraded = socket && openingSockets(socket);
    const generation: PublicEndpoint = {
      ...post,
      path,
      generates: true,
      handler: handle,
      ...(upgraded && { upgraded }),
    };
    if (counting?.path === undefined) return [generation];
    const handler = countingWith(counting);
    return [generation, { ...post, path: counting.path, generates: false, handler }];
  });
