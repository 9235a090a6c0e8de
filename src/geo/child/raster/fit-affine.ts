import type { Affine } from '../../raster-reader.ts';

interface GroundControlPoint {
  readonly pixel: number;
  readonly line: number;
  readonly x: number;
  readonly y: number;
}

/**
 * Fits an affine transformation to ground control points by least squares; two points give one without rotation, as in
 * GDAL. Undefined when the points do not span a plane.
 */
export function fitAffine(points: readonly GroundControlPoint[]): Affine | undefined {
  if (points.length < 3) return throughTwo(points);
  // Sums around the mean keep digits that large coordinates would lose.
  const mean = (value: (point: GroundControlPoint) => number) =>
    points.reduce((sum, point) => sum + value(point), 0) / points.length;
  const [pixel0, line0, x0, y0] = [
    mean((p) => p.pixel),
    mean((p) => p.line),
    mean((p) => p.x),
    mean((p) => p.y),
  ];
  let [pp, pl, ll, px, lx, py, ly] = [0, 0, 0, 0, 0, 0, 0];
  for (const point of points) {
    const [p, l, x, y] = [point.pixel - pixel0, point.line - line0, point.x - x0, point.y - y0];
    pp += p * p;
    pl += p * l;
    ll += l * l;
    px += p * x;
    lx += l * x;
    py += p * y;
    ly += l * y;
  }
  const determinant = pp * ll - pl * pl;
  if (!(Math.abs(determinant) > 1e-9 * pp * ll)) return undefined;
  const solve = (p: number, l: number) =>
    [(p * ll - l * pl) / determinant, (l * pp - p * pl) / determinant] as const;
  const [xp, xl] = solve(px, lx);
  const [yp, yl] = solve(py, ly);
  return [x0 - xp * pixel0 - xl * line0, xp, xl, y0 - yp * pixel0 - yl * line0, yp, yl];
}

function throughTwo(points: readonly GroundControlPoint[]): Affine | undefined {
  const [a, b] = points;
  if (a === undefined || b === undefined || a.pixel === b.pixel || a.line === b.line) return undefined;
  const width = (b.x - a.x) / (b.pixel - a.pixel);
  const height = (b.y - a.y) / (b.line - a.line);
  return [a.x - width * a.pixel, width, 0, a.y - height * a.line, 0, height];
}
