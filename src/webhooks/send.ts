import { createHmac } from 'node:crypto';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import {
  createGuardedLookup,
  type NoAnswer,
  reasonOf,
  type Resolve,
  resolveAll,
} from '../remote/guarded-lookup.ts';
import { createNetworks, isPublicAddress } from '../remote/public-address.ts';

const usualDeadlineMs = 15_000;
const maxHeaderBytes = 16 * 1024;
const longestPauseSeconds = 3600;

/** A message; the id is the same for the same event in all attempts. */
export interface WebhookMessage {
  readonly id: string;
  /** JSON. */
  readonly body: string;
}

export type SendResult =
  | { readonly status: number; readonly error: null; readonly retryAfterSeconds: number }
  | { readonly status: null; readonly error: NoAnswer };

interface SenderOptions {
  readonly deadlineMs?: number;
  readonly resolve?: Resolve;
}

export type WebhookSender = ReturnType<typeof createWebhookSender>;

/**
 * Creates the sender of messages to URLs of third parties. It connects only to the address that it has checked, follows no redirect and
 * reads only the head of an answer, so that a URL cannot reach or reveal internal services.
 * @param allowedNetworks private networks that the operator allows, also without TLS.
 */
export function createWebhookSender(
  allowedNetworks: readonly string[],
  { deadlineMs = usualDeadlineMs, resolve = resolveAll }: SenderOptions = {},
) {
  const isAllowed = createNetworks(allowedNetworks);
  const mayConnect = (address: string, protocol: string): boolean =>
    isAllowed(address) || (protocol === 'https:' && isPublicAddress(address));

  /** Returns whether messages may be sent to a URL, before its name is resolved. */
  function mayTry(url: URL): boolean {
    const host = url.hostname.replaceAll(/[[\]]/g, '');
    if (isIP(host) !== 0) return mayConnect(host, url.protocol);
    return url.protocol === 'https:' || allowedNetworks.length > 0;
  }

  const lookupFor = (protocol: string): LookupFunction =>
    createGuardedLookup((address) => mayConnect(address, protocol), resolve);

  return {
    mayTry,

    /** Sends one message, signed by each secret according to Standard Webhooks. Rejects only when `signal` aborts. */
    async send(
      to: { readonly url: string; readonly secrets: readonly Buffer[] },
      { id, body }: WebhookMessage,
      signal: AbortSignal,
    ): Promise<SendResult> {
      signal.throwIfAborted();
      const url = new URL(to.url);
      if (!mayTry(url)) return { status: null, error: 'forbidden_address' };
      const timestamp = Math.floor(Date.now() / 1000);
      const late = AbortSignal.timeout(deadlineMs);
      const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
        method: 'POST',
        agent: false, // a new connection, so that no earlier check of an address applies
        lookup: lookupFor(url.protocol),
        signal: AbortSignal.any([signal, late]),
        maxHeaderSize: maxHeaderBytes,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'Steppe-Webhooks',
          'webhook-id': id,
          'webhook-timestamp': timestamp,
          'webhook-signature': signaturesOf(to.secrets, `${id}.${timestamp}.${body}`),
        },
      });
      try {
        return await answerOf(request, body);
      } catch (error) {
        signal.throwIfAborted();
        return { status: null, error: late.aborted ? 'timeout' : reasonOf(error) };
      } finally {
        request.destroy();
      }
    },
  };
}

/** Returns a signature by each secret; a receiver accepts any that matches. */
function signaturesOf(secrets: readonly Buffer[], text: string): string {
  const signatureOf = (secret: Buffer) => createHmac('sha256', secret).update(text).digest('base64');
  return secrets.map((secret) => `v1,${signatureOf(secret)}`).join(' ');
}

async function answerOf(request: ClientRequest, body: string): Promise<SendResult> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request
    .on('response', resolve)
    .on('error', reject)
    .on('close', () => reject(new Error('no answer')));
  request.end(body);
  const { statusCode: status = 0, headers } = await promise;
  const seconds = Number(headers['retry-after'] ?? 0);
  const retryAfterSeconds = Number.isFinite(seconds)
    ? Math.min(Math.max(seconds, 0), longestPauseSeconds)
    : 0;
  return { status, error: null, retryAfterSeconds };
}
