import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { S3Location } from './location.ts';
import { tellProgress } from './progress.ts';

const connectWithinMs = 3000;
/** Bodies that are read slowly keep their sockets; nothing else may wait for those. */
const readSockets = 1024;
const otherSockets = 128;
const maxAttempts = 3;

export interface S3Clients {
  /** For objects that are read. */
  readonly reading: S3Client;
  /** For everything else. */
  readonly other: S3Client;
  /** Asks once: what it says is about this moment. */
  readonly checking: S3Client;
  close(): void;
}

/**
 * Makes the clients of a store without connecting yet; each has sockets of its own. Credentials come from where the AWS SDK looks for
 * them: the environment, the files of the AWS tools, or the machine or pod.
 * @param credentials instead of those.
 */
export function createS3Clients(
  { endpoint, region, forcePathStyle }: S3Location,
  credentials?: S3ClientConfig['credentials'],
): S3Clients {
  const open = (maxSockets: number, attempts: number): S3Client =>
    new S3Client({
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
  const clients = {
    reading: open(readSockets, maxAttempts),
    other: open(otherSockets, maxAttempts),
    checking: open(1, 1),
  };
  return {
    ...clients,
    close() {
      for (const client of Object.values(clients)) client.destroy();
    },
  };
}
