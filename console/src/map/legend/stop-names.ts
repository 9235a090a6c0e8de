import { type LegendModel, namedStops } from '../../../../common/maps/legend/model.ts';
import { hasOwnWords } from '../../service/graph-words.ts';
import type { DatasetSummary } from '../../service/types.ts';

/**
 * Returns the stops of a ramp that have names in its style. The stops in the styles of the graph are numbers with
 * English units, which the legend writes itself.
 */
export function stopNames(
  dataset: Pick<DatasetSummary, 'dg_id'>,
  stops: Extract<LegendModel, { kind: 'ramp' }>['stops'],
): ReturnType<typeof namedStops> {
  return hasOwnWords(dataset) ? [] : namedStops(stops);
}
