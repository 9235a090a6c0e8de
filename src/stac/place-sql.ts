import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Box } from '../standards/boxes.ts';
import { boxOfShape } from '../standards/intersect.ts';
import type { Position, Shape } from '../standards/shapes.ts';

type Condition = RawBuilder<SqlBool>;

/**
 * Matches a dataset `d` whose extent intersects one of the boxes. The first condition uses the index, in which a dataset across 180° has
 * all longitudes.
 */
export function inBoxes(boxes: readonly Box[]): Condition {
  return anyOf(boxes.map((box) => at(box, (part) => sql`${part} && ${boxText(box)}::box`)));
}

/** Matches all datasets of `inBoxes`, and others across 180°. The index alone gives the answer. */
export function nearBoxes(boxes: readonly Box[]): Condition {
  return anyOf(boxes.map((box) => sql`d.place && ${boxText(box)}::box`));
}

/** Matches a dataset `d` whose extent intersects a shape in degrees. */
export function inShape(shape: Shape): Condition {
  return at(boxOfShape(shape), (part) =>
    anyOf([
      ...(shape.points.length === 0 ? [] : [anyPoint(part, shape.points)]),
      ...(shape.lines.length === 0 ? [] : [anySegment(part, shape.lines)]),
      ...shape.polygons.map((rings) => inPolygon(part, rings)),
    ]),
  );
}

function at(hull: Box, meets: (part: RawBuilder<unknown>) => Condition): Condition {
  const west = sql`box(point(d.extent[1], d.extent[2]), point(180, d.extent[4]))`;
  const east = sql`box(point(-180, d.extent[2]), point(d.extent[3], d.extent[4]))`;
  return sql`(d.place && ${boxText(hull)}::box and case when d.extent[1] <= d.extent[3] then ${meets(sql`d.place`)}
    else ${meets(west)} or ${meets(east)} end)`;
}

function anyPoint(part: RawBuilder<unknown>, points: readonly Position[]): Condition {
  return sql`exists (select from unnest(${points.map(pointText)}::point[]) p where ${part} @> p)`;
}

function anySegment(part: RawBuilder<unknown>, lines: Shape['lines']): Condition {
  const segments = lines.flatMap((line) =>
    line.slice(1).map((end, index) => `[${pointText(line[index] ?? end)},${pointText(end)}]`),
  );
  return sql`exists (select from unnest(${segments}::lseg[]) s where s ?# ${part})`;
}

/** A dataset that lies entirely in a hole does not intersect the polygon. */
function inPolygon(part: RawBuilder<unknown>, [outer = [], ...holes]: Shape['polygons'][number]): Condition {
  const meets = sql<SqlBool>`polygon(${part}) && ${ringText(outer)}::polygon`;
  if (holes.length === 0) return meets;
  return sql`(${meets} and not exists (select from unnest(${holes.map(ringText)}::polygon[]) h where h @> polygon(${part})))`;
}

function anyOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`;
}

function boxText([west, south, east, north]: Box): string {
  return `(${east},${north}),(${west},${south})`;
}

function pointText([x, y]: Position): string {
  return `(${x},${y})`;
}

function ringText(ring: readonly Position[]): string {
  return `(${ring.map(pointText).join(',')})`;
}
