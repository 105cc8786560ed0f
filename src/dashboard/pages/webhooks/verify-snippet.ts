/** How receivers verify signatures, with the package of Standard Webhooks. */

/** Node, with the raw body as text. */
export const verifyInNode = `import { Webhook } from "standardwebhooks";
const webhook = new Webhook(process.env.WEBHOOK_SECRET); // whsec_…
// body: the text as it came; headers: webhook-id, webhook-timestamp, webhook-signature
const event = webhook.verify(body, headers); // throws unless the gateway sent it
console.log(event.type, event.data);`;
