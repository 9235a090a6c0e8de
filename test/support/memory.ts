import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/**
 * Bytes in the heap and in buffers of this process that cannot be freed. Garbage (for buffers, most of it)
 * does not count, because its amount is random.
 */
export function memoryInUse(): { readonly heap: number; readonly buffers: number } {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return { heap: heapUsed, buffers: external };
}
