import { execFileSync } from 'node:child_process';
import { projectRoot, readProjectFile } from '../test/support/project.ts';

/** Words and openings that standard technical English does without, each with what to write. */
const banned: readonly { readonly words: RegExp; readonly instead: string }[] = [
  { words: /\bwhoever\b/i, instead: 'name the actor: the caller, the client, the operator' },
  { words: /\b(?:nobody|everybody|somebody)\b/i, instead: 'name the actor, or use the passive voice' },
  { words: /\banew\b/i, instead: 'again' },
  { words: /\berrands?\b/i, instead: 'request' },
  { words: /\bdeaf\b/i, instead: 'not listening, unhealthy' },
  { words: /(?<!\b(?:there|here|it) )\bis no (?!longer|more\b)[a-z]/i, instead: 'is not a …' },
  { words: /\bcomes? to (?:a|no) good end\b/i, instead: 'succeeds, fails' },
  { words: /\bthose that there are\b/i, instead: 'the existing …' },
  { words: /\/\*\* (?:Tells|Says|Has|Gives|Takes|Lends)\b/, instead: 'Returns, Reports, Reads, Whether …' },
];

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: projectRoot,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.(?:tsx?|mjs|md|ya?ml|sh)$/.test(file))
  .filter((file) => !/^(?:test\/fixtures\/|scripts\/words\.ts|THIRD-PARTY-NOTICES\.md)/.test(file));

/** Lists the banned words in the tree, a line each, and exits with 1 when there are any. */
const findings = files.flatMap((file) =>
  readProjectFile(file)
    .split('\n')
    .flatMap((line, index) =>
      banned
        .filter(({ words }) => words.test(line))
        .map(({ words, instead }) => `${file}:${index + 1}: "${words.exec(line)?.[0]}": write ${instead}`),
    ),
);
for (const finding of findings) console.error(finding);
process.exit(findings.length === 0 ? 0 : 1);
