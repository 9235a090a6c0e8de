import type { Named } from './truth.ts';

/** Regions with their Russian names and in the order of the Bureau of National Statistics, which puts the country first in its tables. */
export const regions: readonly Named[] = [
  ['100000000', 'Абай'],
  ['110000000', 'Акмолинская'],
  ['150000000', 'Актюбинская'],
  ['190000000', 'Алматинская'],
  ['230000000', 'Атырауская'],
  ['270000000', 'Западно-Казахстанская'],
  ['310000000', 'Жамбылская'],
  ['330000000', 'Жетісу'],
  ['350000000', 'Карагандинская'],
  ['390000000', 'Костанайская'],
  ['430000000', 'Кызылординская'],
  ['470000000', 'Мангистауская'],
  ['550000000', 'Павлодарская'],
  ['590000000', 'Северо-Казахстанская'],
  ['610000000', 'Туркестанская'],
  ['620000000', 'Ұлытау'],
  ['630000000', 'Восточно-Казахстанская'],
  ['710000000', 'г. Астана'],
  ['750000000', 'г. Алматы'],
  ['790000000', 'г. Шымкент'],
];

/** The same in Kazakh. */
export const regionsInKazakh: readonly Named[] = [
  ['100000000', 'Абай облысы'],
  ['110000000', 'Ақмола облысы'],
  ['150000000', 'Ақтөбе облысы'],
  ['190000000', 'Алматы облысы'],
  ['270000000', 'Батыс Қазақстан облысы'],
  ['330000000', 'Жетісу облысы'],
  ['590000000', 'Солтүстік Қазақстан облысы'],
  ['630000000', 'Шығыс Қазақстан облысы'],
  ['710000000', 'Астана қаласы'],
  ['750000000', 'Алматы қаласы'],
  ['790000000', 'Шымкент қаласы'],
];

/** The same in English, as in press releases. */
export const regionsInEnglish: readonly Named[] = [
  ['100000000', 'Abay region'],
  ['110000000', 'Akmola region'],
  ['150000000', 'Aktobe region'],
  ['190000000', 'Almaty region'],
  ['270000000', 'West Kazakhstan region'],
  ['350000000', 'Karagandy region'],
  ['590000000', 'North Kazakhstan region'],
  ['610000000', 'Turkestan region'],
  ['710000000', 'Astana city'],
  ['750000000', 'Almaty city'],
];

/** Districts of the Akmola region with the names that its akimat uses. */
export const akmola: readonly Named[] = [
  ['111000000', 'г. Кокшетау'],
  ['111600000', 'г. Косшы'],
  ['111800000', 'г. Степногорск'],
  ['113200000', 'Аккольский'],
  ['113400000', 'Аршалынский'],
  ['113600000', 'Астраханский'],
  ['113800000', 'Атбасарский'],
  ['114000000', 'Буландынский'],
  ['114400000', 'Егиндыкольский'],
  ['114500000', 'Биржан сал'],
  ['114600000', 'Ерейментауский'],
  ['114800000', 'Есильский'],
  ['115200000', 'Жаксынский'],
  ['115400000', 'Жаркаинский'],
  ['115600000', 'Зерендинский'],
  ['116000000', 'Коргалжынский'],
  ['116400000', 'Сандыктауский'],
  ['116600000', 'Целиноградский'],
  ['116800000', 'Шортандинский'],
  ['117000000', 'Бурабайский'],
];

/** Districts and cities of the Abay region as tables in Kazakh name them: `қ.ә.` is the akimat of a city. */
export const abayInKazakh: readonly Named[] = [
  ['101000000', 'Семей қ.ә.'],
  ['101800000', 'Курчатов қ.ә.'],
  ['103200000', 'Абай ауданы'],
  ['103400000', 'Ақсуат ауданы'],
  ['103600000', 'Аягөз ауданы'],
  ['103800000', 'Бесқарағай ауданы'],
  ['104000000', 'Бородулиха ауданы'],
  ['104200000', 'Жарма ауданы'],
  ['104400000', 'Көкпекті ауданы'],
  ['104600000', 'Үржар ауданы'],
];

export const akmolaInKazakh: readonly Named[] = [
  ['111000000', 'Көкшетау қ.ә.'],
  ['111600000', 'Қосшы қ.ә.'],
  ['113200000', 'Ақкөл ауданы'],
  ['113400000', 'Аршалы ауданы'],
  ['114500000', 'Біржан сал ауданы'],
  ['114800000', 'Есіл ауданы'],
  ['116600000', 'Целиноград ауданы'],
];

/** Units with their codes as labels. */
export function codesOf(
  units: readonly Named[],
  spelled: (code: string) => string = (code) => code,
): readonly Named[] {
  return units.map(([code]) => [code, spelled(code)]);
}

/** The units with the word that a table adds to each name. */
export function withWord(units: readonly Named[], word: string): readonly Named[] {
  return units.map(([code, label]) => [code, label.startsWith('г.') ? label : label + word]);
}

/** Units by code, in the given order. */
export function pick(units: readonly Named[], ...codes: readonly string[]): readonly Named[] {
  return codes.map((code) => units.find(([known]) => known === code) ?? [code, code]);
}
