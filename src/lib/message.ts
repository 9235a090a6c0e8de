import { readable } from './readable.ts';

/** A sentence without its words: a stable code, such as `zip.damaged`, and its facts in their order, as JSON holds them. */
export interface Sentence {
  readonly code: string;
  readonly facts: readonly unknown[];
}

const maxDepth = 5;
const maxItems = 1000;
const maxCharacters = 1000;

/** A sentence for the user: its English words, and its code and facts, from which other languages are rendered. */
export class Message {
  readonly english: string;
  /** Undefined where only the English words are known. */
  readonly sentence: Sentence | undefined;

  constructor(english: string, sentence?: Sentence) {
    this.english = english;
    this.sentence = sentence;
  }

  toString(): string {
    return this.english;
  }
}

/** Writes a message as JSON, with which its code and facts are kept. */
export function messageText({ english, sentence }: Message): string {
  return JSON.stringify({ english, sentence });
}

/** Makes facts fit for JSON and for a reader; a message among them becomes its code and facts. */
export function factsOf(values: readonly unknown[]): readonly unknown[] {
  return values.map((value) => factOf(value, 0));
}

function factOf(value: unknown, depth: number): unknown {
  if (value instanceof Message) return value.sentence ?? readable(value.english, maxCharacters);
  if (typeof value === 'string') return readable(value, maxCharacters);
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
