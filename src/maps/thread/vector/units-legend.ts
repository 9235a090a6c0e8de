import { MiB } from '../../../lib/units.ts';
import { vectorTileProblems } from '../../../messages/drawing.ts';
import type { LegendModel } from '../../legend/model.ts';
import { parseCompiledStyle } from '../../style/compiled-style.ts';
import { layerStyleOf } from '../../style/sld-read.ts';
import type { UnitValues } from '../../units/choropleth.ts';
import { paintOfRules, type UnitPaint, unitPaintOf } from '../../units/unit-paint.ts';
import type { ThreadContext } from '../objects/context.ts';

export interface UnitsLegendRequest {
  /** Key of the series of a table by KATO. */
  readonly seriesKey: string;
  /** A compiled style; undefined where there is none. */
  readonly compiled: string | undefined;
}

/** As many values as a map by units is made of. */
const maxSeriesBytes = 64 * MiB;

/** Finds how units are painted: by the rules of their style, else by quantiles. @throws {Problem} when there are too many values. */
async function readUnitPaint(
  { seriesKey, compiled }: UnitsLegendRequest,
  context: ThreadContext,
): Promise<UnitPaint> {
  const style = compiled === undefined ? undefined : parseCompiledStyle(compiled);
  const own = style && paintOfRules(layerStyleOf(style).rules);
  if (own !== undefined) return own;
  const bytes = await context.read(seriesKey, 0, maxSeriesBytes + 1);
  if (bytes.length > maxSeriesBytes)
    throw vectorTileProblems.tooLarge(Math.ceil(bytes.length / MiB), maxSeriesBytes / MiB);
  const series: UnitValues = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
  return unitPaintOf([], series);
}

/** Returns what the colours of a map by units mean. @throws {Problem} */
export async function readUnitsLegend(
  request: UnitsLegendRequest,
  context: ThreadContext,
): Promise<LegendModel> {
  const { entries } = await readUnitPaint(request, context);
  return { kind: 'classes', entries };
}
