import { ListMultipartUploadsCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { type OnRefusal, within } from './calls.ts';

const pageWithinMs = 10_000;

interface Listed {
  readonly client: S3Client;
  readonly Bucket: string;
  readonly Prefix: string;
  readonly onRefusal: OnRefusal;
}

/** The names of all objects that begin with a prefix. @throws {StoreUnavailable} */
export async function* listObjects({ client, Bucket, Prefix, onRefusal }: Listed): AsyncGenerator<string> {
  for (let token: string | undefined; ;) {
    const list = new ListObjectsV2Command({ Bucket, Prefix, ...(token && { ContinuationToken: token }) });
    const page = await within(
      pageWithinMs,
      async (abortSignal) => await client.send(list, { abortSignal }),
      onRefusal,
    );
    for (const { Key } of page.Contents ?? []) if (Key !== undefined) yield Key;
    token = page.NextContinuationToken;
    if (page.IsTruncated !== true || token === undefined) return;
  }
}

/** All uploads that were begun under names with a prefix and neither completed nor aborted. @throws {StoreUnavailable} */
export async function* listUploads({ client, Bucket, Prefix, onRefusal }: Listed) {
  for (let after = {}; ;) {
    const list = new ListMultipartUploadsCommand({ Bucket, Prefix, ...after });
    const page = await within(
      pageWithinMs,
      async (abortSignal) => await client.send(list, { abortSignal }),
      onRefusal,
    );
    for (const { Key, UploadId } of page.Uploads ?? []) {
      if (Key !== undefined && UploadId !== undefined) yield { Key, UploadId };
    }
    const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page;
    if (page.IsTruncated !== true || KeyMarker === undefined) return;
    after = { KeyMarker, ...(UploadIdMarker !== undefined && { UploadIdMarker }) };
  }
}
