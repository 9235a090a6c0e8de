import type { Extent } from './albers.ts';

type Position = readonly number[];

/** Distances of a position from the four sides of a box, positive inside. */
const sidesOf = ({ left, right, bottom, top }: Extent) =>
  [
    ([x = 0]: Position) => x - left,
    ([x = 0]: Position) => right - x,
    ([, y = 0]: Position) => y - bottom,
    ([, y = 0]: Position) => top - y,
  ] as const;

const between = (from: Position, to: Position, share: number): Position => [
  (from[0] ?? 0) + ((to[0] ?? 0) - (from[0] ?? 0)) * share,
  (from[1] ?? 0) + ((to[1] ?? 0) - (from[1] ?? 0)) * share,
];

/** Cuts a closed ring to a box (Sutherland and Hodgman); parts that fall apart stay joined along the sides of the box. */
export function clipRing(ring: readonly Position[], box: Extent): readonly Position[] {
  let kept = ring;
  for (const inside of sidesOf(box)) {
    if (kept.every((position) => inside(position) >= 0)) continue;
    const cut: Position[] = [];
    for (const [index, to] of kept.entries()) {
      const from = kept[index === 0 ? kept.length - 1 : index - 1] ?? to;
      const [a, b] = [inside(from), inside(to)];
      if (a >= 0 !== b >= 0) cut.push(between(from, to, a / (a - b)));
      if (b >= 0) cut.push(to);
    }
    kept = cut;
  }
  const [first] = kept;
  const last = kept.at(-1);
  const isClosed = first === last || (first?.[0] === last?.[0] && first?.[1] === last?.[1]);
  return first === undefined || isClosed ? kept : [...kept, first];
}

/** Cuts a line to a box (Liang and Barsky); returns its parts inside. */
export function clipLine(line: readonly Position[], box: Extent): readonly (readonly Position[])[] {
  const sides = sidesOf(box);
  const parts: Position[][] = [];
  let part: Position[] | undefined;
  for (let index = 1; index < line.length; index += 1) {
    const [from = [], to = []] = [line[index - 1], line[index]];
    let [enter, leave] = [0, 1];
    for (const inside of sides) {
      const [a, b] = [inside(from), inside(to)];
      if (a < 0 && b < 0) [enter, leave] = [1, 0];
      else if (a < 0) enter = Math.max(enter, a / (a - b));
      else if (b < 0) leave = Math.min(leave, a / (a - b));
    }
    if (enter > leave) {
      part = undefined;
      continue;
    }
    if (part === undefined || enter > 0) {
      part = [enter > 0 ? between(from, to, enter) : from];
      parts.push(part);
    }
    part.push(leave < 1 ? between(from, to, leave) : to);
    if (leave < 1) part = undefined;
  }
  return parts;
}
