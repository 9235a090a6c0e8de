import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { type Box, viewCodeFor } from '../../map/place/boxes.ts';
import { readDataset } from '../../map/layers/layer-requests.ts';
import { MapFrame } from '../../map/map-frame.tsx';
import { FailedNotice } from '../../map/notices.tsx';
import type { OpenMap } from '../../map/open-map.ts';
import { mapWords } from '../../map/words/words.ts';
import { createServiceTiles } from '../../map/drawing/service-tiles.ts';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { useResource } from '../../service/resource.ts';
import { limitsWords } from './words/words.ts';

interface WhereMapProps {
  readonly runId: string;
  readonly zoningId: string;
  /** Conditions in their normal form. */
  readonly conditions: string;
  /** The unit that is outlined and shown. */
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

function Drawn({ runId, conditions, unit, box }: WhereMapProps & { readonly box: Box }) {
  const { where: text } = limitsWords();
  const words = mapWords();
  const map = useRef<OpenMap>(undefined);
  const hasFailed = useSignal(false);
  const fail = (): void => void (hasFailed.value = true);
  const query = new URLSearchParams({ conditions }).toString();
  const path = `/landscape/runs/${encodeURIComponent(runId)}/where/tiles/{z}/{x}/{y}.png?${query}`;
  const tiles = useMemo(() => createServiceTiles(path, fail), []);
  useEffect(() => {
    hasFailed.value = false;
    tiles.show(path);
  }, [path]);
  const again = (): void => {
    hasFailed.value = false;
    tiles.reload();
    map.current?.refresh();
  };
  useEffect(() => void map.current?.showUnit(unit, false).catch(fail), [unit]);
  return (
    <div class="mini-map">
      <MapFrame
        view={viewCodeFor([box])}
        label={text.map}
        words={words}
        home={() => box}
        onOpen={(opened) => {
          map.current = opened;
          tiles.layer.setZIndex(10);
          opened.addLayer(tiles.layer);
        }}
        onLayerFailure={fail}
        onBase={(isFailed) => {
          if (isFailed) fail();
        }}
      />
      {hasFailed.value && (
        <FailedNotice words={words} retry={again}>
          <p>{text.noMap}</p>
        </FailedNotice>
      )}
    </div>
  );
}
