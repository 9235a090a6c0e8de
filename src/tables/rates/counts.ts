/** Why the values of a table seem to be counts: their unit, or a total that is the sum of its parts. */
export type CountSign = 'unit' | 'total';

/** What is counted: beginnings of words, which have many endings, and short words as they are. */
const counted =
  /(?<!\p{L})(?:(?:человек|жител|голов|тонн|центнер|гектар|штук|единиц|семей|хозяйств|people|person|inhabitant|heads?|tonn|hectare|piece|адам|тұрғын|шаруашылық)|(?:чел|т|ц|га|шт|ед|t|ha|tons?|units?|бас|дана|бірлік)(?![\p{L}\p{N}]))/u;
/** What is a rate already, a share, a price, or a measure of a place. */
const divided = /[%‰°/]|(?<![\p{L}])(?:на|per|in|шаққанда|доля|процент|пайыз|үлес|индекс|index)(?![\p{L}])/u;

/** Returns whether a unit of measurement counts things that a larger territory has more of. */
export function isUnitOfCounts(unit: string | null): boolean {
  const text = (unit ?? '').toLowerCase().normalize('NFC').replaceAll('²', '2');
  return counted.test(text) && !divided.test(text);
}

/** Sums of parts that were rounded one by one are off by a little. */
const tolerance = 0.005;
/** One region alone may be so by accident. */
const leastTotals = 2;

/** The levels of a code, without those of zeros at its end: codes that begin so are its parts. */
const stemOf = (code: string): string => {
  const levels = [code.slice(0, 2), code.slice(2, 4), code.slice(4, 6), code.slice(6)];
  return levels.slice(0, levels.findLastIndex((level) => /[^0]/.test(level)) + 1).join('');
};

/**
 * Returns whether the values of a date are such that what is larger is the sum of its parts: regions of their districts, or the
 * country (a code of zeros alone) of the regions. At least two totals, or one of ten parts, must be right, and none may be wrong.
 * @param values numbers by KATO code.
 */
export function totalsAreSums(values: ReadonlyMap<string, number>): boolean {
  const stems = new Map([...values.keys()].map((code) => [stemOf(code), code]));
  const parts = new Map<string, number[]>();
  for (const [code, value] of values) {
    const parent = parentOf(stemOf(code), stems);
    if (parent !== undefined) parts.set(parent, [...(parts.get(parent) ?? []), value]);
  }
  let [right, largest] = [0, 0];
  for (const [code, numbers] of parts) {
    if (numbers.length < 2) continue;
    const total = values.get(code) ?? 0;
    const sum = numbers.reduce((all, each) => all + each, 0);
    if (total <= 0 || Math.abs(sum - total) > tolerance * total) return false;
    right += 1;
    largest = Math.max(largest, numbers.length);
  }
  return right >= leastTotals || largest >= 10;
}

/** The code of the nearest unit that has this one in it. */
function parentOf(stem: string, stems: ReadonlyMap<string, string>): string | undefined {
  for (let length = stem.length - 1; length >= 0; length -= 1) {
    const parent = stems.get(stem.slice(0, length));
    if (parent !== undefined) return parent;
  }
  return undefined;
}
