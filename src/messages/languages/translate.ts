import { readable } from '../../lib/readable.ts';
import type { Message, Sentence } from '../../lib/message.ts';
import { kazakh } from './kazakh.ts';
import { russian } from './russian.ts';

/** Languages of the service's sentences; English is the source language. */
export type Language = 'en' | 'ru' | 'kk';

const maxCharacters = 2000;

type Tables = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const tables: Readonly<Record<'ru' | 'kk', Tables>> = { ru: russian, kk: kazakh };

/** Translates a message; falls back to English if its code is unknown, or its facts do not fit the code. */
export function translate({ english, sentence }: Message, language: Language): string {
  if (language === 'en' || sentence === undefined) return english;
  try {
    const text = worded(sentence, tables[language]);
    return text === undefined ? english : readable(text, maxCharacters);
  } catch {
    return english;
  }
}

function worded({ code, facts }: Sentence, table: Tables): string | undefined {
  const [area = '', name = ''] = code.split('.');
  const sentences = Object.hasOwn(table, area) ? table[area] : undefined;
  const sentence = sentences !== undefined && Object.hasOwn(sentences, name) ? sentences[name] : undefined;
  if (typeof sentence === 'function') {
    // Facts come from the store, and possibly from a hijacked child: only their sentence knows their types.
    const given = facts.map((fact) => wordedFact(fact, table) ?? undefined);
    return String(Reflect.apply(sentence, undefined, given));
  }
  return typeof sentence === 'string' ? sentence : undefined;
}

/** Replaces nested sentences by their words. */
function wordedFact(fact: unknown, table: Tables): unknown {
  if (Array.isArray(fact)) return fact.map((item) => wordedFact(item, table));
  if (typeof fact !== 'object' || fact === null) return fact;
  if (isSentence(fact)) return worded(fact, table) ?? '';
  const members = Object.entries(fact).map(([name, member]) => [name, wordedFact(member, table)]);
  return Object.fromEntries(members);
}

function isSentence(fact: object): fact is Sentence {
  return 'code' in fact && typeof fact.code === 'string' && 'facts' in fact && Array.isArray(fact.facts);
}
