import { readable } from '../../lib/readable.ts';
import type { Said } from '../../lib/said.ts';
import { kazakh } from '../kk/all.ts';
import { russian } from '../ru/all.ts';

/** The languages of the service's sentences; each sentence is written in English first. */
export type Language = 'en' | 'ru' | 'kk';

const maxCharacters = 2000;

type Tables = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const tables: Readonly<Record<'ru' | 'kk', Tables>> = { ru: russian, kk: kazakh };

/** Says a sentence in a language: in English where it is not known by a code, or its facts are not those of its code. */
export function say(said: Said | undefined, english: string, language: Language): string {
  if (language === 'en' || said === undefined) return english;
  try {
    const text = worded(said, tables[language]);
    return text === undefined ? english : readable(text, maxCharacters);
  } catch {
    return english;
  }
}

function worded({ code, facts }: Said, table: Tables): string | undefined {
  const [area = '', name = ''] = code.split('.');
  const sentences = Object.hasOwn(table, area) ? table[area] : undefined;
  const sentence = sentences !== undefined && Object.hasOwn(sentences, name) ? sentences[name] : undefined;
  if (typeof sentence === 'function') {
    // Facts come from the store, and perhaps from a hijacked child: nothing but their sentence knows their types.
    const given = facts.map((fact) => wordedFact(fact, table) ?? undefined);
    return String(Reflect.apply(sentence, undefined, given));
  }
  return typeof sentence === 'string' ? sentence : undefined;
}

/** Puts words in the place of the phrases among the facts. */
function wordedFact(fact: unknown, table: Tables): unknown {
  if (Array.isArray(fact)) return fact.map((item) => wordedFact(item, table));
  if (typeof fact !== 'object' || fact === null) return fact;
  if (isSaid(fact)) return worded(fact, table) ?? '';
  const members = Object.entries(fact).map(([name, member]) => [name, wordedFact(member, table)]);
  return Object.fromEntries(members);
}

function isSaid(fact: object): fact is Said {
  return 'code' in fact && typeof fact.code === 'string' && 'facts' in fact && Array.isArray(fact.facts);
}
