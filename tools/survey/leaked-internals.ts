const kinds: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: 'a path', pattern: /(?<![\p{L}\p{N}_:/.<])\/(?:[\w.@+-]+\/)+[\w.@+-]+/gu },
  { what: 'a place in a program', pattern: /\bat \w[\w.<>]{0,99} \(|\bnode:[\w/]+|\.[cm]?[jt]s:\d+/g },
  {
    what: 'a value that is none',
    pattern: /\bundefined\b(?! entity)|\[object \w+\]|\bNaN\b(?! or Infinity)/g,
  },
  {
    what: 'the name of an error',
    pattern:
      /\b[A-Z]\w*(?:Error|Exception)\b|\bE(?:ACCES|CONN[A-Z]+|EXIST|FBIG|INVAL|IO|MFILE|NOENT|NOSPC|PERM|PIPE)\b|\bSIG[A-Z]{3,}\b/g,
  },
  {
    what: 'the words of a library',
    pattern:
      /\b(?:GDAL|OGR|libtiff|TIFF[A-Z]\w+|_?TIFF\w+:|SQLite|sqlite3?_\w+|PROJ|errno|yauzl|zod|PostgreSQL)\b/g,
  },
];

/** Control characters, unpaired surrogates, and marks that change the text direction, which must not be quoted unchanged. */
const unreadable = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Finds internal details in a sentence for users: paths, stacks, names of errors and libraries. Words that the file itself contains,
 * according to `isOfFile`, are quotations.
 */
export function leakedInternals(sentence: string, isOfFile: (words: string) => boolean): readonly string[] {
  const unread = Array.from(sentence.matchAll(unreadable), ([character]) => {
    const point = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    return `the sentence holds the character U+${point}`;
  });
  const told = kinds.flatMap(({ what, pattern }) =>
    Array.from(sentence.matchAll(pattern), ([words]) => words)
      .filter((words) => !isOfFile(words))
      .map((words) => `the sentence tells ${what}: ${words}`),
  );
  return [...unread, ...told];
}
