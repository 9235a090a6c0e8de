import { globSync } from 'node:fs';
import { projectRoot, readProjectFile } from '../../test/support/project.ts';

export type Language = 'en' | 'ru' | 'kk';

/** A banned word of a language, with the term to use. */
export interface Banned {
  readonly language: Language;
  readonly term: string;
  readonly pattern: RegExp;
}

/** Files with the sentences of a language. */
const wordFiles: Readonly<Record<Language, readonly string[]>> = {
  en: ['src/messages/*/english.ts', 'console/src/**/en.ts'],
  ru: ['src/messages/*/russian.ts', 'console/src/**/ru.ts'],
  kk: ['src/messages/*/kazakh.ts', 'console/src/**/kk.ts'],
};
const languages = ['en', 'ru', 'kk'] as const;
const literals = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;
const comments = /\/\*[^]*?\*\/|(?<=^|\s)\/\/ [^\n]*/gm;

/** Returns the words that the second table of the glossary bans. */
export function readBanned(markdown: string): readonly Banned[] {
  const [, table = ''] = markdown.split('\n## Not these words\n');
  const rows = [...table.matchAll(/^\| ([^|]+) \| ?([^|]*) ?\| ?([^|]*) ?\| ?([^|]*) ?\|$/gm)];
  return rows.slice(1).flatMap(([, term = '', ...cells]) =>
    languages.flatMap((language, index) =>
      (cells[index] ?? '')
        .split('; ')
        .map((entry) => entry.trim())
        .filter((entry) => /\p{L}/u.test(entry))
        .map((entry) => ({ language, term, pattern: patternOf(entry) })),
    ),
  );
}

/** Converts `исходн… данн…` to a pattern for both words with any endings. */
function patternOf(entry: string): RegExp {
  const words = entry
    .split(/\s+/)
    .map((word) => (word.endsWith('…') ? `${RegExp.escape(word.slice(0, -1))}\\p{L}*` : RegExp.escape(word)));
  return new RegExp(`(?<!\\p{L})${words.join('\\s+')}(?!\\p{L})`, 'giu');
}

/** Finds the banned words in the texts of a file of sentences, with the line of each. */
export function bannedIn(
  source: string,
  language: Language,
  banned: readonly Banned[],
): readonly { readonly line: number; readonly found: string; readonly term: string }[] {
  const code = source.replaceAll(comments, (comment) => comment.replaceAll(/[^\n]/g, ' '));
  return [...code.matchAll(literals)].flatMap((literal) =>
    banned
      .filter((each) => each.language === language)
      .flatMap(({ pattern, term }) =>
        [...literal[0].matchAll(pattern)].map((match) => {
          const line = code.slice(0, literal.index + match.index).split('\n').length;
          return { line, found: match[0], term };
        }),
      ),
  );
}

/** Checks every sentence of the service and of the page against the glossary; returns a line for each finding. */
export function checkGlossary(): readonly string[] {
  const banned = readBanned(readProjectFile('docs/glossary.md'));
  return languages.flatMap((language) =>
    globSync([...wordFiles[language]], { cwd: projectRoot }).flatMap((file) =>
      bannedIn(readProjectFile(file), language, banned).map(
        ({ line, found, term }) => `${file}:${line}: ${found}: docs/glossary.md has a term for “${term}”`,
      ),
    ),
  );
}
