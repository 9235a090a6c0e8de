import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Ending, lastWord, withEnding } from './endings.ts';

/** Derived from the rules in the module's head: the number, the last word of its reading, and the forms. */
const forms: readonly (readonly [
  written: number | string,
  word: string,
  genitive: string,
  dative: string,
  accusative: string,
  ablative: string,
  locative: string,
  possessive: string,
  ordinal: string,
])[] = [
  [0, 'нөл', 'дің', 'ге', 'ді', 'ден', 'де', 'і', 'інші'],
  [1, 'бір', 'дің', 'ге', 'ді', 'ден', 'де', 'і', 'інші'],
  [2, 'екі', 'нің', 'ге', 'ні', 'ден', 'де', 'сі', 'нші'],
  [3, 'үш', 'тің', 'ке', 'ті', 'тен', 'те', 'і', 'інші'],
  [4, 'төрт', 'тің', 'ке', 'ті', 'тен', 'те', 'і', 'інші'],
  [5, 'бес', 'тің', 'ке', 'ті', 'тен', 'те', 'і', 'інші'],
  [6, 'алты', 'ның', 'ға', 'ны', 'дан', 'да', 'сы', 'ншы'],
  [7, 'жеті', 'нің', 'ге', 'ні', 'ден', 'де', 'сі', 'нші'],
  [8, 'сегіз', 'дің', 'ге', 'ді', 'ден', 'де', 'і', 'інші'],
  [9, 'тоғыз', 'дың', 'ға', 'ды', 'дан', 'да', 'ы', 'ыншы'],
  [10, 'он', 'ның', 'ға', 'ды', 'нан', 'да', 'ы', 'ыншы'],
  [20, 'жиырма', 'ның', 'ға', 'ны', 'дан', 'да', 'сы', 'сыншы'],
  [30, 'отыз', 'дың', 'ға', 'ды', 'дан', 'да', 'ы', 'ыншы'],
  [40, 'қырық', 'тың', 'қа', 'ты', 'тан', 'та', 'ы', 'ыншы'],
  [50, 'елу', 'дің', 'ге', 'ді', 'ден', 'де', 'і', 'інші'],
  [60, 'алпыс', 'тың', 'қа', 'ты', 'тан', 'та', 'ы', 'ыншы'],
  [70, 'жетпіс', 'тің', 'ке', 'ті', 'тен', 'те', 'і', 'інші'],
  [80, 'сексен', 'нің', 'ге', 'ді', 'нен', 'де', 'і', 'інші'],
  [90, 'тоқсан', 'ның', 'ға', 'ды', 'нан', 'да', 'ы', 'ыншы'],
  [100, 'жүз', 'дің', 'ге', 'ді', 'ден', 'де', 'і', 'інші'],
  [1000, 'мың', 'ның', 'ға', 'ды', 'нан', 'да', 'ы', 'ыншы'],
  [40_000, 'мың', 'ның', 'ға', 'ды', 'нан', 'да', 'ы', 'ыншы'],
  [1_000_000, 'миллион', 'ның', 'ға', 'ды', 'нан', 'да', 'ы', 'ыншы'],
  [2_000_000_000, 'миллиард', 'тың', 'қа', 'ты', 'тан', 'та', 'ы', 'ыншы'],
];

test('numerals have the endings of their last word', () => {
  for (const [
    written,
    word,
    genitive,
    dative,
    accusative,
    ablative,
    locative,
    possessive,
    ordinal,
  ] of forms) {
    assert.equal(lastWord(String(written)), word);
    const expected = { genitive, dative, accusative, ablative, locative, possessive, ordinal };
    for (const [ending, suffix] of Object.entries(expected)) {
      assert.equal(withEnding(written, endingOf(ending)), `${written}-${suffix}`, `${word}: ${ending}`);
    }
  }
});

test('numbers of several words, fractions and units are read to their end', () => {
  const read: readonly (readonly [written: number | string, ending: Ending, expected: string])[] = [
    [12, 'possessive', '12-сі'],
    [19, 'possessive', '19-ы'],
    [11, 'possessive', '11-і'],
    [101, 'ablative', '101-ден'],
    [110, 'possessive', '110-ы'],
    [1999, 'dative', '1999-ға'],
    ['1\u00a0000', 'ablative', '1\u00a0000-нан'],
    ['5\u00a0427', 'possessive accusative', '5\u00a0427-сін'],
    ['65\u00a0535', 'ablative', '65\u00a0535-тен'],
    ['0,5', 'ablative', '0,5-тен'],
    ['0,65', 'ablative', '0,65-тен'],
    ['0,20', 'dative', '0,20-ға'],
    ['0,05', 'dative', '0,05-ке'],
    ['-0.25', 'ablative', '-0.25-тен'],
    ['98\u00a0%', 'possessive accusative', '98\u00a0%-ын'],
    ['83 %', 'possessive', '83 %-ы'],
    ['< 0,1\u00a0%', 'possessive genitive', '< 0,1\u00a0%-ының'],
    ['10 %', 'dative', '10 %-ға'],
    ['98 %', 'possessive dative', '98 %-ына'],
    ['98 %', 'possessive locative', '98 %-ында'],
    ['98 %', 'possessive ablative', '98 %-ынан'],
    ['100 %', 'ablative', '100 %-дан'],
    ['3 м²', 'ablative', '3 м²-ден'],
    ['1 км²', 'dative', '1 км²-ге'],
    ['20 га', 'ablative', '20 га-дан'],
    ['3\u00a0000 м', 'ablative', '3\u00a0000 м-ден'],
    ['5 МБ', 'ablative', '5 МБ-тан'],
    ['256 КиБ', 'dative', '256 КиБ-қа'],
    ['5 т/га/жыл', 'ablative', '5 т/га/жылдан'],
    ['15 г/кг', 'ablative', '15 г/кг-нан'],
    ['4 дСм/м', 'ablative', '4 дСм/м-ден'],
    ['10 °C', 'ablative', '10 °C-тан'],
    ['180°', 'ablative', '180°-тан'],
    ['2\u00a0200 °C·тәулік/жыл', 'ablative', '2\u00a0200 °C·тәулік/жылдан'],
    ['3 файл', 'dative', '3 файлға'],
    ['2 пиксель', 'dative', '2 пиксельге'],
  ];
  for (const [written, ending, expected] of read) assert.equal(withEnding(written, ending), expected);
});

function endingOf(name: string): Ending {
  const endings = [
    'genitive',
    'dative',
    'accusative',
    'ablative',
    'locative',
    'possessive',
    'ordinal',
  ] as const;
  const found = endings.find((ending) => ending === name);
  assert.ok(found !== undefined, name);
  return found;
}
