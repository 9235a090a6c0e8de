import { classifier } from '../../../src/units/classifier/classifier.ts';
import { formerNames, successorsOf } from '../../../src/units/history/curated.ts';
import { districtsAround } from '../../../src/units/match-names.ts';
import { createNameIndex } from '../../../src/units/names/name-index.ts';
import { type AskedPlace, judgePlaces } from '../../../src/units/names/places/judge-places.ts';
import { createPlaces } from '../../../src/units/names/places/places.ts';
import { seededIndex, seededUnits } from './unit-names.ts';

const index = {
  units: seededIndex,
  districts: createNameIndex(districtsAround(seededUnits), { formerNames, successorsOf }),
  places: createPlaces([]),
};

/** Matches rows as a new service does. */
export async function judgeRows(rows: readonly AskedPlace[], above?: string) {
  const { judged } = await judgePlaces(index, { rows, above });
  return judged.map(({ status, reason, remark, candidates }) => {
    const codes = candidates.map(({ unit }) => unit.kato);
    const isSure = status === 'exact' || status === 'likely';
    return { status, reason, remark, codes, sure: isSure ? codes[0] : undefined };
  });
}

interface WrittenPlace extends AskedPlace {
  readonly kato: string;
  readonly name: string;
}

const kinds = {
  rural: {
    ru: [
      '# с.о.',
      '# с/о',
      '# с.о',
      '# сельский округ',
      'с.о. #',
      'сельский округ #',
      '# СО',
      '# c.o.',
      '# а.о.',
      '# аульный округ',
      '# сельокруг',
      '# сел. окр.',
    ],
    kk: [
      '# а.о.',
      '# а/о',
      '# ауылдық округі',
      '# ауылдық округы',
      '# ауылдык округи',
      '# ауылдық окр.',
      '# ауылдық округінің',
      '# а.о',
    ],
  },
  township: {
    ru: ['# п.а.', 'п. #', '# поселковая администрация', '# п/а', 'поселок #'],
    kk: ['# к.ә.', '# кенті', '# кенттік әкімдігі', '# к.'],
  },
  town: {
    ru: ['г. #', 'г.#', '# г.а.', 'город #', '# городская администрация'],
    kk: ['# қ.', '# қаласы', '# қ.ә.', '# қаласының әкімдігі'],
  },
} as const;

/** The words for the kind in the names of the classifier. */
const typed =
  /(?<!\p{L})(?:[спгр]\.\s?[оа]\.|[сп]\.о(?!\p{L})|г\.)\s?(?:(?:им\.|имени)\s?)?|\s?(?:[акқ]\.\s?[оә]\s?\.?|қ\.)$|\s(?:атын\.|ат\.|атындағы)\s?/giu;

const russianFor = new Map(
  Object.entries({ ә: 'а', ғ: 'г', қ: 'к', ң: 'н', ө: 'о', ұ: 'у', ү: 'у', һ: 'х', і: 'и' }),
);
const withRussianLetters = (text: string): string =>
  Array.from(text, (each) => {
    const other = russianFor.get(each.toLowerCase());
    return other === undefined ? each : each === each.toLowerCase() ? other : other.toUpperCase();
  }).join('');
const latinFor = new Map(Object.entries({ а: 'a', е: 'e', о: 'o', р: 'p', с: 'c', х: 'x' }));
const withLatinLetters = (text: string): string =>
  Array.from(text, (each, at) => (at % 2 === 0 ? each : (latinFor.get(each) ?? each))).join('');

/** Spellings of a text in lists. */
const spellings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => `  ${text}`,
  (text) => `${text}¹⁾`,
  (text) => `12. ${text}`,
  (text) => `- ${text}:`,
  (text) => text.normalize('NFD'),
  (text) => text.replaceAll(' ', '\u00a0'),
  withRussianLetters,
  withLatinLetters,
];

/**
 * The names of all units between districts and settlements as the classifier has them and as offices write them, in two languages, beside
 * their district: one spelling of each, which differs from unit to unit, or all.
 */
export function writtenOkrugs(
  all: boolean,
): { readonly title: string; readonly rows: readonly WrittenPlace[] }[] {
  const { units } = classifier();
  const okrugs = [...units.values()].filter(({ level }) => level === 'okrug');
  const aboveOf = (code: string | null, language: 'ru' | 'kk') => {
    const unit = units.get(code ?? '');
    return language === 'ru' ? (unit?.name ?? '') : (unit?.name_kk ?? '');
  };
  return (['ru', 'kk'] as const).flatMap((language) => {
    const beside = (kato: string, parent: string | null, name: string): WrittenPlace => ({
      kato,
      name,
      district: aboveOf(parent, language),
      region: aboveOf(units.get(parent ?? '')?.parent ?? null, language),
    });
    const asListed = okrugs.map((unit) =>
      beside(unit.kato, unit.parent, language === 'ru' ? unit.name : unit.name_kk),
    );
    // The publisher lists the districts of three cities beside rural districts; the service has borders of all but the newest.
    const ofCities = [...units.values()]
      .filter(
        ({ kato, level }) => level === 'district' && /^7[159]\d\d10000$/.test(kato) && kato !== '711610000',
      )
      .map(({ kato, name, name_kk, parent }) => ({
        kato,
        name: language === 'ru' ? name : name_kk,
        region: aboveOf(parent, language),
      }));
    const written = okrugs.flatMap((unit, number) => {
      const name = language === 'ru' ? unit.name : unit.name_kk;
      const kind = /[гқ]\.\s?(?:[аә]\.)?(?!\s?о)|^г\./iu.test(name)
        ? 'town'
        : /п\.\s?а|к\.\s?ә/iu.test(name)
          ? 'township'
          : 'rural';
      const bare = name.replace(typed, ' ').replaceAll(/\s+/g, ' ').trim();
      const patterns = kinds[kind][language];
      const count = patterns.length * spellings.length;
      const chosen = all ? [...Array.from({ length: count }).keys()] : [(number * 7) % count];
      return chosen.map((at) => {
        const pattern = patterns[Math.floor(at / spellings.length)] ?? '#';
        const spell = spellings[at % spellings.length];
        const text = pattern.replace('#', bare);
        return beside(unit.kato, unit.parent, spell === undefined ? text : spell(text));
      });
    });
    return [
      { title: `as the classifier lists them, ${language}`, rows: [...asListed, ...ofCities] },
      { title: `as offices write them, ${language}`, rows: written },
    ];
  });
}
