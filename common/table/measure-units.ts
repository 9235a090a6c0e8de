/** The quantity of a unit: units of one quantity can be converted. */
export type Quantity =
  | 'area'
  | 'mass'
  | 'yield'
  | 'share'
  | 'people'
  | 'heads'
  | 'pieces'
  | 'tenge'
  | 'roubles'
  | 'dollars'
  | 'volume'
  | 'length'
  | 'energy'
  | 'time';

/** A unit of measurement as it is written in a table. */
export interface MeasureUnit {
  readonly text: string;
  readonly quantity: Quantity;
  /** Its size, in the basic unit of the quantity. */
  readonly size: number;
}

const multipliers: readonly (readonly [string, number])[] = [
  [String.raw`тыс(?:\.|яч\p{L}*)?|мың|thousands?|thsd\.?|'?000`, 1e3],
  [String.raw`млн\.?|миллион\p{L}*|millions?|mln\.?`, 1e6],
  [String.raw`млрд\.?|миллиард\p{L}*|billions?|bln\.?`, 1e9],
];
const squareKilometres = String.raw`кв\.? ?(?:км|километр\p{L}*)|км ?[²2]|km ?[²2]|sq\.? ?km|шаршы (?:км|километр\p{L}*)`;
const squareMetres = String.raw`(?:кв\.? ?(?:м|метр\p{L}*)|м[²2]|m[²2]|sq\.? ?m|шаршы (?:м|метр\p{L}*))(?: общей площади)?`;
const cubicMetres = String.raw`куб\.? ?(?:м|метр\p{L}*)|м[³3]|m[³3]|текше (?:м|метр\p{L}*)`;
/** Spellings of the hectare, as alternatives of a pattern. */
export const hectare = String.raw`га|гектар\p{L}*|ha|hectares?`;
const centner = String.raw`ц|центнер\p{L}*`;
const tonne = String.raw`т|t|тонн\p{L}*|tonn?e?s?`;
const kilogram = String.raw`кг|килограмм\p{L}*|kg|kilograms?`;
const perHectare = String.raw` ?(?:\/ ?|с (?:1|одного|каждого)? ?|на (?:1|один)? ?|per |an? )(?:${hectare})`;
const bases: readonly (readonly [string, Quantity, number])[] = [
  [
    `(?:${centner})${perHectare}|(?:1 |бір )?гектарынан,? ?(?:${centner})|(?:1 |бір )?гектардан,? ?(?:${centner})`,
    'yield',
    1,
  ],
  [`(?:${tonne})${perHectare}`, 'yield', 10],
  [`(?:${kilogram})${perHectare}`, 'yield', 0.01],
  [hectare, 'area', 1],
  [squareKilometres, 'area', 100],
  [squareMetres, 'area', 0.0001],
  [tonne, 'mass', 1],
  [centner, 'mass', 0.1],
  [kilogram, 'mass', 0.001],
  [String.raw`%|процент\p{L}*|пайыз\p{L}*|per ?cent|percentages?`, 'share', 1],
  [String.raw`‰|промилле|per mille`, 'share', 0.1],
  [String.raw`чел\.?|человек\p{L}*|адам|persons?|people`, 'people', 1],
  [String.raw`голов\p{L}*|гол\.|бас|heads?`, 'heads', 1],
  [String.raw`шт\.?|штук\p{L}*|дана|единиц\p{L}*|ед\.?|бірлік|units|pieces`, 'pieces', 1],
  [String.raw`тенге|теңге|тг\.?|kzt|tenge|₸`, 'tenge', 1],
  [String.raw`руб(?:\.|л\p{L}*)?|rub|roubles?|₽`, 'roubles', 1],
  [String.raw`долл(?:\.|ар\p{L}*)?(?: ?сша)?|usd|us\$|dollars?|ақш доллары`, 'dollars', 1],
  [cubicMetres, 'volume', 1],
  [String.raw`л|литр\p{L}*|litres?|liters?`, 'volume', 0.001],
  [String.raw`км|километр\p{L}*|km|шақырым`, 'length', 1],
  [String.raw`квт[·▪•∙* .-]?ч(?:ас\p{L}*)?|kwh|кВт[·▪•∙* .-]?сағ\p{L}*`, 'energy', 1],
  [String.raw`(?:число )?лет|жас|years`, 'time', 1],
];
const multiplier = multipliers.map(([spelling]) => `(?:${spelling})`).join('|');
const compiled = bases.map(
  ([spelling, quantity, size]) =>
    [new RegExp(`^(?:(${multiplier}) ?)?(?:${spelling})\\.?$`, 'iu'), quantity, size] as const,
);
const sizes = multipliers.map(([spelling, size]) => [new RegExp(`^(?:${spelling})$`, 'iu'), size] as const);
const lead =
  /^(?:(?:единиц\p{L}* измерения|ед\. ?изм\.?|өлшем бірлігі|өлш\. ?бірл\.?|unit(?: of measure(?:ment)?)?s?)\s*[:\-–—]?\s*|в\s+|in\s+|,\s*)+/iu;
