/** Values that a band has at most when they may be classes: more than any land-cover legend. */
const maxClasses = 256;
/** Number of different values up to which they count as a legend: nobody can tell, and a legend is safer. */
const maxLegend = 64;
/** Share of neighbours that differ at least in measurements; classes lie in patches. */
const minChanging = 0.1;
/** Share of steps between neighbours that are at least small in measurements, compared with the range of the values. */
const minGentle = 0.75;
const gentleStep = 1 / 8;
/** Steps that are counted in each window. */
const maxStepsPerWindow = 8192;

/**
 * Looks for classes among the whole numbers of a band, window by window: few of them, and unless they are very few not
 * such as measurements are, where most neighbours differ, and by little. `noData` is no value.
 */
export function createValueSurvey(noData: number | undefined) {
  const distinct = new Set<number | bigint>();
  const steps = new Map<number, number>();
  let [neighbours, changing] = [0, 0];

  function count(values: ArrayLike<number | bigint>, last: number): void {
    for (let i = 1; i < last; i += 1) {
      const [before, value] = [Number(values[i - 1]), Number(values[i])];
      if (before === noData || value === noData) continue;
      neighbours += 1;
      if (before === value) continue;
      changing += 1;
      const step = Math.abs(value - before);
      steps.set(step, (steps.get(step) ?? 0) + 1);
    }
  }

  return {
    look(values: ArrayLike<number | bigint>): void {
      if (distinct.size > maxClasses) return;
      addDistinct(distinct, values);
      if (distinct.size <= maxClasses) count(values, Math.min(values.length, maxStepsPerWindow));
    },
    areClasses(): boolean {
      if (distinct.size > maxClasses) return false;
      if (distinct.size <= maxLegend) return true;
      const all = [...distinct].map(Number).filter((value) => value !== noData);
      const range = Math.max(...all) - Math.min(...all);
      const isGentle = (step: number) => step <= range * gentleStep;
      const gentle = [...steps].reduce((sum, [step, times]) => sum + (isGentle(step) ? times : 0), 0);
      return changing < neighbours * minChanging || gentle < changing * minGentle;
    },
  };
}

/** Once a band has too many values to be classes, the rest need not be counted. */
function addDistinct(seen: Set<number | bigint>, values: ArrayLike<number | bigint>): void {
  let last: number | bigint | undefined;
  for (let i = 0; i < values.length && seen.size <= maxClasses; i += 1) {
    const value = values[i];
    if (value === last || value === undefined) continue;
    last = value;
    seen.add(value);
  }
}
