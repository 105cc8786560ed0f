/**
 * Anthropic's own tools that the client runs. The model that knows them needs no schema; any other model is
 * offered the same tool as an ordinary function, and its calls come back in the very form the client expects.
 */
import type { JsonObject } from "../../../lib/json.ts";

interface ClientTool {
  /** What the dated `type` starts with. */
  prefix: string;
  name: string;
  description: string;
  schema: JsonObject;
}

const text = { type: "string" };
const integer = { type: "integer" };
const range = { type: "array", items: integer, minItems: 2, maxItems: 2 };

function shape(properties: JsonObject, required: string[]): JsonObject {
  return { type: "object", properties, required };
}

function oneOf(...words: string[]): JsonObject {
  return { type: "string", enum: words };
}

const clientTools: ClientTool[] = [
  {
    prefix: "bash_",
    name: "bash",
    description:
      "Runs a command in a bash session that keeps its state. Give `command`, or `restart` to start a new session.",
    schema: shape({ command: text, restart: { type: "boolean" } }, []),
  },
  {
    prefix: "text_editor_",
    name: "str_replace_based_edit_tool",
    description:
      "Views, creates and edits text files. view: path, optional view_range of line numbers. create: path, file_text. " +
      "str_replace: path, old_str (must occur exactly once), new_str. insert: path, insert_line, insert_text.",
    schema: shape(
      {
        command: oneOf("view", "create", "str_replace", "insert"),
        path: text,
        view_range: range,
        file_text: text,
        old_str: text,
        new_str: text,
        insert_line: integer,
        insert_text: text,
      },
      ["command", "path"],
    ),
  },
  {
    prefix: "memory_",
    name: "memory",
    description:
      "Files under /memories that last between conversations. view: path. create: path, file_text. " +
      "str_replace: path, old_str, new_str. insert: path, insert_line, insert_text. delete: path. rename: old_path, new_path.",
    schema: shape(
      {
        command: oneOf("view", "create", "str_replace", "insert", "delete", "rename"),
        path: text,
        view_range: range,
        file_text: text,
        old_str: text,
        new_str: text,
        insert_line: integer,
        insert_text: text,
        old_path: text,
        new_path: text,
      },
      ["command"],
    ),
  },
  {
    prefix: "computer_2",
    name: "computer",
    description:
      "Mouse, keyboard and screenshots of a computer. Coordinates are pixels from the top left.",
    schema: shape(
      {
        action: oneOf(
          "screenshot",
          "left_click",
          "right_click",
          "middle_click",
          "double_click",
          "triple_click",
          "left_click_drag",
          "left_mouse_down",
          "left_mouse_up",
          "mouse_move",
          "cursor_position",
          "type",
          "key",
          "hold_key",
          "scroll",
          "wait",
          "zoom",
        ),
        coordinate: range,
        start_coordinate: range,
        text,
        duration: { type: "number" },
        scroll_direction: oneOf("up", "down", "left", "right"),
        scroll_amount: integer,
        region: { type: "array", items: integer, minItems: 4, maxItems: 4 },
      },
      ["action"],
    ),
  },
];

/** The function that stands for a tool of this `type`; undefined for tools that the provider runs. */
export function clientTool(type: string, raw: JsonObject): ClientTool | undefined {
  const found = clientTools.find((tool) => type.startsWith(tool.prefix));
  if (found?.name !== "computer") return found;
  const size = `${String(raw["display_width_px"])}x${String(raw["display_height_px"])}`;
  return { ...found, description: `${found.description} The screen has ${size} pixels.` };
}
