/** Refuses words and openings that obscure a sentence, in comments of the folders that are free of them. */
import { globSync, readFileSync } from 'node:fs';
import { projectRoot } from '../test/support/project.ts';

const folders = [
  'src/geo',
  'src/landscape',
  'src/processing',
  'src/json',
  'src/catalogue',
  'src/backup',
  'src/metrics',
  'src/validation',
  'tools',
  'scripts',
  'bench',
  'deploy',
];
const comment = /\/\*[^]*?\*\/|(?<=^|\s)\/\/ [^\n]*/gm;
const refused: readonly { readonly pattern: RegExp; readonly instead: string }[] = [
  {
    pattern: /^\/\*\*[\s*]*(?:Tells|Says|Has|Gives)\b/,
    instead: 'begin with what the code does, such as Returns',
  },
  { pattern: /(?<!there )\bis no (?!longer\b|more\b|such\b)\w+/i, instead: 'write "is not a"' },
  { pattern: /\b(?:anew|whoever|errand|deaf|doorbell)\b/i, instead: 'use the standard term' },
];

const findings = globSync(`{${folders.join()}}/**/*.{ts,mjs}`, { cwd: projectRoot }).flatMap((file) => {
  const text = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
  return [...text.matchAll(comment)].flatMap(({ 0: words, index }) =>
    refused.flatMap(({ pattern, instead }) => {
      const found = pattern.exec(words);
      if (found === null) return [];
      const line = text.slice(0, index + found.index).split('\n').length;
      return [`${file}:${line}: ${found[0].replaceAll(/\s+/g, ' ')}: ${instead}`];
    }),
  );
});
for (const finding of findings) console.error(finding);
process.exit(findings.length === 0 ? 0 : 1);
