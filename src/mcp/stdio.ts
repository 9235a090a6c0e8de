import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { MiB } from '../lib/units.ts';
import { answerMessages, notJson, type Reply } from './protocol.ts';
import type { Ask } from './tools/tool.ts';

const maxLineCharacters = MiB;
const maxUnderWay = 8;

interface Streams {
  readonly input: Readable;
  /** Receives only messages, one per line. */
  readonly output: Writable;
  readonly signal: AbortSignal;
  readonly report: (error: unknown) => void;
}

/**
 * Serves one client over a pair of streams, one message per line, until its input ends, it accepts no more output, or the signal aborts.
 */
export async function serveStdio(
  ask: Ask,
  { input, output, signal: shutdown, report }: Streams,
): Promise<void> {
  const gone = new AbortController();
  // A client that exits closes both streams; whichever is noticed first is not an error.
  output.on('error', () => gone.abort());
  const signal = AbortSignal.any([shutdown, gone.signal]);
  const underWay = new Set<Promise<void>>();
  const write = (reply: Reply | readonly Reply[]) => void output.write(`${JSON.stringify(reply)}\n`);
  const refuse = (message: string) => write(notJson(message));
  for await (const line of linesOf(input, signal)) {
    if (line === undefined) refuse('the line is too long');
    else if (line.trim() !== '') {
      const message = parse(line);
      if (message === undefined) refuse('the line is not JSON');
      else {
        // A client that has agreed on a version without batches does not send any.
        const answering = answerMessages(message, { ask, report, hasBatches: true });
        const answer = answering.then((reply) => reply && write(reply));
        const task = answer.finally(() => underWay.delete(task));
        underWay.add(task);
        // Limits concurrency: input is read more slowly when a client sends more than it waits for.
        if (underWay.size >= maxUnderWay) await Promise.race(underWay);
      }
    }
  }
  if (!signal.aborted) await Promise.all(underWay);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Yields the lines of a stream; undefined for a line that is too long, which is skipped. */
async function* linesOf(input: Readable, signal: AbortSignal): AsyncGenerator<string | undefined> {
  const decoder = new StringDecoder('utf8');
  let begun = '';
  let isSkipping = false;
  const stop = () => void input.destroy();
  signal.addEventListener('abort', stop);
  try {
    for await (const chunk of input) {
      const [first = '', ...more] = decoder.write(chunk).split('\n');
      begun += first;
      for (const next of more) {
        if (!isSkipping) yield begun;
        isSkipping = false;
        begun = next;
      }
      if (begun.length > maxLineCharacters) {
        if (!isSkipping) yield undefined;
        isSkipping = true;
        begun = '';
      }
    }
    if (begun !== '' && !isSkipping) yield begun;
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
