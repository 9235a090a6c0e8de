import type { AnswerOf, Kind, RequestOf } from './messages.ts';
import { SpreadsheetFault } from './model/types.ts';

/** Time limit for a request, enough for the largest permitted spreadsheet on a slow computer; then the worker is terminated. */
const timeoutMs = 30_000;

/** Opens a separate worker for one spreadsheet. A request that takes too long terminates the worker and rejects all its requests. */
export function openSpreadsheetSession() {
  const worker = new Worker(new URL('sheet-worker.ts', import.meta.url), {
    type: 'module',
    name: 'spreadsheet',
  });
  const waiting = new Map<
    number,
    { readonly onMessage: (event: MessageEvent) => void; readonly fail: (fault: SpreadsheetFault) => void }
  >();
  let last = 0;
  let ended: SpreadsheetFault | undefined;
  const end = (fault: SpreadsheetFault): void => {
    ended ??= fault;
    worker.terminate();
    for (const { fail } of waiting.values()) fail(ended);
    waiting.clear();
  };
  worker.addEventListener('message', (event: MessageEvent) => waiting.get(event.data.job)?.onMessage(event));
  // The script could not be loaded, or memory ran out.
  worker.addEventListener('error', () => end(new SpreadsheetFault('workerFailed')));
  return {
    /** @throws {SpreadsheetFault} */
    async ask<K extends Kind>(kind: K, request: RequestOf<K>): Promise<AnswerOf<K>> {
      if (ended !== undefined) throw ended;
      last += 1;
      const job = last;
      const deadline = setTimeout(() => end(new SpreadsheetFault('tooSlow')), timeoutMs);
      const replied = new Promise<AnswerOf<K>>((resolve, fail) => {
        const onMessage = ({ data }: MessageEvent): void => {
          if (data.fault === undefined) resolve(data.answer);
          else fail(new SpreadsheetFault(data.fault, data.where));
        };
        waiting.set(job, { onMessage, fail });
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
