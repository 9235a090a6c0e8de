import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the part of the heap where objects are born as small as it starts. Streaming makes many short-lived buffers,
 * whose bytes lie outside of the heap and are freed only when it is full: with V8's usual growth to 32 MiB an upload
 * of any size holds some 70 MiB more than it needs, and is no faster. `npm run bench -- upload` shows it.
 */
export function keepYoungHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
