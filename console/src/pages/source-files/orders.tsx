import { useEffect } from 'preact/hooks';
import { formatValue } from '../../../../common/formats/numbers.ts';
import { hrefOf } from '../../address/address.ts';
import { Failure } from '../../parts/loading.tsx';
import { get } from '../../service/request.ts';
import { useResource } from '../../service/resource.ts';
import type { RasterOrder } from '../../service/types.ts';
import { language } from '../../words/words.ts';
import { sourceFilesWords } from './words/words.ts';

const askAgainMs = 2000;

/** The rasters that were ordered, asked again until all are made. */
export function Orders({ id }: { readonly id: string }) {
  const text = sourceFilesWords();
  const { resource, reload } = useResource(
    `source orders ${id} ${language()}`,
    async (signal) =>
      await get('/source-files/{id}/rasters', { path: { id }, query: { lang: language() }, signal }),
  );
  const { value, failure } = resource.value;
  const isPending = value?.some(({ state }) => state === 'pending') === true;
  useEffect(() => {
    if (!isPending) return undefined;
    const timer = setTimeout(reload, askAgainMs);
    return () => clearTimeout(timer);
  }, [value]);
  if (failure !== undefined) return <Failure failure={failure} retry={reload} />;
  if (value === undefined || value.length === 0) return null;
  return (
    <section class="sheet pad stack" aria-labelledby="source-orders">
      <h2 id="source-orders">{text.ordered}</h2>
      <ul class="entries">
        {value.flatMap((order) =>
          order.rasters.map((raster) => <Made key={`${order.id} ${raster.name}`} {...{ order, raster }} />),
        )}
      </ul>
    </section>
  );
}

function Made({
  order: { state, mosaic, failure },
  raster: { name, dataset_id: dataset },
}: {
  readonly order: RasterOrder;
  readonly raster: RasterOrder['rasters'][number];
}) {
  const text = sourceFilesWords();
  const states = { pending: text.pending, made: text.made, failed: text.notMade } as const;
  return (
    <li>
      {dataset === null ? name : <a href={hrefOf(['datasets', dataset])}>{name}</a>}{' '}
      <span class="small muted">
        {[states[state], mosaic !== null && mosaicText(mosaic)].filter((part) => part !== false).join(' · ')}
      </span>
      {failure !== null && <span class="wrong"> {failure}</span>}
    </li>
  );
}

function mosaicText({
  tiles,
  cells,
  valid,
  overlap,
  largest_difference: difference,
}: NonNullable<RasterOrder['mosaic']>): string {
  const text = sourceFilesWords();
  const write = (value: number): string => formatValue(value, language());
  return [
    text.mosaicTiles(tiles),
    text.empty(write(cells - valid)),
    difference === null ? text.noOverlap : text.overlap(write(overlap), write(difference)),
  ].join(' · ');
}
