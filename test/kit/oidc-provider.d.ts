/** As much of the package `oidc-provider` as the tests use: it has no types of its own. */
declare module "oidc-provider" {
  import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

  /** A request on its way through the server. */
  export interface ProviderContext {
    path: string;
    status: number;
    body: unknown;
    readonly oidc?: {
      readonly provider: Provider;
      readonly client?: { clientId: string };
      readonly account?: { accountId: string };
      readonly params?: Readonly<Record<string, unknown>>;
    };
  }

  /** A sign-in that waits for somebody. */
  export interface InteractionDetails {
    readonly uid: string;
    readonly prompt: { readonly name: string };
  }

  export class ProviderGrant {
    constructor(of: { clientId: string; accountId: string });
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  export class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>);
    readonly Client: {
      readonly prototype: {
        redirectUriAllowed: (uri: string) => boolean;
        postLogoutRedirectUriAllowed: (uri: string) => boolean;
      };
    };
    readonly Grant: typeof ProviderGrant;
    callback(): RequestListener;
    use(middleware: (context: ProviderContext, next: () => Promise<void>) => Promise<void>): void;
    interactionDetails(
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<InteractionDetails>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: Readonly<Record<string, unknown>>,
    ): Promise<void>;
  }
}
