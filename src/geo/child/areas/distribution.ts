import { type UnitValues, valueQuantiles } from '../../engine.ts';

/** Calls back with values in ascending order and their positive weights; a value may occur several times. */
export type VisitValues = (visit: (value: number, weight: number) => void) => void;

/**
 * Returns the distribution of weighted values; undefined without any. Values are visited several times and summed in order, so that the
 * result is reproducible. Quantiles are those of exactextract: for n distinct values x with weights w and cumulative weights C before them,
 * each is at s = i * w + (n - 1) * C, i from 0 on, and the quantile is interpolated at q * (n - 1) * (sum of weights).
 */
export function distributionOf(each: VisitValues): Omit<UnitValues, 'sum'> | undefined {
  let [count, total] = [0, 0];
  visitDifferent(each, (_, weight) => {
    count += 1;
    total += weight;
  });
  if (count === 0) return undefined;
  const places = valueQuantiles.map((share) => share * total * (count - 1));
  const quantiles: number[] = [];
  const mean = createCompensatedSum();
  let [min, max, index, before] = [NaN, NaN, 0, 0];
  let last = { value: NaN, place: 0 };
  visitDifferent(each, (value, weight) => {
    if (index === 0) min = value;
    max = value;
    mean.add(value * (weight / total));
    const place = index * weight + (count - 1) * before;
    for (
      let wanted = places[quantiles.length];
      wanted !== undefined && place > wanted;
      wanted = places[quantiles.length]
    )
      quantiles.push(last.value + ((wanted - last.place) / (place - last.place)) * (value - last.value));
    last = { value, place };
    index += 1;
    before += weight;
  });
  while (quantiles.length < places.length) quantiles.push(max);
  const middle = mean.total();
  const squares = createCompensatedSum();
  visitDifferent(each, (value, weight) => squares.add((value - middle) ** 2 * (weight / total)));
  const sd = Math.sqrt(squares.total());
  return { min, max, mean: middle, sd: Number.isFinite(sd) ? sd : null, quantiles };
}

/** Joins equal values. */
function visitDifferent(each: VisitValues, visit: (value: number, weight: number) => void): void {
  let [value, weight] = [NaN, 0];
  each((next, more) => {
    if (next === value) weight += more;
    else {
      if (weight > 0) visit(value, weight);
      [value, weight] = [next, more];
    }
  });
  if (weight > 0) visit(value, weight);
}

/** Creates a compensated sum (Neumaier). */
function createCompensatedSum() {
  let [sum, rest] = [0, 0];
  return {
    add(value: number): void {
      const next = sum + value;
      rest += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
      sum = next;
    },
    total: (): number => sum + rest,
  };
}
