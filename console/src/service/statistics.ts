import { useEffect } from 'preact/hooks';
import type { Refused } from './fetch.ts';
import { get } from './request.ts';
import { useResource } from './resource.ts';
import { inTurn } from './turns.ts';
import type { RasterStatistics } from './types.ts';

export type BandStatistics = RasterStatistics['bands'][number];

/** An entry of a legend, to show beside a number. */
export interface LegendLabel {
  readonly value: number;
  readonly label: string;
  readonly color: string;
}

const retryMs = 2500;
/** The state of the statistics of a raster; `isCounting` while the service counts them. */
export interface StatisticsView {
  readonly value: RasterStatistics | undefined;
  readonly failure: Refused | undefined;
  readonly isCounting: boolean;
  readonly reload: () => void;
}

/** Reads the statistics of a raster when they are wanted, repeatedly until they are counted. */
export function useStatistics(id: string, isWanted: boolean): StatisticsView {
  const { resource, reload } = useResource(`statistics ${id} ${isWanted}`, async (signal) =>
    isWanted ? await inTurn(signal, async () => await readStatistics(id, signal)) : undefined,
  );
  const { value, failure, isLoading } = resource.value;
  const isCounting = value === 'counting';
  useEffect(() => {
    // A request that runs is not replaced: answers of a busy service take longer than the interval.
    if (isLoading || !isCounting || failure !== undefined) return undefined;
    const timer = setTimeout(reload, retryMs);
    return () => clearTimeout(timer);
  }, [resource.value]);
  return { value: isCounting ? undefined : value, failure, isCounting, reload };
}

/** The statistics of all pixels of a raster, unless the service still counts them. @throws {Refused} */
export async function readStatistics(
  id: string,
  signal?: AbortSignal,
): Promise<RasterStatistics | 'counting'> {
  const answer = await get('/datasets/{id}/statistics', { path: { id }, query: { wait: 0 }, signal });
  return 'status' in answer ? 'counting' : answer;
}

interface AreaRow {
  readonly value: number;
  readonly label: string | undefined;
  readonly color: string | undefined;
  /** Hectares, or pixels if hectares are not known. */
  readonly area: number;
}

/** The classes of the legend, including empty ones, then all other classes that occur. */
export function rowsOf(
  { classes }: Pick<BandStatistics, 'classes'>,
  labels: readonly LegendLabel[],
): readonly AreaRow[] {
  const areas = new Map((classes ?? []).map(({ value, hectares, pixels }) => [value, hectares ?? pixels]));
  const known = new Set(labels.map(({ value }) => value));
  return [
    ...labels.map(({ value, label, color }) => ({ value, label, color, area: areas.get(value) ?? 0 })),
    ...[...areas]
      .filter(([value]) => !known.has(value))
      .map(([value, area]) => ({ value, label: undefined, color: undefined, area })),
  ];
}
