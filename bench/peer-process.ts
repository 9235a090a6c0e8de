import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A server for comparison; disposing of it ends its process. */
export interface Peer extends AsyncDisposable {
  readonly baseUrl: string;
  readonly pid: number;
}

/** Wraps a process with an address as a peer. */
export function peerOf(child: ChildProcess, baseUrl: string): Peer {
  return {
    baseUrl,
    pid: child.pid ?? Number.NaN,
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'exit');
    },
  };
}
