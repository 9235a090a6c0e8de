import { readFileSync } from 'node:fs';
import { formerNames, successorsOf } from '../../../src/units/history/curated.ts';
import { judgeList } from '../../../src/units/names/judge-list.ts';
import { type AskedName } from '../../../src/units/names/judge-name.ts';
import { createNameIndex, type Unit } from '../../../src/units/names/name-index.ts';

interface Seed {
  readonly kato: string;
  readonly name: string;
  readonly name_kk: string;
  readonly name_en: string;
}

function readSeeds(level: 'region' | 'district') {
  const file = new URL(`../../../seeds/districts/${level}s.geojsonl`, import.meta.url);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    // Skips the geometry, which is most of the line.
    const { properties }: { properties: Seed } = JSON.parse(`${line.slice(0, line.indexOf(',"geometry"'))}}`);
    return { ...properties, level };
  });
}

/** Units that a new database has. */
export const seededUnits = [...readSeeds('region'), ...readSeeds('district')];
export const seededIndex = createNameIndex(seededUnits, { formerNames, successorsOf });

/** Matches a list as the service does: a name, or a name and its region, for each row. */
export async function judge(
  rows: readonly (string | readonly [name: string, region: string])[],
  above?: string,
) {
  const asked = rows.map((row): AskedName =>
    typeof row === 'string' ? { name: row } : { name: row[0], region: row[1] },
  );
  const judged = await judgeList(seededIndex, { rows: asked, above });
  return judged.map(({ status, reason, remark, candidates }) => {
    const codes = candidates.map(({ unit }) => unit.kato);
    const isSure = status === 'exact' || status === 'likely';
    return { status, reason, remark, codes, kato: isSure ? codes[0] : undefined };
  });
}

export type Written = 'ru' | 'kk' | 'en';

/** Name of a unit as lists write it: without parentheses, in one script. */
export function nameOf(unit: Seed, language: Written): string {
  const name = { ru: unit.name, kk: unit.name_kk, en: unit.name_en }[language];
  return name.replace(/ \(.*\)$/, '');
}

const words = {
  ru: {
    region: ['# область', '# обл.', '# обл', '#'],
    city: ['г. #', 'г.#', 'город #', 'гор. #', '# г.а.', '# Г.А.', '# (город)', '#'],
    district: ['# район', '# р-н', '#  р/н', '# р-он', 'район #', 'р-н им. #', 'р. #', '#'],
  },
  kk: {
    region: ['# облысы', '# обл.', '#'],
    city: ['# қаласы', '# қ.', '# қ.ә.', '# (қала)', '#'],
    district: ['# ауданы', '# ауд.', '# аудан', '#'],
  },
  en: {
    region: ['# region', '# oblast', '# Oblysy', '#'],
    city: ['# city', 'City of #', '# c.', '#'],
    district: ['# district', '# rayon', '# Dist.', '#'],
  },
} as const satisfies Record<Written, Record<Unit['kind'], readonly string[]>>;

const russianFor = new Map(
  Object.entries({ ә: 'а', ғ: 'г', қ: 'к', ң: 'н', ө: 'о', ұ: 'у', ү: 'у', һ: 'х', і: 'и' }),
);
const latinFor = new Map(Object.entries({ а: 'a', е: 'e', о: 'o', р: 'p', с: 'c', х: 'x' }));

/** Spellings of a text in lists: case, letters of the other script, replaced Kazakh letters, punctuation around it. */
function spellings(text: string, language: Written): string[] {
  const all = [
    text,
    text.toUpperCase(),
    `  ${text}`,
    `${text}¹⁾`,
    `- ${text}:`,
    `3. ${text}`,
    text.normalize('NFD'),
  ];
  if (language !== 'en') {
    const letters = (map: ReadonlyMap<string, string>) =>
      Array.from(text, (each) => {
        const other = map.get(each.toLowerCase());
        return other === undefined ? each : each === each.toLowerCase() ? other : other.toUpperCase();
      }).join('');
    const half = Array.from(text, (each, at) => (at % 2 === 0 ? each : (latinFor.get(each) ?? each))).join(
      '',
    );
    all.push(letters(russianFor), half, text.replace('-', ' - '), text.replace('-', '-\n'));
  }
  return all;
}

export interface Variant {
  readonly unit: Seed;
  readonly text: string;
  /** True if the text lacks the type of the unit. */
  readonly isBare: boolean;
  readonly language: Written;
}

/** All names of a unit in three languages, with the usual types and spellings. */
export function variantsOf(unit: Seed): Variant[] {
  const kind = seededIndex.units.get(unit.kato)?.kind ?? 'district';
  return (['ru', 'kk', 'en'] as const).flatMap((language) =>
    words[language][kind].flatMap((pattern) =>
      spellings(pattern.replace('#', nameOf(unit, language)), language).map((text) => ({
        unit,
        text,
        language,
        isBare: pattern === '#',
      })),
    ),
  );
}
