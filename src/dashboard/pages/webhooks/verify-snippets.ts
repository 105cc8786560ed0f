/** How receivers verify signatures, with the packages of Standard Webhooks. */

/** Node, with the raw body as text. */
export const verifyInNode = `import { Webhook } from "standardwebhooks";
const webhook = new Webhook(process.env.WEBHOOK_SECRET); // whsec_…
// body: the request's text as it came; headers: webhook-id, webhook-timestamp, webhook-signature
const event = webhook.verify(body, headers); // throws when it is not from the gateway
console.log(event.type, event.data);`;

/** Python, the same. */
export const verifyInPython = `import os
from standardwebhooks.webhooks import Webhook
webhook = Webhook(os.environ["WEBHOOK_SECRET"])  # whsec_…
# body: the request's text as it came; headers: webhook-id, webhook-timestamp, webhook-signature
event = webhook.verify(body, headers)  # raises when it is not from the gateway`;
