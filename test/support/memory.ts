import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/**
 * Bytes that this process holds in its heap and outside of it, in buffers, and cannot let go of. Garbage is left out
 * (of buffers most of it): how much of it lies about is a matter of chance.
 */
export function memoryInUse(): { readonly heap: number; readonly buffers: number } {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return { heap: heapUsed, buffers: external };
}
