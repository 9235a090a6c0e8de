/** Evidence that the values of a table are counts: their unit, or a total that is the sum of its parts. */
export type CountSign = 'unit' | 'total';

/** Counted things: word stems, which take many endings, and short words unchanged. */
const counted =
  /(?<!\p{L})(?:(?:человек|жител|голов|тонн|центнер|гектар|штук|единиц|семей|хозяйств|people|person|inhabitant|heads?|tonn|hectare|piece|адам|тұрғын|шаруашылық)|(?:чел|т|ц|га|шт|ед|t|ha|tons?|units?|бас|дана|бірлік)(?![\p{L}\p{N}]))/u;
/** Signs of a rate, a share, a price, or a measure of a place. */
const divided = /[%‰°/]|(?<![\p{L}])(?:на|per|in|шаққанда|доля|процент|пайыз|үлес|индекс|index)(?![\p{L}])/u;

/** Returns true if a unit of measurement counts things of which a larger territory has more. */
export function isUnitOfCounts(unit: string | null): boolean {
  const text = (unit ?? '').toLowerCase().normalize('NFC').replaceAll('²', '2');
  return counted.test(text) && !divided.test(text);
}

/** Sums of individually rounded parts deviate slightly. */
const tolerance = 0.005;
/** A single region may match by chance. */
const leastTotals = 2;

/** The code without trailing zero levels: codes with this prefix are its parts. */
const stemOf = (code: string): string => {
  const levels = [code.slice(0, 2), code.slice(2, 4), code.slice(4, 6), code.slice(6)];
  return levels.slice(0, levels.findLastIndex((level) => /[^0]/.test(level)) + 1).join('');
};

/**
 * Returns true if the larger values of a date are the sums of their parts: regions of their districts, or the country
 * (a code of zeros) of the regions. At least two totals, or one of ten parts, must be right, and none may be wrong.
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

/** Returns the code of the smallest unit that contains this one. */
function parentOf(stem: string, stems: ReadonlyMap<string, string>): string | undefined {
  for (let length = stem.length - 1; length >= 0; length -= 1) {
    const parent = stems.get(stem.slice(0, length));
    if (parent !== undefined) return parent;
  }
  return undefined;
}
