import { readProjectFile } from './project.ts';
import { runShell } from './shell.ts';

/** The blocks of lines in a language in a document, or below one of its titles, as printed. @throws {Error} when there are none. */
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
