import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { exportProblems } from '../../messages/tables/english.ts';
import type { ByteRange } from '../../object-store/object-store.ts';
import type { AskedFile, Spool, TakenFile } from '../../spool/spool.ts';
import { clientOf } from '../access/authentication.ts';
import { untilGone } from '../request/until-gone.ts';
import { sendAnswer } from './answer.ts';
import { etagOfParts, type Parts } from './conditions.ts';

/** Text of the API description about such files. */
export const spooledText = `The file is written once for all clients that request it, in a queue in which clients take turns; a client with too many queued requests is answered with 429. The file has a strong
ETag, a length and single ranges (\`Range\`, \`If-Range\`); a plain GET of a file that takes long may begin while it is written, without a length. 503 if there is no room for it.`;

/** A file that is written on request. */
export interface SpooledAnswer extends Pick<AskedFile, 'source' | 'isLong'> {
  readonly parts: Parts;
  /** Headers that 304 and 412 carry as well. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers of the content alone, including its type. */
  readonly contentHeaders: Readonly<Record<'content-type', string> & Record<string, string>>;
}

/** Signals that the content was replaced between the look-up and the writing. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

const maxTries = 4;

interface Sending {
  readonly spool: Spool;
  /** Called before the file is written; throws to refuse it. */
  readonly charge: () => void;
  /** Finds the current content; its source throws `Superseded` if that has changed. */
  readonly lookUp: (signal: AbortSignal) => Promise<SpooledAnswer>;
}

/**
 * Answers GET or HEAD with a file from the spool. A plain GET of a file that takes long begins without a length, while
 * the file is being written.
 */
export async function sendSpooled(
  request: FastifyRequest,
  reply: FastifyReply,
  { lookUp, ...sending }: Sending,
): Promise<FastifyReply> {
  const signal = untilGone(reply);
  for (let tries = 1; ; tries += 1) {
    try {
      return await sendNow(request, reply, { ...sending, answer: await lookUp(signal), signal });
    } catch (error) {
      if (!(error instanceof Superseded)) throw error;
      if (tries === maxTries) throw exportProblems.changes().because(error);
    }
  }
}

async function sendNow(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    spool,
    charge,
    answer: { parts, headers, contentHeaders, ...asked },
    signal,
  }: Omit<Sending, 'lookUp'> & { readonly answer: SpooledAnswer; readonly signal: AbortSignal },
): Promise<FastifyReply> {
  const etag = etagOfParts(parts);
  const open = async () => {
    // Only a complete file has the length that HEAD and ranges need.
    const isWhole = request.method === 'HEAD' || request.headers.range !== undefined;
    const until = isWhole ? 'whole' : 'begun';
    const key = `${contentHeaders['content-type']} ${etag}`;
    const file = await spool.take({ ...asked, key, client: clientOf(request), charge, until, signal });
    return {
      headers: contentHeaders,
      size: file.sizeBytes,
      read: async (range: ByteRange | undefined) => bodyOf(file, range),
      close: () => file[Symbol.dispose](),
    };
  };
  return await sendAnswer(request, reply, { etag, headers, hasRanges: true, open });
}

/** Returns the part of a file to send; the file is released when the stream ends. */
function bodyOf(file: TakenFile, range: ByteRange | undefined): Readable {
  const bytes = file.read(range);
  const body = Readable.from(bytes, { objectMode: false });
  // A pending read ends first.
  body.once('close', () => void bytes.return(undefined).finally(() => file[Symbol.dispose]()));
  file.cut.addEventListener('abort', () => body.destroy(file.cut.reason), { once: true });
  return body;
}
