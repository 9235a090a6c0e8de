import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { answerDescriptor } from '../../src/geo/protocol.ts';

const Answer = z.looseObject({ outcome: z.string(), message: z.string().optional() });

/** Starts the program of a child without anything around it but a limit for its files; gives its answer to one request. */
export async function askChild(
  entry: string,
  request: object,
  env: Readonly<Record<string, string>>,
  fileBytes?: number,
): Promise<z.infer<typeof Answer>> {
  const limit = fileBytes === undefined ? '' : `ulimit -f ${fileBytes / 512}; `;
  const command = ['-c', `${limit}exec "$0" "$1"`, process.execPath, entry];
  const child = spawn('/bin/sh', command, { stdio: ['pipe', 'ignore', 'ignore', 'pipe'], env });
  try {
    child.stdin?.write(`${JSON.stringify(request)}\n`);
    const answers = child.stdio[answerDescriptor];
    if (!(answers instanceof Readable)) throw new Error('the child has nowhere to answer');
    const [line] = await once(createInterface({ input: answers }), 'line');
    return Answer.parse(JSON.parse(line));
  } finally {
    child.kill('SIGKILL');
  }
}
