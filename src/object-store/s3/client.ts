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
/** Bodies that are read slowly keep their sockets; nothing else may wait for those. */
const readSockets = 1024;
const otherSockets = 128;
const maxAttempts = 3;
const sliceBytes = 64 * KiB;

interface AskOptions {
  /** For the answer, from the last byte that the connection has taken, instead of the usual limit. */
  readonly withinMs?: number;
  /** Cancels the call. */
  readonly signal?: AbortSignal;
}

/**
 * Sends one command to the store; repetitions by the SDK do not prolong the wait for an answer.
 * @throws {StoreUnavailable} when the store is away, overloaded, or refuses us.
 */
export type Ask = <Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
  command: $Command<Input, Output, S3ClientResolvedConfig, ServiceInputTypes, ServiceOutputTypes>,
  options?: AskOptions,
) => Promise<Output>;

export interface S3Options {
  /**
   * Instead of those that the AWS SDK finds in the environment, in the files of the AWS tools, or through the machine or pod.
   */
  readonly credentials?: S3ClientConfig['credentials'];
  /** Told in words of what an operator has to mend. */
  readonly onRefusal: OnRefusal;
  /** The usual limit of a call, six seconds without it. */
  readonly answerWithinMs?: number;
}

/** Makes the clients of a store without connecting yet; each has sockets of its own. */
export function createS3Clients(
  { endpoint, region, forcePathStyle }: S3Location,
  { credentials, onRefusal, answerWithinMs = 6000 }: S3Options,
) {
  const clients: S3Client[] = [];
  function open(maxSockets: number, attempts: number): Ask {
    const client = new S3Client({
      ...(endpoint === undefined ? {} : { endpoint }),
      ...(region === undefined ? {} : { region }),
      ...(credentials === undefined ? {} : { credentials }),
      forcePathStyle,
      maxAttempts: attempts,
      // Other servers know no such checksums; the object ledger has its own.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: tellProgress(
        new NodeHttpHandler({
          connectionTimeout: connectWithinMs,
          socketTimeout: 0, // what may take how long is decided for each call
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
    /** For objects that are read. */
    reading: open(readSockets, maxAttempts),
    /** For everything else. */
    other: open(otherSockets, maxAttempts),
    /** Asks once: what it says is about this moment. */
    checking: open(1, 1),
    close() {
      for (const client of clients) client.destroy();
    },
  };
}

interface Call {
  /**
   * Called each time that a connection has taken more of what the call sends than any before. A repetition that sends the same
   * bytes once more is not progress.
   */
  readonly told: () => void;
  /** How much a connection has taken so far, of all that tried. */
  furthestBytes: number;
}
const current = new AsyncLocalStorage<Call>();

/** Makes a handler send bodies slice by slice, which the SDK hands over whole. A repetition sends its body from the start. */
function tellProgress(handler: NodeHttpHandler): NodeHttpHandler {
  const handle = handler.handle.bind(handler);
  handler.handle = async (request, options) => {
    const call = current.getStore();
    const body: unknown = request.body;
    if (call === undefined || !(body instanceof Uint8Array)) return await handle(request, options);
    // The SDK repeats no request whose body is a stream, and looks at this one.
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
