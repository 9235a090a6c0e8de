import { execFileSync } from 'node:child_process';
import { z } from 'zod';
import { projectRoot, readProjectFile } from '../test/support/project.ts';

const Package = z.object({ version: z.string() });

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).trim();
}

function refuse(reason: string): never {
  console.error(`release: ${reason}`);
  process.exit(1);
}

/** Tags the current commit with the version of package.json. The message is the section of this version in CHANGELOG.md. */
const { version } = Package.parse(JSON.parse(readProjectFile('package.json')));
const tag = `v${version}`;
const [newest = ''] = readProjectFile('CHANGELOG.md').split(/^## /m).slice(1);
const [title = '', ...lines] = newest.split('\n');
if (!new RegExp(`^${RegExp.escape(version)} \\(\\d{4}-\\d{2}-\\d{2}\\)$`).test(title)) {
  refuse(`the newest section of CHANGELOG.md must be "## ${version} (YYYY-MM-DD)", not "## ${title}"`);
}
if (git('status', '--porcelain') !== '') refuse('commit or remove your changes first');
if (git('tag', '--list', tag) !== '') refuse(`${tag} is released already; raise the version in package.json`);
git('tag', '--annotate', '--cleanup=verbatim', '--message', `${tag}\n\n${lines.join('\n').trim()}`, tag);
console.log(`${tag} is tagged. Push it: git push origin ${tag}`);
