import { useEffect } from 'preact/hooks';
import { ask, type Refused } from './ask.ts';
import { useResource } from './resource.ts';
import { inTurn } from './turns.ts';
import type { RasterStatistics } from './types.ts';

export type BandStatistics = RasterStatistics['bands'][number];

/** An entry of a legend as the page needs it beside a number. */
export interface LegendLabel {
  readonly value: number;
  readonly label: string;
  readonly color: string;
}

const lookAgainMs = 2500;
/** What the page knows of the statistics of a raster; `isCounting` while the service still counts them. */
export interface StatisticsView {
  readonly value: RasterStatistics | undefined;
  readonly failure: Refused | undefined;
  readonly isCounting: boolean;
  readonly reload: () => void;
}

/** Reads the statistics of a raster, once it is `wanted`, and again until they are counted. */
export function useStatistics(id: string, isWanted: boolean): StatisticsView {
  const { resource, reload } = useResource(`statistics ${id} ${isWanted}`, async (signal) =>
    isWanted ? await inTurn(signal, async () => await readStatistics(id, signal)) : undefined,
  );
  const { value, failure } = resource.value;
  const isCounting = value === 'counting';
  useEffect(() => {
    if (!isCounting) return undefined;
    const timer = setTimeout(reload, lookAgainMs);
    return () => clearTimeout(timer);
  }, [resource.value]);
  return { value: isCounting ? undefined : value, failure, isCounting, reload };
}

/** The statistics of all pixels of a raster, unless the service still counts them. @throws {Refused} */
export async function readStatistics(
  id: string,
  signal?: AbortSignal,
): Promise<RasterStatistics | 'counting'> {
  const path = `/datasets/${encodeURIComponent(id)}/statistics?wait=0`;
  const answer = await ask<RasterStatistics | { readonly status: 'pending' }>(path, signal ? { signal } : {});
  return 'status' in answer ? 'counting' : answer;
}

interface LegendAnswer {
  readonly kind: 'classes' | 'ramp' | 'colours';
  readonly entries?: readonly { readonly label: string; readonly colour: string; readonly value?: number }[];
}

/** The labels and colours of a dataset's classes; none where its legend has no classes by value. @throws {Refused} */
export async function getLegendLabels(id: string, signal: AbortSignal): Promise<readonly LegendLabel[]> {
  const { kind, entries = [] } = await ask<LegendAnswer>(`/datasets/${encodeURIComponent(id)}/legend.json`, {
    signal,
  });
  if (kind !== 'classes') return [];
  return entries.flatMap(({ label, colour, value }) =>
    value === undefined ? [] : [{ value, label, color: colour }],
  );
}
