import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyedRequest } from '../../http/access/idempotency.ts';
import { jsonResponse } from '../../http/openapi/responses.ts';
import { type Form, readForm } from '../../http/request/multipart.ts';
import { type DigestedFile, digestFile } from '../original/receive-file.ts';
import { Dataset, type DatasetRow, toDataset } from '../schema.ts';

export const accepted = { 201: jsonResponse('Accepted, its processing is queued', Dataset) };

/** Answers a form whose key was used before; the form is read to its end but not stored. */
export async function answerAgain(
  key: KeyedRequest,
  request: FastifyRequest,
  options: { readonly knownFields: readonly string[]; readonly maxBytes: number },
): Promise<FastifyReply> {
  await using form = await readForm(request, { ...options, takeFile: digestFile });
  return await key.answer(contentOf(form), neverMade, created);
}

/** Stands for the work of a request that was answered before. */
export async function neverMade(): Promise<never> {
  return await Promise.reject(new Error('what was answered before is not made'));
}

/** Returns the content that two requests must share. */
export function contentOf({
  fields,
  problems,
  file,
}: Pick<Form<DigestedFile>, 'fields' | 'problems' | 'file'>): object {
  const { filename, contentType, sha256 } = file ?? {};
  return { fields, faults: Object.keys(problems), filename, contentType, sha256: sha256?.toString('hex') };
}

/** Returns the answer to an upload that created a dataset. */
export function created(row: DatasetRow) {
  return { status: 201, location: `/datasets/${row.id}`, body: toDataset(row) };
}
