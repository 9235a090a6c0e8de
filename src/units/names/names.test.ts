import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isLongTier } from '../../../test/support/tier.ts';
import {
  judge,
  nameOf,
  seededIndex,
  seededUnits,
  type Variant,
  variantsOf,
  type Written,
} from '../../../test/support/units/unit-names.ts';

const regions = seededUnits.filter(({ level }) => level === 'region');
const districts = seededUnits.filter(({ level }) => level === 'district');
const regionOf = ({ kato }: { readonly kato: string }) => `${kato.slice(0, 2)}0000000`;
const typed = { ru: ' обл.', kk: ' облысы', en: ' region' } as const;
const capital = { ru: 'г. #', kk: '# қаласы', en: '# city' } as const;

function regionName(code: string, language: Written): string {
  const unit = regions.find(({ kato }) => kato === code);
  assert.ok(unit);
  const name = nameOf(unit, language);
  return code < '700000000' ? `${name}${typed[language]}` : capital[language].replace('#', name);
}

interface Count {
  right: number;
  asked: number;
  readonly lost: string[];
}

/** Counts correct and doubtful answers; fails for a wrong unit without a question. */
function count(variants: readonly Variant[], judged: Awaited<ReturnType<typeof judge>>): Count {
  const counted: Count = { right: 0, asked: 0, lost: [] };
  for (const [at, { text, unit, language }] of variants.entries()) {
    const { kato, codes, status, reason } = judged[at] ?? assert.fail();
    const said = `${language} «${text}» of ${unit.kato} ${unit.name}: ${status} ${reason} ${codes.join()}`;
    if (kato !== undefined) assert.equal(kato, unit.kato, said);
    if (kato === unit.kato) counted.right += 1;
    else if (codes.includes(unit.kato)) counted.asked += 1;
    else counted.lost.push(said);
  }
  return counted;
}

const say = ({ right, asked, lost }: Count): string =>
  `${right} right, ${asked} asked, ${lost.length} lost\n${lost.slice(0, 30).join('\n')}`;

/** One spelling of each pattern, which differs from unit to unit; all of them in the long tier. */
const variants = seededUnits.flatMap((unit, at) =>
  variantsOf(unit).filter((_, number) => isLongTier || number % 11 === at % 11),
);

describe('names of all units', () => {
  for (const language of ['ru', 'kk', 'en'] as const) {
    test(`beside a region in ${language}, 99 % are right and none is wrong unasked`, async () => {
      const named = variants.filter(({ isBare }) => !isBare);
      const rowsOf = (all: readonly Variant[]) =>
        all.map(({ text, unit }): [string, string] => [text, regionName(regionOf(unit), language)]);
      const counted = count(named, await judge(rowsOf(named)));
      assert.ok(counted.right >= 0.99 * named.length && counted.lost.length === 0, say(counted));
      const bare = variants.filter(({ isBare, language: own }) => isBare && own === language);
      const ofBare = count(bare, await judge(rowsOf(bare)));
      assert.ok(ofBare.right >= 0.85 * bare.length && ofBare.lost.length === 0, say(ofBare));
    });
  }

  test('alone, none is wrong unasked, and its unit is among those to choose from', async () => {
    const counted: Count = { right: 0, asked: 0, lost: [] };
    for (const variant of variants) {
      const { right, asked, lost } = count([variant], await judge([variant.text]));
      counted.right += right;
      counted.asked += asked;
      counted.lost.push(...lost);
    }
    assert.ok(counted.right >= 0.85 * variants.length && counted.lost.length === 0, say(counted));
  });

  const layouts: [string, (language: Written) => Variant[]][] = [
    [
      'districts under their regions',
      (language) =>
        regions.flatMap((region) => [
          named(region, language, regionName(region.kato, language)),
          ...districts
            .filter((unit) => regionOf(unit) === region.kato)
            .map((unit) => named(unit, language, typedName(unit, language))),
        ]),
    ],
    [
      'bare names under their regions',
      (language) =>
        regions.flatMap((region) => [
          named(region, language),
          ...districts.filter((unit) => regionOf(unit) === region.kato).map((unit) => named(unit, language)),
        ]),
    ],
    [
      'regions alone',
      (language) =>
        regions.map((unit) =>
          named(unit, language, unit.kato < '700000000' ? undefined : regionName(unit.kato, language)),
        ),
    ],
  ];
  for (const [layout, rowsOf] of layouts)
    for (const language of ['ru', 'kk', 'en'] as const)
      test(`${layout}, in ${language}`, async () => {
        const rows = rowsOf(language);
        const counted = count(rows, await judge(rows.map(({ text }) => text)));
        // A city and a district of one region have the same bare name in Kazakh and English.
        assert.ok(counted.right >= 0.98 * rows.length && counted.lost.length === 0, say(counted));
      });
});

function named(
  unit: (typeof seededUnits)[number],
  language: Written,
  text = nameOf(unit, language),
): Variant {
  return { unit, text, language, isBare: true };
}

function typedName(unit: (typeof seededUnits)[number], language: Written): string {
  const name = nameOf(unit, language);
  const kind = seededIndex.units.get(unit.kato)?.kind;
  const words = {
    ru: kind === 'city' ? 'г. #' : '# район',
    kk: kind === 'city' ? '# қ.' : '# ауданы',
    en: kind === 'city' ? '# city' : '# district',
  };
  return words[language].replace('#', name);
}

test('a text of digits and marks is not a name, and is read at once', async () => {
  const texts = ['1'.repeat(159), '1 '.repeat(79), '(1)'.repeat(53), '*'.repeat(159)].map(
    (text) => `${text}x`,
  );
  for (const { kato, status } of await judge(texts)) assert.deepEqual([kato, status], [undefined, 'none']);
});
