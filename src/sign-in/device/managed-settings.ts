/**
 * `GET /managed/settings`: the settings that a signed-in Claude Code takes over at every start and once an hour. They
 * carry a checksum, which it compares and asks with again.
 */
import { Problem, problemCodes } from "../../core/problem.ts";
import { clientFormats } from "../../formats/index.ts";
import type { Services } from "../../gateway/services.ts";
import { type JsonValue, isObject, type JsonObject } from "../../lib/json.ts";
import type { Directory } from "../../providers/models/directory.ts";
import { tierTable } from "../../routing/models/tier-candidates.ts";
import type { Config, HarnessEntry } from "../../store/config.ts";
import { hashKey } from "../../store/keys.ts";
