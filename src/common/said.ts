import { readable } from './readable.ts';

/** A sentence without its words: a stable code, such as `zip.damaged`, and its facts in their order, as JSON holds them. */
export interface Said {
  readonly code: string;
  readonly facts: readonly unknown[];
}

/** Those of the modules are met first, and stay. */
const maxLasting = 2000;
const maxPassing = 2000;
const maxDepth = 5;
const maxItems = 1000;
const maxCharacters = 1000;

const lasting = new Map<string, Said>();
const passing = new Map<string, Said>();

/** Notes what an English phrase was made of, for `recall`; of the later ones only the newest are kept. */
export function remember(english: string, said: Said): string {
  if (lasting.has(english)) return english;
  if (lasting.size < maxLasting) {
    lasting.set(english, said);
    return english;
  }
  passing.delete(english);
  passing.set(english, said);
  const [oldest] = passing.keys();
  if (passing.size > maxPassing && oldest !== undefined) passing.delete(oldest);
  return english;
}

/** Returns what an English phrase was made of; undefined when it is none, or has been forgotten. */
export function recall(english: string): Said | undefined {
  return lasting.get(english) ?? passing.get(english);
}

/** Makes facts fit for JSON and for a reader; a phrase among them becomes its code and facts. */
export function factsOf(values: readonly unknown[]): readonly unknown[] {
  return values.map((value) => factOf(value, 0));
}

function factOf(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return recall(value) ?? readable(value, maxCharacters);
  if (typeof value === 'bigint') return Number(value);
  if (value === undefined || depth > maxDepth) return null;
  if (Array.isArray(value)) return value.slice(0, maxItems).map((item) => factOf(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).slice(0, maxItems);
  return Object.fromEntries(members.map(([name, member]) => [name, factOf(member, depth + 1)]));
}
