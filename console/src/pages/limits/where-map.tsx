import '../../map/map.css';
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { viewCodeFor } from '../../map/place/boxes.ts';
import { readDataset } from '../../map/layers/layer-requests.ts';
import { mapSources } from '../../map/map-state.ts';
import { openMap, type OpenMap } from '../../map/open-map.ts';
import { createServiceTiles } from '../../map/drawing/service-tiles.ts';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { useResource } from '../../service/resource.ts';
import { words as pageWords } from '../../words/words.ts';
import { limitsWords } from './words/words.ts';

interface WhereMapProps {
  readonly runId: string;
  readonly zoningId: string;
  /** In their normal form. */
  readonly conditions: string;
  /** The unit that is outlined and gone to. */
  readonly unit: string | undefined;
}

/** The map of places that meet conditions, which the service draws. */
export function WhereMap(props: WhereMapProps) {
  const { zoningId } = props;
  const { resource, reload } = useResource(`box ${zoningId}`, async () => (await readDataset(zoningId)).bbox);
  const { value: box, failure, isLoading } = resource.value;
  if (failure !== undefined)
    return <Failure failure={failure} retry={reload} title={limitsWords().where.noMap} />;
  if (box === undefined) return isLoading ? <Waiting /> : null;
  return <Drawn {...props} box={box} />;
}

type Box = NonNullable<Parameters<OpenMap['fit']>[0]>;

function Drawn({ runId, conditions, unit, box }: WhereMapProps & { readonly box: Box }) {
  const { where: text } = limitsWords();
  const target = useRef<HTMLDivElement>(null);
  const opened = useRef<OpenMap>(undefined);
  const tiles = useRef<ReturnType<typeof createServiceTiles>>(undefined);
  const hasFailed = useSignal(false);
  const query = new URLSearchParams({ conditions }).toString();
  const path = `/landscape/runs/${encodeURIComponent(runId)}/where/tiles/{z}/{x}/{y}.png?${query}`;
  useLayoutEffect(() => {
    if (target.current === null) return undefined;
    const map = openMap({
      ...mapSources(),
      target: target.current,
      view: viewCodeFor([box]),
      at: undefined,
      waitsForLayers: true,
      wheelZooms: false,
      onMoved: () => undefined,
      onClick: () => undefined,
      onLayerFailure: () => undefined,
      onBase: (isFailed) => {
        if (isFailed) hasFailed.value = true;
      },
    });
    opened.current = map;
    tiles.current = createServiceTiles(path, () => void (hasFailed.value = true));
    tiles.current.layer.setZIndex(10);
    map.addLayer(tiles.current.layer);
    map.fit(box);
    return () => map.close();
  }, []);
  useEffect(() => {
    hasFailed.value = false;
    tiles.current?.show(path);
  }, [path]);
  const again = (): void => {
    hasFailed.value = false;
    tiles.current?.reload();
    opened.current?.refresh();
  };
  useEffect(() => {
    void opened.current?.showUnit(unit, false).catch(() => void (hasFailed.value = true));
  }, [unit]);
  return (
    <div class="mini-map">
      <div class="map-canvas">
        <div
          ref={target}
          class="map-target"
          role="application"
          aria-label={text.map}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- arrows move the map
          tabIndex={0}
        />
      </div>
      <p class="small" role="alert">
        {hasFailed.value && (
          <>
            {text.noMap}{' '}
            <button type="button" class="button" onClick={again}>
              {pageWords().failure.again}
            </button>
          </>
        )}
      </p>
    </div>
  );
}
