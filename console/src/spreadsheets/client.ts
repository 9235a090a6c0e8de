import type { AnswerOf, Kind, RequestOf } from './messages.ts';
import { SpreadsheetFault } from './model/types.ts';

/** Within this, the largest spreadsheet that is read is read on a slow computer; then the worker is ended. */
const patienceMs = 30_000;

/** Asks a worker of its own about one spreadsheet. What takes too long ends the worker, and all it was asked. */
export function openSpreadsheetSession() {
  const worker = new Worker(new URL('sheet-worker.ts', import.meta.url), {
    type: 'module',
    name: 'spreadsheet',
  });
  const waiting = new Map<
    number,
    { readonly hear: (event: MessageEvent) => void; readonly fail: (fault: SpreadsheetFault) => void }
  >();
  let last = 0;
  let ended: SpreadsheetFault | undefined;
  const end = (fault: SpreadsheetFault): void => {
    ended ??= fault;
    worker.terminate();
    for (const { fail } of waiting.values()) fail(ended);
    waiting.clear();
  };
  worker.addEventListener('message', (event: MessageEvent) => waiting.get(event.data.job)?.hear(event));
  // Its script did not come, or its memory did not suffice.
  worker.addEventListener('error', () => end(new SpreadsheetFault('workerFailed')));
  return {
    /** @throws {SpreadsheetFault} */
    async ask<K extends Kind>(kind: K, request: RequestOf<K>): Promise<AnswerOf<K>> {
      if (ended !== undefined) throw ended;
      last += 1;
      const job = last;
      const deadline = setTimeout(() => end(new SpreadsheetFault('tooSlow')), patienceMs);
      const replied = new Promise<AnswerOf<K>>((resolve, fail) => {
        const hear = ({ data }: MessageEvent): void => {
          if (data.fault === undefined) resolve(data.answer);
          else fail(new SpreadsheetFault(data.fault, data.where));
        };
        waiting.set(job, { hear, fail });
      });
      worker.postMessage({ job, kind, request }, { transfer: [] });
      try {
        return await replied;
      } finally {
        clearTimeout(deadline);
        waiting.delete(job);
      }
    },
    end: (): void => end(new SpreadsheetFault('tooSlow')),
  };
}
