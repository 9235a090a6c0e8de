/** A drawing thread that does what the key of a mesh says instead of drawing, for tests of the code around it. */
import { parentPort } from 'node:worker_threads';
import { drawingProblems } from '../../messages/drawing/english.ts';

interface Call {
  readonly kind: string;
  readonly id: number;
  readonly call: { readonly request: { readonly meshKey: string } };
}

parentPort?.on('message', ({ kind, id, call }: Call) => {
  if (kind !== 'call') return;
  const { meshKey } = call.request;
  if (meshKey === 'die') process.exit(1);
  if (meshKey === 'throw') throw new Error('a fault of the thread');
  if (meshKey === 'spin') for (;;);
  // Simulates a machine whose processors are busy.
  if (meshKey === 'starve') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800);
  // Longer than a call without its own deadline may take.
  const end = performance.now() + (meshKey === 'work' ? 800 : 0);
  while (performance.now() < end);
  if (meshKey.startsWith('wait')) return;
  const { code, message, sentence } = drawingProblems.tooMuch(7);
  if (meshKey === 'refuse') {
    parentPort?.postMessage(
      { kind: 'failed', id, failure: { kind: 'problem', code, message, sentence } },
      [],
    );
  } else {
    parentPort?.postMessage({ kind: 'done', id, result: meshKey }, []);
  }
});
parentPort?.postMessage({ kind: 'ready' }, []);
