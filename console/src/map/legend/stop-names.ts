import { type LegendModel, namedStops } from '../../../../common/maps/legend/model.ts';
import { hasOwnWords } from '../../service/graph-words.ts';
import type { DatasetSummary } from '../../service/types.ts';

/** Returns the stops of a ramp that a style has named; those of the graph's styles have numbers with English units, which the legend has itself. */
export function stopNames(
  dataset: Pick<DatasetSummary, 'dg_id'>,
  stops: Extract<LegendModel, { kind: 'ramp' }>['stops'],
): ReturnType<typeof namedStops> {
  return hasOwnWords(dataset) ? [] : namedStops(stops);
}