const longestUnit = 40;
/** Number of words of the longest unit: `центнеров с одного гектара`. */
const mostWords = 5;

/** Reads a text that is a unit of measurement and nothing else; undefined for any other text. */
export function parseUnit(text: string): MeasureUnit | undefined {
  const shown = text.replaceAll(/\s+/g, ' ').trim().replace(lead, '').trim();
  if (shown === '' || shown.length > longestUnit) return undefined;
  for (const [pattern, quantity, size] of compiled) {
    const found = pattern.exec(shown);
    if (found === null) continue;
    const times = sizes.find(([spelling]) => spelling.test(found[1] ?? ''))?.[1] ?? 1;
    return { text: shown, quantity, size: size * times };
  }
  return undefined;
}

/** Years and words for time behind or before a unit. */
const timeAround =
  /^(?:(?:19|20)\d\d(?: ?(?:г(?:од\p{L}*)?|ж(?:ыл\p{L}*)?)\.?)?[ ,:]+)+|[ ,:]+(?:19|20)\d\d(?: ?(?:г(?:од\p{L}*)?|ж(?:ыл\p{L}*)?)\.?)?$/iu;
/** A ratio to another period or amount is a share, whatever the name says before. */
const ratio = /(?:в ?)?(?:%|процент\p{L}*)\s*(?:к|от|of|to)(?!\p{L})|пайызбен/iu;

/** Signs of footnotes: `га*`, `тыс. га¹`, `га1)`; the digits of `м²` and `м2)` are none. */
const footnoteSigns =
  /\*+|[¹⁰⁴-⁹]+|(?<![мm])[²³]+|(?<=(?![мm])\p{L}|[\s.%‰]|(?:кв|куб|sq)\.? ?[мm])\d{1,2}\)/giu;

/**
 * Finds the unit in the name of a column or a title: a part between commas and brackets, or the last words. Undefined
 * without one, or if several differ.
 */
export function readUnit(name: string): MeasureUnit | undefined {
  const line = name
    .slice(0, 1000)
    .replaceAll(/[\s\u00a0]+/g, ' ')
    .replaceAll(footnoteSigns, '')
    .trim();
  if (line === '') return undefined;
  if (ratio.test(line)) return { text: '%', quantity: 'share', size: 1 };
  const found = new Map<string, MeasureUnit>();
  for (const part of line.split(/[,;()[\]:|]| \/ /)) {
    const unit = unitOfPart(part.trim());
    if (unit !== undefined && ![...found.values()].some((other) => isSameUnit(unit, other)))
      found.set(unit.text, unit);
  }
  return found.size === 1 ? [...found.values()][0] : undefined;
}

function unitOfPart(part: string): MeasureUnit | undefined {
  const text = part.replace(timeAround, '').replace(timeAround, '').trim();
  const whole = parseUnit(text);
  if (whole !== undefined) return whole;
  const words = text.split(' ');
  for (let count = Math.min(mostWords, words.length - 1); count > 0; count -= 1) {
    const unit = parseUnit(words.slice(-count).join(' '));
    if (unit !== undefined) return isPartOfRate(words.slice(0, -count)) ? undefined : unit;
  }
  return undefined;
}

/** `на 1000 человек` is the base of a rate, and no unit. */
function isPartOfRate(before: readonly string[]): boolean {
  return /^(?:на|per|со?|каждые|әр|(?!(?:19|20)\d\d$)\d+)$/iu.test(before.at(-1) ?? '');
}

/** Returns true if two units are of one quantity and size, whatever their spelling. */
export function isSameUnit(one: MeasureUnit, other: MeasureUnit): boolean {
  return one.quantity === other.quantity && one.size === other.size;
}

/** One spelling of each different unit. */
export function distinctUnits(texts: Iterable<string>): readonly string[] {
  const found: { readonly text: string; readonly unit: MeasureUnit | undefined }[] = [];
  for (const text of texts) {
    const unit = parseUnit(text);
    const isKnown = found.some((other) =>
      unit === undefined || other.unit === undefined
        ? other.text.toLowerCase() === text.toLowerCase()
        : isSameUnit(unit, other.unit),
    );
    if (!isKnown) found.push({ text, unit });
  }
  return found.map(({ text }) => text);
}

/** The factor from one unit to another of the same quantity; undefined for units of different quantities. */
export function factorBetween(from: MeasureUnit, to: MeasureUnit): number | undefined {
  return from.quantity === to.quantity ? multiplied(from.size, 1 / to.size) : undefined;
}

/** A product without the noise of binary fractions: 1.1 times 1000 is 1100. */
export function multiplied(value: number, factor: number): number {
  return Number((value * factor).toPrecision(15));
}
