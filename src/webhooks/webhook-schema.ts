import { messageText } from '../lib/message.ts';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Tables } from '../database/tables/tables.ts';
import { eventTypes, EventType } from '../events/event-schema.ts';
import { webhookFaults } from '../messages/standards/english.ts';
import { Guid, textOfAtMost, timestamps, timestampsOf } from '../validation/fields.ts';
import { unlessMissing } from '../validation/validation-messages.ts';

const maxUrlCharacters = 2000;

const WebhookUrl = z
  .string({ error: unlessMissing(webhookFaults.notUrl) })
  .max(maxUrlCharacters, { error: messageText(webhookFaults.notUrl) })
  .refine((text) => isWebhookUrl(text), { error: messageText(webhookFaults.notUrl) })
  .meta({ pattern: '^https?://' })
  .describe(
    'The URL that receives messages: an https URL without user and password, at most 2,000 characters',
  );

function isWebhookUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:\/\//i.test(text) || url.hash !== '') return false;
  return url.username === '' && url.password === '' && url.hostname !== '';
}

const wanted = {
  types: z
    .array(EventType)
    .min(1)
    .max(eventTypes.length)
    .nullable()
    .describe('Types of events to send, as in `GET /events`; null: all'),
  dataset_id: Guid.nullable().describe('Only events of this dataset; null: of all datasets'),
  group_id: Guid.nullable().describe('Only events of datasets of this group; null: of all groups'),
  run_id: Guid.nullable().describe('Only events of this run; null: of all runs'),
};
const input = {
  url: WebhookUrl,
  description: textOfAtMost(2000).describe('Free text'),
  ...wanted,
};

const example: { readonly url: string; readonly description: string; readonly types: EventType[] } = {
  url: 'https://maps.example/hooks/steppe',
  description: 'Publishes zonings when they are made',
  types: ['dataset.ready', 'run.succeeded'],
};

export const WebhookInput = z
  .object({
    ...input,
    description: input.description.default(''),
    types: wanted.types.default(null),
    dataset_id: wanted.dataset_id.default(null),
    group_id: wanted.group_id.default(null),
    run_id: wanted.run_id.default(null),
  })
  .meta({
    description: 'The receiver of events, and the events to send; an event must match all conditions',
    examples: [example],
  });

const PatchFields = z
  .object({ ...input, state: z.enum(['on', 'off']).describe('Whether messages are sent') })
  .partial();
export const WebhookPatch = PatchFields.meta({
  id: 'WebhookPatch',
  description: 'The fields of a webhook that change, at least one; null clears',
  examples: [{ state: 'on' }],
  minProperties: 1,
  anyOf: PatchFields.keyof().options.map((name) => ({ required: [name] })),
});

const stored = {
  id: '5c9a2f04-1f2e-4f6e-8b1d-7e0a6c3b9d52',
  ...example,
  dataset_id: null,
  group_id: null,
  run_id: null,
  state: 'on',
  reason: null,
  failing_since: null,
  created_at: '2026-10-02T09:40:00.113Z',
  updated_at: '2026-10-02T09:40:00.113Z',
};

export const Webhook = z
  .object({
    id: Guid.describe('Id of the webhook'),
    url: z.string().describe('The URL that receives messages'),
    description: z.string().describe('Free text; may be empty'),
    ...wanted,
    state: z
      .enum(['on', 'off', 'disabled'])
      .describe(
        '`disabled`: the service has stopped sending for the `reason`; `on` continues where it stopped',
      ),
    reason: z
      .enum(['gone', 'failing'])
      .nullable()
      .describe(
        '`gone`: it has answered 410; `failing`: it has accepted nothing for five days; null unless disabled',
      ),
    failing_since: z.iso
      .datetime()
      .nullable()
      .describe('The time since which it has accepted nothing, UTC; null while it accepts all messages'),
    ...timestamps,
  })
  .meta({ id: 'Webhook', description: 'An address to which events are sent', examples: [stored] });
export type Webhook = z.infer<typeof Webhook>;

export const NewWebhook = Webhook.extend({
  secret: z.string().describe('The secret that signs messages: `whsec_` and Base64. It is not shown again'),
}).meta({
  id: 'NewWebhook',
  description: 'A webhook with its secret',
  examples: [{ ...stored, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD0tq9hFt2aGk=' }],
});

const longestKeepHours = 168;
const usualKeepHours = 24;

export const WebhookSecretInput = z
  .object({
    keep_hours: z
      .int()
      .min(0)
      .max(longestKeepHours)
      .default(usualKeepHours)
      .describe(
        'The time for which messages are also signed with the previous secret; 0: no longer, nor with any earlier one',
      ),
  })
  .meta({
    id: 'WebhookSecretInput',
    description: 'The remaining time of the previous secret',
    examples: [{ keep_hours: 24 }],
  });

export const RenewedWebhook = NewWebhook.extend({
  earlier_secrets_until: z.iso
    .datetime()
    .nullable()
    .describe('The time until which messages are also signed with the earlier secrets, UTC; null: no longer'),
}).meta({
  id: 'RenewedWebhook',
  description: 'A webhook with its new secret',
  examples: [
    {
      ...stored,
      secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD0tq9hFt2aGk=',
      earlier_secrets_until: '2026-10-03T09:40:00.113Z',
    },
  ],
});

export const WebhookDelivery = z
  .object({
    message_id: z.string().describe('`webhook-id` of the message, the same in all attempts'),
    type: z.string().describe('Type of the event; `webhook.test` for a test'),
    state: z
      .enum(['pending', 'delivered', 'failed'])
      .describe('The outcome; `failed`: the message was given up'),
    attempts: z.int().min(0).describe('Number of attempts'),
    status: z.int().nullable().describe('HTTP status of the last answer; null without one'),
    error: z
      .string()
      .nullable()
      .describe(
        'Why there was no answer: `forbidden_address` of a private network, `no_address`, `refused`, `timeout`, `tls` or `connection`',
      ),
    created_at: z.iso.datetime().describe('The time of the first attempt, or of the request for a test, UTC'),
    attempted_at: z.iso
      .datetime()
      .nullable()
      .describe('The time of the last attempt, UTC; null before the first'),
  })
  .meta({
    id: 'WebhookDelivery',
    description: 'The outcome of a message',
    examples: [
      {
        message_id: 'evt_3f9a1c20-1043',
        type: 'dataset.ready',
        state: 'delivered',
        attempts: 1,
        status: 204,
        error: null,
        created_at: '2026-10-02T09:40:00.113Z',
        attempted_at: '2026-10-02T09:40:00.113Z',
      },
    ],
  });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export function toWebhook(row: Selectable<Tables['webhooks']>): Webhook {
  const {
    id,
    url,
    description,
    types,
    dataset_id,
    group_id,
    run_id,
    state,
    reason,
    failing_since: since,
  } = row;
  return {
    id,
    url,
    description,
    types: types?.flatMap((type) => EventType.safeParse(type).data ?? []) ?? null,
    dataset_id,
    group_id,
    run_id,
    state,
    reason,
    failing_since: since?.toISOString() ?? null,
    ...timestampsOf(row),
  };
}

export function toDelivery(row: Selectable<Tables['webhook_deliveries']>): WebhookDelivery {
  const { message_id, type, state, attempts, status, error, created_at: made, attempted_at: attempted } = row;
  const attemptedAt = attempted?.toISOString() ?? null;
  return {
    message_id,
    type,
    state,
    attempts,
    status,
    error,
    created_at: made.toISOString(),
    attempted_at: attemptedAt,
  };
}
