import assert from 'node:assert/strict';
import { join } from 'node:path';
import { projectRoot } from '../support/project.ts';
import { runToEnd } from '../support/service.ts';

export const main = join(projectRoot, 'src/main.ts');

interface Examination {
  readonly dataDir: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Command that runs the commands of Steppe. */
  readonly command?: readonly string[];
  readonly cwd?: string;
}

/** Runs the doctor, which must write only to stdout; returns its output. */
export async function examine(
  { command = [process.execPath, main], ...options }: Examination,
  code = 0,
): Promise<string> {
  const said = await runToEnd({ ...options, command: commandOf([...command, 'doctor']) });
  assert.deepEqual([said.code, said.output], [code, said.stdout]);
  return said.stdout;
}

export function commandOf([file = '', ...args]: readonly string[]): readonly [string, ...string[]] {
  return [file, ...args];
}
