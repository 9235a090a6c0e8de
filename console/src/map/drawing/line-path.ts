export interface LinePoint {
  readonly x: number;
  readonly y: number;
}

export interface LineOptions {
  readonly width: number;
  readonly height: number;
  /** Positions along the first axis, in ascending order: one for each value. */
  readonly positions: readonly number[];
  /** Indices of values before which the line breaks, although there is a value on both sides. */
  readonly breaks?: readonly number[];
}

export interface LineDrawing {
  /** The `d` of an SVG path: one line for each stretch without a gap. */
  readonly path: string;
  /** The point of each value; undefined for a gap. */
  readonly points: readonly (LinePoint | undefined)[];
  /** Positions of the breaks along the first axis, in the middle between the values on both sides. */
  readonly marks: readonly number[];
  /** Range of the second axis. */
  readonly from: number;
  readonly to: number;
}

/** Draws values as a line, with the origin at the lower left. The second axis includes zero if that takes less than half of the height. */
export function drawLine(
  values: readonly (number | undefined)[],
  { width, height, positions, breaks = [] }: LineOptions,
): LineDrawing | undefined {
  const numbers = values.filter((value) => value !== undefined);
  if (numbers.length === 0) return undefined;
  const [least, greatest] = [Math.min(...numbers), Math.max(...numbers)];
  const from = least > 0 && least < greatest * 0.5 ? 0 : least;
  const to = greatest < 0 && greatest > least * 0.5 ? 0 : greatest;
  const [first = 0, last = 1] = [positions[0], positions.at(-1)];
  const across = last === first ? () => width / 2 : (at: number) => ((at - first) / (last - first)) * width;
  const down =
    to === from ? () => height / 2 : (value: number) => height - ((value - from) / (to - from)) * height;
  const points = values.map((value, index) =>
    value === undefined ? undefined : { x: across(positions[index] ?? first), y: down(value) },
  );
  const path = points
    .map((point, index) => {
      if (point === undefined) return '';
      const sign = points[index - 1] === undefined || breaks.includes(index) ? 'M' : 'L';
      return `${sign}${point.x.toFixed(1)} ${point.y.toFixed(1)}`;
    })
    .join('');
  const marks = breaks.flatMap((index) => {
    const [before, after] = [positions[index - 1], positions[index]];
    return before === undefined || after === undefined ? [] : [across((before + after) / 2)];
  });
  return { path, points, marks, from, to };
}
