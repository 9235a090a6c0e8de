import { readdir } from 'node:fs/promises';
import type { Client } from './client.ts';

/** One thing that the service promises, and how a stranger checks it over HTTP. */
export interface Claim {
  /** Rows of the contract and of the decisions that it checks, by id. */
  readonly rows: readonly string[];
  readonly text: string;
  check(client: Client): Promise<void>;
}

/** A promise that cannot be checked from outside of a service with its usual settings: the tests that check it instead. */
export interface CheckedElsewhere {
  readonly rows: readonly string[];
  /** From the project's root. */
  readonly file: string;
  /** The title of a test in that file. */
  readonly title: string;
}

const claims: Claim[] = [];
const elsewhere: CheckedElsewhere[] = [];

/** One claim, in one sentence. Claims run at the same time, on one service: each makes what it changes itself. */
export function claim(rows: readonly string[], text: string, check: Claim['check']): void {
  claims.push({ rows, text, check });
}

/** Tests of one file, by their titles, and the rows that each of them checks. */
export function checkedElsewhere(file: string, tests: Readonly<Record<string, readonly string[]>>): void {
  for (const [title, rows] of Object.entries(tests)) elsewhere.push({ rows, file, title });
}

export interface Suite {
  /** The words of each row by its id, in the order of the documents. */
  readonly rows: ReadonlyMap<string, string>;
  readonly claims: readonly Claim[];
  readonly elsewhere: readonly CheckedElsewhere[];
}

/** Reads every file of rows and of claims. */
export async function loadSuite(): Promise<Suite> {
  const rows = new Map<string, string>();
  for (const part of await filesIn('rows')) {
    const { rows: found }: { rows: Readonly<Record<string, string>> } = await import(part);
    for (const [id, text] of Object.entries(found)) {
      if (rows.has(id)) throw new Error(`row ${id} stands twice`);
      rows.set(id, text);
    }
  }
  for (const part of await filesIn('claims')) await import(part);
  return { rows, claims, elsewhere };
}

async function filesIn(folder: string): Promise<string[]> {
  const url = new URL(`${folder}/`, import.meta.url);
  return (await readdir(url)).toSorted().map((name) => new URL(name, url).href);
}
