import { z } from 'zod';
import { IdParams } from '../validation/fields.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  patchWebhook,
  renewSecret,
  sendTest,
} from './webhooks.ts';
import {
  NewWebhook,
  RenewedWebhook,
  Webhook,
  WebhookDelivery,
  WebhookInput,
  WebhookPatch,
  WebhookSecretInput,
} from './webhook-schema.ts';
import { errorResponses, jsonResponse, ok } from '../http/openapi/responses.ts';
import { pageOf, pageQuery, sendPage } from '../http/request/pages.ts';
import type { App } from '../http/request/schemas.ts';
import type { Database } from '../database/tables/tables.ts';
import type { MessageQueue } from '../message-queue/message-queue.ts';
import type { WebhookSender } from './send.ts';

const tags = ['events'];
// A webhook sends events of the whole catalogue to third parties, and its URL may be a secret.
const config = { scope: 'catalog:write' } as const;

const description = `The service sends each event of \`GET /events\` to the URL by POST, as JSON with \`type\`, \`timestamp\` and \`data\`, signed as Standard Webhooks 1.0 describe:
\`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\` (v1, HMAC-SHA256). Libraries for most languages verify it.

- An answer with 2xx within 15 seconds accepts a message; its body is not read, and redirections are not followed.
- Messages come one after the other, in the order of events. After any other answer, or none, the message is sent again after 5 seconds to 2 hours; a message that is refused eight times is
  given up. Each message is sent at least once: the same \`webhook-id\` means the same message.
- A webhook that accepts nothing for five days, or answers 410, is \`disabled\`. Switched on again, it continues after the last message that it has accepted, as far as events are stored.
- URLs that lead into private networks are refused, even if their name is resolved later, unless the operator allows the network.`;

interface Dependencies {
  readonly db: Database;
  readonly messageQueue: MessageQueue;
  readonly webhookSender: Pick<WebhookSender, 'mayTry'>;
}

/** Registers the routes of webhooks. */
export function registerWebhookRoutes(app: App, parts: Dependencies): void {
  const { db } = parts;

  app.post('/webhooks', {
    config,
    schema: {
      tags,
      operationId: 'createWebhook',
      summary: 'Send events to a URL',
      description: `${description}\n\n409 if 100 webhooks exist.`,
      body: WebhookInput,
      response: {
        201: jsonResponse('Created, with its secret', NewWebhook),
        ...errorResponses(400, 409, 413, 422),
      },
    },
    handler: async (request, reply) => {
      const made = await createWebhook(parts, request.body);
      return await reply.code(201).header('location', `/webhooks/${made.id}`).send(made);
    },
  });

  app.get('/webhooks', {
    config,
    schema: {
      tags,
      operationId: 'listWebhooks',
      summary: 'List webhooks, newest first',
      description: 'The answer does not contain secrets.',
      querystring: z.object(pageQuery),
      response: ok('A page of webhooks', pageOf(Webhook, 'WebhookPage'), 400),
    },
    handler: async (request, reply) =>
      await sendPage(request, reply, async (window) => await listWebhooks(db, window)),
  });

  app.get('/webhooks/:id', {
    config,
    schema: {
      tags,
      operationId: 'getWebhook',
      summary: 'Read a webhook',
      description: 'The answer contains its state, but not its secret.',
      params: IdParams,
      response: ok('The webhook', Webhook, 400, 404),
    },
    handler: async ({ params }) => await getWebhook(db, params.id),
  });

  app.patch('/webhooks/:id', {
    config,
    schema: {
      tags,
      operationId: 'updateWebhook',
      summary: 'Change a webhook, or switch it on or off',
      description:
        'Only the fields that are present change; null clears. A message that waits for its next attempt is sent at once.',
      params: IdParams,
      body: WebhookPatch,
      response: ok('The webhook as it is now', Webhook, 400, 404, 413, 422),
    },
    handler: async ({ params, body }) => await patchWebhook(parts, params.id, body),
  });

  app.post('/webhooks/:id/secret', {
    config,
    schema: {
      tags,
      operationId: 'renewWebhookSecret',
      summary: 'Give a webhook a new secret',
      description: `Only this answer contains the secret. For \`keep_hours\`, by default a day, \`webhook-signature\` contains a signature by the new secret and one by the previous secret, so that a receiver
can change its own in that time; libraries of Standard Webhooks accept a message if one of them matches. Older secrets stay in use until their own time is over. With 0 no earlier secret is used any more: choose it if others may know the secret. 409 while five earlier secrets are in use.`,
      params: IdParams,
      body: WebhookSecretInput.optional(),
      response: ok('The webhook with its new secret', RenewedWebhook, 400, 404, 409, 413, 422),
    },
    handler: async ({ params, body }) => await renewSecret(parts, params.id, body),
  });

  app.delete('/webhooks/:id', {
    config,
    schema: {
      tags,
      operationId: 'deleteWebhook',
      summary: 'Delete a webhook',
      description: 'A message in transit may still arrive.',
      params: IdParams,
      response: { 204: z.null().describe('The webhook is deleted'), ...errorResponses(400, 404) },
    },
    handler: async ({ params }, reply) => {
      await deleteWebhook(db, params.id);
      return await reply.code(204).send(null);
    },
  });

  app.get('/webhooks/:id/deliveries', {
    config,
    schema: {
      tags,
      operationId: 'listWebhookDeliveries',
      summary: 'List the outcomes of the latest messages',
      description: 'The last hundred, newest first.',
      params: IdParams,
      querystring: z.object(pageQuery),
      response: ok('A page of messages', pageOf(WebhookDelivery, 'WebhookDeliveryPage'), 400, 404),
    },
    handler: async (request, reply) =>
      await sendPage(request, reply, async (window) => await listDeliveries(db, request.params.id, window)),
  });

  app.post('/webhooks/:id/test', {
    config,
    schema: {
      tags,
      operationId: 'testWebhook',
      summary: 'Send a test message',
      description: `A worker sends one message of the type \`webhook.test\`, once, even while the webhook is off; \`deliveries\` shows the outcome. 409 while ten wait.`,
      params: IdParams,
      response: {
        201: jsonResponse('It waits to be sent', WebhookDelivery),
        ...errorResponses(400, 404, 409, 413),
      },
    },
    handler: async ({ params }, reply) => await reply.code(201).send(await sendTest(parts, params.id)),
  });
}
