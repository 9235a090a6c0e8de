import { type Positions, type Rings, withCorners } from './geometry.ts';

/** Twice the area of a piece, against the square of its size, below which it stands upright. */
const uprightShare = 1e-9;

/** Returns the pieces of a solid that cover ground when seen from above; `leaveOut` learns when there are pieces but none does. */
export function footprintOf(
  pieces: readonly (readonly number[][])[],
  leaveOut: (() => void) | undefined,
): readonly Rings[] {
  const flat = pieces.flatMap((piece) => withCorners(piece)).filter(([outer = []]) => !isUpright(outer));
  if (flat.length === 0 && pieces.some(([outer = []]) => outer.length > 0)) leaveOut?.();
  return flat;
}

/** Whether a closed ring has no area when seen from above. */
function isUpright(ring: Positions): boolean {
  const [originX = 0, originY = 0] = ring;
  let [twiceArea, size] = [0, 0];
  for (let i = 2; i + 3 < ring.length; i += 2) {
    const [x, y] = [(ring[i] ?? 0) - originX, (ring[i + 1] ?? 0) - originY];
    const [nextX, nextY] = [(ring[i + 2] ?? 0) - originX, (ring[i + 3] ?? 0) - originY];
    twiceArea += x * nextY - nextX * y;
    size = Math.max(size, x * x + y * y);
  }
  return Math.abs(twiceArea) <= uprightShare * size;
}
