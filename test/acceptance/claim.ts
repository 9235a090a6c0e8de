import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { readProjectFile } from '../support/project.ts';
import type { Client } from './client.ts';

/** A promise of the service, and how a client checks it over HTTP. */
export interface Claim {
  /** Ids of the rows of docs/interface.md that the claim proves. */
  readonly rows: readonly string[];
  readonly text: string;
  /** The name of its file in `claims/`, without folder and extension. */
  readonly file: string;
  /** True if `npm test` leaves the claim out. */
  readonly isLong: boolean;
  check(client: Client): Promise<void>;
}

/** A promise that cannot be checked from outside of a service with its usual settings, and the test that proves it instead. */
export interface CheckedElsewhere {
  readonly rows: readonly string[];
  /** Path from the root of the project. */
  readonly file: string;
  /** The title of a test in that file. */
  readonly title: string;
}

/**
 * Files of claims that `npm test` leaves out, because tests of the engine, of the graph and of judging prove
 * the same without a service. They use their own files and runs.
 */
const longFiles: ReadonlySet<string> = new Set([
  'dataset-areas',
  'landscape-again',
  'landscape-forms',
  'landscape-judging',
  'raster-cog',
  'vector-files',
]);

const document = 'docs/interface.md';
const claims: Claim[] = [];
const elsewhere: CheckedElsewhere[] = [];
let current = '';

/**
 * Defines a claim in one sentence. Ids of rows may share a text, separated by ` | `. Claims run in parallel
 * on one service: each creates what it changes.
 */
export function claim(rows: readonly string[], text: string, check: Claim['check']): void {
  const isLong = longFiles.has(current);
  claims.push({ rows: rows.flatMap((ids) => ids.split(' | ')), text, file: current, isLong, check });
}

/** Lists tests of a file by title, and the rows that each of them proves. */
export function checkedElsewhere(file: string, tests: Readonly<Record<string, readonly string[]>>): void {
  for (const [title, rows] of Object.entries(tests)) elsewhere.push({ rows, file, title });
}

export interface Suite {
  /** Sentence of each row by id, in the order of the document. */
  readonly rows: ReadonlyMap<string, string>;
  readonly claims: readonly Claim[];
  readonly elsewhere: readonly CheckedElsewhere[];
}

const row = /^\| (?<id>[^|]+) \| (?<text>(?:[^|]|\\\|)+) \| (?<proofs>[^|]*)\|$/;

/** Reads the rows of docs/interface.md and every file of claims. */
export async function loadSuite(): Promise<Suite> {
  const rows = new Map<string, string>();
  for (const line of readProjectFile(document).split('\n')) {
    const { id, text } = row.exec(line)?.groups ?? {};
    if (id === undefined || text === undefined || id === 'Row') continue;
    if (rows.has(id)) throw new Error(`${document} has two rows ${id}`);
    rows.set(id, text);
  }
  const folder = new URL('claims/', import.meta.url);
  const files = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.ts'));
  for (const path of files.toSorted((a, b) => (basename(a) < basename(b) ? -1 : 1))) {
    current = basename(path, '.ts');
    await import(new URL(path, folder).href);
  }
  return { rows, claims, elsewhere };
}

/** Returns docs/interface.md with the current files that prove each row. */
export function withProofs({ claims: proving, elsewhere: others }: Suite): string {
  const proofsOf = (id: string): string[] => {
    const files = [...proving, ...others].filter(({ rows }) => rows.includes(id)).map(({ file }) => file);
    return [...new Set(files)].map((file) => `\`${file}\``);
  };
  return readProjectFile(document)
    .split('\n')
    .map((line) => {
      const { id, text } = row.exec(line)?.groups ?? {};
      return id === undefined || id === 'Row' ? line : `| ${id} | ${text} | ${proofsOf(id).join(', ')} |`;
    })
    .join('\n');
}
