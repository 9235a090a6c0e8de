import { MiB } from '../../../common/units.ts';
import { vectorTileProblems } from '../../../messages/vector-tiles.ts';
import type { LegendModel } from '../../../portrayal/legend/model.ts';
import { parseCompiledStyle } from '../../../portrayal/style/compiled-style.ts';
import { layerStyleOf } from '../../../portrayal/style/sld-read.ts';
import {
  type Classes,
  classesOf,
  classesOfRules,
  type UnitValues,
} from '../../../portrayal/units/choropleth.ts';
import type { ThreadContext } from '../objects/context.ts';

export interface UnitsLegendRequest {
  /** Key of the series of a table by KATO. */
  readonly seriesKey: string;
  /** A compiled style; undefined where there is none. */
  readonly compiled: string | undefined;
}

/** As many values as a map by units is made of. */
const maxSeriesBytes = 64 * MiB;
const classCount = 7;

/** Finds the classes of a map by units: those of its style, else quantiles of all its values. @throws {Problem} when there are too many. */
async function readUnitClasses(
  { seriesKey, compiled }: UnitsLegendRequest,
  context: ThreadContext,
): Promise<Classes> {
  const style = compiled === undefined ? undefined : parseCompiledStyle(compiled);
  const own = style === undefined ? undefined : classesOfRules(layerStyleOf(style).rules);
  if (own !== undefined) return own;
  const bytes = await context.read(seriesKey, 0, maxSeriesBytes + 1);
  if (bytes.length > maxSeriesBytes)
    throw vectorTileProblems.tooLarge(Math.ceil(bytes.length / MiB), maxSeriesBytes / MiB);
  const series: UnitValues = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
  return classesOf(series, 'quantiles', classCount);
}

/** Tells what the colours of a map by units mean. @throws {Problem} */
export async function readUnitsLegend(
  request: UnitsLegendRequest,
  context: ThreadContext,
): Promise<LegendModel> {
  const { list } = await readUnitClasses(request, context);
  const entries = list.map(({ colour, label }) => ({
    colour,
    label,
    sign: 'area' as const,
    isHidden: false,
  }));
  return { kind: 'classes', entries };
}
