import { readable } from './readable.ts';

/** A sentence without its words: a stable code, such as `zip.damaged`, and its facts in order, as JSON values. */
export interface Sentence {
  readonly code: string;
  readonly facts: readonly unknown[];
}

const maxDepth = 5;
const maxItems = 1000;
const maxCharacters = 1000;

/** A sentence for users: English text, with the code and facts from which other languages are rendered. */
export class Message {
  readonly english: string;
  /** Undefined if only English text exists. */
  readonly sentence: Sentence | undefined;

  constructor(english: string, sentence?: Sentence) {
    this.english = english;
    this.sentence = sentence;
  }

  toString(): string {
    return this.english;
  }
}

/** Serializes a message as JSON, including code and facts. */
export function messageText({ english, sentence }: Message): string {
  return JSON.stringify({ english, sentence });
}

/** Converts facts to JSON values that are safe to read; a nested message becomes its code and facts. */
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
  // JSON has no undefined: an absent member must be absent for sentences in other languages as well.
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .slice(0, maxItems);
  return Object.fromEntries(members.map(([name, member]) => [name, factOf(member, depth + 1)]));
}
