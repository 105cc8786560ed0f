/** A client program as `gateway connect` sees it: where its configuration lies and what goes into it. */
import type { WireFormat } from "../../host/running/test-request.ts";
import type { JsonExtra } from "../files/json-extras.ts";
import type { TextFormat } from "../files/formats.ts";
import type { Member, MemberValue } from "../files/member.ts";

/** Where a client looks for its files. */
export interface UserPlace {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/** What goes into a configuration. */
export interface GatewaySettings {
  /** The gateway's address, without `/v1`. */
  readonly url: string;
  readonly key: string;
  readonly model: string;
  /** Tokens that fit into every model that may answer. */
  readonly context: number;
  /** Variables that Claude Code wants besides, for this gateway. */
  readonly claudeCode: Readonly<Record<string, string>>;
  /** The gateway's models as Codex's catalogue; empty where it is not needed yet. */
  readonly codexCatalogue: string;
}

/** A file in which single members are set. */
export interface MemberFile {
  readonly kind: "members";
  readonly file: string;
  readonly format: TextFormat;
  /** What JSON may hold that this client can't read, although connect can. */
  readonly unreadable?: readonly JsonExtra[];
  readonly members: readonly Member[];
}

/** A file that is the gateway's own as a whole. */
export interface OwnFile {
  readonly kind: "own";
  readonly file: string;
  readonly text: string;
}

export type ClientFile = MemberFile | OwnFile;

/** A request as the client sends it, with what its files say. */
export interface ClientRequest {
  readonly format: WireFormat;
  /** As the client's setting says it. */
  readonly base: string;
  readonly key: string;
  readonly model: string;
}

/** A client whose configuration can be written. */
export interface ConfigurableClient {
  readonly id: string;
  readonly name: string;
  /** Its command, by which it is found on this machine. */
  readonly command: string;
  /** Page of the guide. */
  readonly guide: string;
  files(place: UserPlace, settings: GatewaySettings): ClientFile[];
  /** What its files say now, read back in the order of `files`; own files as their text. */
  request(said: readonly MemberValue[]): ClientRequest;
  /** What its user has to know or do. */
  notes?(place: UserPlace, settings: GatewaySettings): string[];
}

/** A folder that a variable may name, else one in the user's home. */
export function folderFrom(place: UserPlace, variable: string, usual: string): string {
  const set = place.environment[variable];
  return set === undefined || set === "" ? `${place.home}/${usual}` : set;
}
