import { spawn } from 'node:child_process';
import { failedWith } from './processes.ts';

/** Far longer than any of the lines takes on a busy machine; a shell that is still at it has no end. */
const endSeconds = 600;

interface ShellOptions {
  readonly command: readonly [file: string, ...args: string[]];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Makes a shell read lines, and ends what they have started once it ends. Returns its exit code and what a terminal shows. */
export async function runShell(lines: string, { command: [file, ...args], cwd, env }: ShellOptions) {
  // In a session of its own: there is no terminal to take over, and one signal ends the shell and what it started.
  const shell = spawn(file, args, { cwd, env, stdio: 'pipe', detached: true });
  let shown = '';
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (shown += text));
  }
  const endAll = (): void => {
    try {
      if (shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL');
    } catch (error) {
      if (!failedWith(error, 'ESRCH')) throw error;
    }
  };
  const tooLong = setTimeout(endAll, endSeconds * 1000);
  await new Promise((resolve, reject) => {
    // What is left of its session would keep its output open.
    shell.on('exit', endAll).on('close', resolve).on('error', reject);
    shell.stdin.on('error', () => undefined).end(lines);
  }).finally(() => clearTimeout(tooLong));
  return { code: shell.exitCode, shown };
}
