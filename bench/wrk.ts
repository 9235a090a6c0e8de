import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

interface Load {
  readonly connections: number;
  readonly seconds: number;
  /** The path of a Lua script that creates the requests. */
  readonly script?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Runs wrk against an address; fails on a socket error and on any answer other than 2xx and 3xx. */
export async function requestsPerSecond(url: string, load: Load): Promise<number> {
  const { connections, seconds, script, headers = {} } = load;
  const scripted = script === undefined ? [] : ['-s', script];
  const sent = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const { stdout } = await run('wrk', [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout=30s', // for large answers
    ...scripted,
    ...sent,
    url,
  ]);
  assert.doesNotMatch(stdout, /Non-2xx|Socket errors/, stdout);
  return Number(/Requests\/sec:\s*([\d.]+)/.exec(stdout)?.[1]);
}
