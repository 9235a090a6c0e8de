import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import {
  type $Command,
  S3Client,
  type S3ClientConfig,
  type S3ClientResolvedConfig,
  type ServiceInputTypes,
  type ServiceOutputTypes,
} from '@aws-sdk/client-s3';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { KiB } from '../../lib/units.ts';
import { watchFor } from '../deadlines.ts';
import { meantOfStore, type OnRefusal } from './errors.ts';
import type { S3Location } from './location.ts';

const connectWithinMs = 3000;
/** Bodies that are read slowly hold their sockets; other calls must not wait for them. */
const readSockets = 1024;
const otherSockets = 128;
const maxAttempts = 3;
const sliceBytes = 64 * KiB;

interface AskOptions {
  /** Timeout of the answer, from the last byte that the connection has taken; overrides the usual limit. */
  readonly withinMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * Sends one command to the store; retries of the SDK do not extend the timeout.
 * @throws {StoreUnavailable} if the store is unreachable, overloaded, or refuses access.
 */
export type Ask = <Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
  command: $Command<Input, Output, S3ClientResolvedConfig, ServiceInputTypes, ServiceOutputTypes>,
  options?: AskOptions,
) => Promise<Output>;

export interface S3Options {
  /** Overrides the credentials that the AWS SDK finds in the environment, the AWS configuration files, or the machine or pod. */
  readonly credentials?: S3ClientConfig['credentials'];
  /** Called with a sentence for the operator. */
  readonly onRefusal: OnRefusal;
  /** Usual timeout of a call; six seconds by default. */
  readonly answerWithinMs?: number;
}

/** Creates the clients of a store without connecting; each has its own sockets. */
export function createS3Clients(
  { endpoint, region, forcePathStyle, profile, isAnonymous = false }: S3Location,
  { credentials, onRefusal, answerWithinMs = 6000 }: S3Options,
) {
  const clients: S3Client[] = [];
  function open(maxSockets: number, attempts: number): Ask {
    const client = new S3Client({
      ...(endpoint === undefined ? {} : { endpoint }),
      ...(region === undefined ? {} : { region }),
      ...(credentials === undefined ? {} : { credentials }),
      ...(profile === undefined ? {} : { profile }),
      ...(isAnonymous ? anonymous : {}),
      forcePathStyle,
      maxAttempts: attempts,
      // Other servers do not support these checksums; the object ledger has its own.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: tellProgress(
        new NodeHttpHandler({
          connectionTimeout: connectWithinMs,
          socketTimeout: 0, // each call has its own timeout
          httpAgent: { keepAlive: true, maxSockets },
          httpsAgent: { keepAlive: true, maxSockets },
        }),
      ),
    });
    clients.push(client);
    return async (command, { withinMs = answerWithinMs, signal } = {}) => {
      const watch = watchFor({ signal }, withinMs);
      const send = async () => await client.send(command, { abortSignal: watch.signal });
      try {
        return await current.run({ told: () => watch.begin(withinMs), furthestBytes: 0 }, send);
      } catch (error) {
        throw meantOfStore(watch.signal.aborted ? watch.signal.reason : error, onRefusal);
      } finally {
        watch.end();
      }
    };
  }
  return {
    reading: open(readSockets, maxAttempts),
    other: open(otherSockets, maxAttempts),
    /** One attempt: the result is about this moment. */
    checking: open(1, 1),
    close() {
      for (const client of clients) client.destroy();
    },
  };
}

/** Leaves the requests to a public bucket as they are; the SDK asks for credentials nevertheless. */
const anonymous: Pick<S3ClientConfig, 'credentials' | 'signer'> = {
  credentials: { accessKeyId: '', secretAccessKey: '' },
  signer: { sign: async (request) => request },
};

interface Call {
  /**
   * Called each time that a connection has sent more bytes of the call than any before. A retry that sends the same
   * bytes again is not progress.
   */
  readonly told: () => void;
  /** Maximum number of bytes that any attempt has sent. */
  furthestBytes: number;
}
const current = new AsyncLocalStorage<Call>();

/** Makes a handler send bodies in slices; the SDK would pass them whole. A retry sends its body from the start. */
function tellProgress(handler: NodeHttpHandler): NodeHttpHandler {
  const handle = handler.handle.bind(handler);
  handler.handle = async (request, options) => {
    const call = current.getStore();
    const body: unknown = request.body;
    if (call === undefined || !(body instanceof Uint8Array)) return await handle(request, options);
    // The SDK does not retry a request whose body is a stream, and checks this one.
    request.body = Readable.from(slices(body, call), { objectMode: false });
    try {
      return await handle(request, options);
    } finally {
      request.body = body;
    }
  };
  return handler;
}

function* slices(body: Uint8Array, call: Call): Generator<Uint8Array> {
  for (let start = 0; start < body.length; start += sliceBytes) {
    const slice = body.subarray(start, start + sliceBytes);
    yield slice;
    const takenBytes = start + slice.length;
    if (takenBytes <= call.furthestBytes) continue;
    call.furthestBytes = takenBytes;
    call.told();
  }
}
