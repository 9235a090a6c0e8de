import { readProjectFile } from '../project.ts';
import { spawn } from 'node:child_process';
import { failedWith } from '../processes.ts';

/**
 * Code blocks of a language in a document, or below one of its headings.
 * @throws {Error} when there are none
 */
export function documentLines(
  path: string,
  language: string,
  title?: string,
): readonly [string, ...string[]] {
  const text = readProjectFile(path);
  const [, from = ''] = title === undefined ? ['', text] : text.split(`\n## ${title}\n`);
  const [section = ''] = title === undefined ? [from] : from.split('\n## ', 1);
  const blocks = section.split(`\`\`\`${language}\n`).slice(1);
  const [first, ...others] = blocks.map((block) => block.split('```')[0] ?? '');
  if (first === undefined) throw new Error(`${path} has no lines in ${language}`);
  return [first, ...others];
}

/** `sh` exists on every system; `bash` is the shell of a terminal on Debian. */
const shells = { sh: ['-i'], bash: ['--norc', '-i'] };

/**
 * Pastes `lines` into an interactive shell in `folder`, with the service at `baseUrl`; returns what a terminal shows.
 * @throws {Error} when the lines do not end, or end bash
 */
export async function paste(
  lines: string,
  place: {
    readonly shell: keyof typeof shells;
    readonly folder: string;
    readonly baseUrl: string;
    /** Further variables of the shell. */
    readonly env?: Readonly<Record<string, string>>;
  },
) {
  const { shell: name, folder: cwd, baseUrl, env: more } = place;
  const PATH = process.env['PATH'] ?? '';
  const env = { PATH, PS1: '', PS2: '', HISTFILE: '/dev/null', BASE_URL: baseUrl, ...more };
  const { shown } = await runShell(`${lines}\necho 'the shell lives on'\n`, {
    command: [name, ...shells[name]],
    cwd,
    env,
  });
  // Dash discards its input buffer when a file for `.` is missing.
  const isAlive = shown.includes('the shell lives on') || /: cannot open \S+: No such file/.test(shown);
  if (!isAlive) throw new Error(`the lines came to no good end:\n${shown}`);
  return shown;
}

/** Far longer than any of the lines takes on a busy machine; a shell that still runs then will not end. */
const endSeconds = 600;

interface ShellOptions {
  readonly command: readonly [file: string, ...args: string[]];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Runs lines in a shell, and ends the processes that they started once the shell ends. Returns the exit code and what a terminal shows. */
export async function runShell(lines: string, { command: [file, ...args], cwd, env }: ShellOptions) {
  // A session of its own has no terminal, and one signal ends the shell and its processes.
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
    // Remaining processes of the session would keep its output open.
    shell.on('exit', endAll).on('close', resolve).on('error', reject);
    shell.stdin.on('error', () => undefined).end(lines);
  }).finally(() => clearTimeout(tooLong));
  return { code: shell.exitCode, shown };
}
