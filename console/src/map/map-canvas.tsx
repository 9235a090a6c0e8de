import { useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { MapWords } from '../words/map/words.ts';
import { unionOf } from './boxes.ts';
import type { MapSources, MapState } from './map-state.ts';
import { openMap, type OpenMap } from './open-map.ts';

export interface MapCanvasProps {
  readonly state: MapState;
  readonly sources: MapSources;
  readonly words: MapWords;
  readonly wheelZooms: boolean;
}

/** The drawn map with its buttons; arrows pan it, Enter reads the value at its centre. */
export function MapCanvas({ state, sources, words, wheelZooms }: MapCanvasProps) {
  const target = useRef<HTMLDivElement>(null);
  const map = useRef<OpenMap>(undefined);
  const isFitted = useRef(state.at.value !== undefined);
  const code = state.view.value;

  const home = () => map.current?.fit(unionOf(state.boxes.peek()));
  const read = async (point: number[]) => {
    const opened = map.current;
    if (opened === undefined) return undefined;
    const [lon = 0, lat = 0] = opened.lonLatOf(point);
    return { lat, lon, readings: await opened.readAt(point) };
  };
  useEffect(() => {
    if (target.current === null) return undefined;
    let asked = 0;
    const opened = openMap({
      ...sources,
      target: target.current,
      view: code,
      at: state.at.peek(),
      wheelZooms,
      onMoved: state.moved,
      onPointer: async (point) => {
        asked += 1;
        const own = asked;
        const found = point === undefined ? undefined : await read(point).catch(() => undefined);
        if (own === asked) state.pointer.value = found;
      },
      onClick: async (point) => {
        const found = await read(point).catch(() => undefined);
        state.said.value = found;
        const unit = found?.readings.find(({ code: kato }) => kato !== undefined);
        state.picked.value = unit?.code === undefined ? undefined : { id: unit.id, code: unit.code };
      },
      onLayerFailure: state.fail,
      onBaseFailure: () => (state.baseFailed.value = true),
    });
    map.current = opened;
    opened.setLayers(state.layers.peek());
    opened.showDate(state.shownDate.peek()?.start);
    if (state.at.peek() === undefined) home();
    return () => opened.close();
  }, [code]);
  useSignalEffect(() => {
    const layers = state.layers.value;
    map.current?.setLayers(layers);
    if (isFitted.current || layers.length === 0) return;
    isFitted.current = true;
    home();
  });
  useSignalEffect(() => map.current?.showDate(state.shownDate.value?.start));

  const readCentre = async (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || map.current === undefined) return;
    event.preventDefault();
    state.said.value = await read(map.current.centre()).catch(() => undefined);
  };
  return (
    <div class="map-canvas">
      <div
        ref={target}
        class="map-target"
        role="application"
        aria-label={words.mapLabel}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the map is moved by keys
        tabIndex={0}
        onKeyDown={(event) => void readCentre(event)}
      />
      <div class="map-cross" aria-hidden="true" />
      <div class="map-buttons">
        <button type="button" aria-label={words.zoomIn} onClick={() => map.current?.zoomBy(1)}>
          +
        </button>
        <button type="button" aria-label={words.zoomOut} onClick={() => map.current?.zoomBy(-1)}>
          −
        </button>
        <button type="button" aria-label={words.home} onClick={home}>
          ⌂
        </button>
      </div>
    </div>
  );
}
