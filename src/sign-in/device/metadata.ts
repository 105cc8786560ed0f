/** `GET /.well-known/oauth-authorization-server`: where the sign-in's endpoints are (RFC 8414). */
import { grantTypes } from "./token.ts";

/** Paths under the gateway's address. */
export const devicePaths = {
  metadata: "/.well-known/oauth-authorization-server",
  authorization: "/oauth/device_authorization",
  token: "/oauth/token",
  revocation: "/oauth/revoke",
} as const;

/** `base`: the origin that the client used; it believes no other. */
export function signInMetadata(base: string): object {
  return {
    issuer: base,
    device_authorization_endpoint: base + devicePaths.authorization,
    token_endpoint: base + devicePaths.token,
    revocation_endpoint: base + devicePaths.revocation,
    grant_types_supported: grantTypes,
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ["none"],
    scopes_supported: ["openid", "profile", "email"],
    gateway_protocol_version: 1,
  };
}
