import { readProjectFile } from './project.ts';
import { runShell } from './shell.ts';

/** The shell lines of README.md below a title, as printed. @throws {Error} when there are none. */
export function readmeLines(title: string): string {
  const [, section = ''] = readProjectFile('README.md').split(`\n## ${title}\n`);
  const [, lines] = /^[^#]*?```sh\n([\s\S]*?)```/.exec(section) ?? [];
  if (lines === undefined) throw new Error(`README.md has no shell lines below "${title}"`);
  return lines;
}

/** `sh` is what every system has, `bash` what a terminal of Debian opens. */
const shells = { sh: ['-i'], bash: ['--norc', '-i'] };

/**
 * Pastes `lines` into an interactive shell in `folder`, with the service at `baseUrl`; gives what a terminal shows.
 * @throws {Error} when the lines have no end, or end a bash.
 */
export async function paste(
  lines: string,
  place: { shell: keyof typeof shells; folder: string; baseUrl: string },
) {
  const { shell: name, folder: cwd, baseUrl: BASE } = place;
  const env = { PATH: process.env['PATH'] ?? '', PS1: '', PS2: '', HISTFILE: '/dev/null', BASE };
  const { shown } = await runShell(`${lines}\necho 'the shell lives on'\n`, {
    command: [name, ...shells[name]],
    cwd,
    env,
  });
  // Dash throws away what it has read ahead when a file to read with `.` is missing.
  const isAlive = shown.includes('the shell lives on') || /: cannot open \S+: No such file/.test(shown);
  if (!isAlive) throw new Error(`the lines came to no good end:\n${shown}`);
  return shown;
}
