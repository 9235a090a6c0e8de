/**
 * Refuses words and openings that obscure a sentence: in comments and titles of tests, in prose, and in English messages; and in
 * sentences of all languages, words for which the glossary has a term.
 */
import { globSync, readFileSync } from 'node:fs';
import { projectRoot } from '../test/support/project.ts';
import { checkGlossary } from './words/glossary.ts';

const sources = '{src,common,engines,test,console/src,tools,scripts,bench,deploy}/**/*.{ts,tsx,mjs}';
const prose = ['{README,ARCHITECTURE,CONTRIBUTING,SECURITY,CHANGELOG}.md', 'docs/**/*.md'];
const messages = ['src/messages/*/english.ts', 'console/src/**/en.ts'];

const everything = /[^]+/g;
const comments = /\/\*[^]*?\*\/|(?<=^|\s)\/\/ [^\n]*/gm;
const titles = /\b(?:test|it|describe|claim)\(\s*(['"`])(?:\\.|(?!\1)[^\\])*\1/g;

interface Rule {
  readonly files: string | readonly string[];
  /** The parts of a file that are checked. */
  readonly parts: RegExp;
  readonly refused: RegExp;
  readonly instead: string;
}

const openings: Rule = {
  files: sources,
  parts: comments,
  refused: /^\/\*\*[\s*]*(?:Tells|Says|Has|Gives|So|Of|What|Whether|Who|How|Where|As)\b/g,
  instead: 'begin with a noun or with what the code does, such as Returns',
};
const rings: Rule = {
  files: 'src/{message-queue,jobs,database,runtime}/**/*.ts',
  parts: comments,
  refused: /\brings?\b/gi,
  instead: 'write "notifies" or "wakes"',
};
const words = [
  {
    refused: /(?<!\bthere[\s*]+)\bis[\s*]+no[\s*]+(?!longer\b|more\b|such\b)\w+/gi,
    instead: 'write "is not a"',
  },
  {
    // A system account is written in backticks.
    refused:
      /(?<!`)\b(?:anew|whoever|errand|deaf|doorbells?|nobody|everybody|somebody|thinks[\s*]+better[\s*]+of[\s*]+it|the[\s*]+like[\s*]+of)\b/gi,
    instead: 'use the standard term',
  },
].flatMap((word): readonly Rule[] => [
  { ...word, files: sources, parts: comments },
  { ...word, files: sources, parts: titles },
  { ...word, files: [...prose, ...messages], parts: everything },
]);

const findings = [openings, rings, ...words].flatMap(({ files, parts, refused, instead }) =>
  globSync(files, { cwd: projectRoot, exclude: ['**/node_modules'] }).flatMap((file) => {
    const text = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
    return [...text.matchAll(parts)].flatMap((part) =>
      [...part[0].matchAll(refused)].map((found) => {
        const line = text.slice(0, part.index + found.index).split('\n').length;
        return `${file}:${line}: ${found[0].replaceAll(/[\s*]+/g, ' ')}: ${instead}`;
      }),
    );
  }),
);
const all = new Set([...findings, ...checkGlossary()]);
for (const finding of all) console.error(finding);
process.exit(all.size === 0 ? 0 : 1);
