import { readable } from './readable.ts';
import { MiB } from './units.ts';

/** A sentence without its words: a stable code, such as `zip.damaged`, and its facts in their order, as JSON holds them. */
export interface Said {
  readonly code: string;
  readonly facts: readonly unknown[];
}

/** Those of the modules are met first, and stay. */
const maxLasting = 2000;
const maxLastingCharacters = 1000;
const maxPassing = 2000;
const maxPassingCharacters = 8 * MiB;
const maxDepth = 5;
const maxItems = 1000;
const maxCharacters = 1000;

/**
 * Creates a memory of what English phrases were made of. The first phrases stay; of the later or long ones only the newest
 * are kept, so that texts of strangers cannot fill it.
 */
export function createPhraseMemory() {
  const lasting = new Map<string, Said>();
  const passing = new Map<string, { readonly said: Said; readonly size: number }>();
  let passingCharacters = 0;
  const forget = (english: string) => {
    passingCharacters -= passing.get(english)?.size ?? 0;
    passing.delete(english);
  };
  return {
    /** Notes what a phrase was made of, and returns the phrase. */
    remember(english: string, said: Said): string {
      if (lasting.has(english)) return english;
      const size = english.length + JSON.stringify(said.facts).length;
      if (lasting.size < maxLasting && size <= maxLastingCharacters) {
        lasting.set(english, said);
        return english;
      }
      forget(english);
      passing.set(english, { said, size });
      passingCharacters += size;
      for (const oldest of passing.keys()) {
        if (passing.size <= maxPassing && passingCharacters <= maxPassingCharacters) break;
        forget(oldest);
      }
      return english;
    },
    /** Returns what a phrase was made of; undefined when it is none, or has been forgotten. */
    recall: (english: string): Said | undefined => lasting.get(english) ?? passing.get(english)?.said,
  };
}

/** The memory of this process. */
export const { remember, recall } = createPhraseMemory();

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
  // JSON has no undefined: a sentence in another language gets what is not there as not there, like the English one.
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .slice(0, maxItems);
  return Object.fromEntries(members.map(([name, member]) => [name, factOf(member, depth + 1)]));
}
