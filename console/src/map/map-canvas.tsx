import { computed, effect } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { capabilities } from '../service/capabilities.ts';
import { unionOf } from './place/boxes.ts';
import type { MapSources } from './layers/read-layer.ts';
import type { Level } from './units/districts.ts';
import type { MapState } from './map-state.ts';
import { MapButtons } from './map-buttons.tsx';
import { openMap, type OpenMap } from './open-map.ts';
import type { MapWords } from './words/words.ts';

/** The background that the operator has set, as soon as it is known. */
const background = computed(() => capabilities.value?.base_map ?? undefined);

export interface MapCanvasProps {
  readonly state: MapState;
  readonly sources: MapSources;
  readonly words: MapWords;
  readonly wheelZooms: boolean;
  /** A click outlines the unit of this level. */
  readonly unitLevel?: Level | undefined;
}

/** The drawn map with its buttons; arrows pan it, Enter reads the value at its centre. */
export function MapCanvas({ state, sources, words, wheelZooms, unitLevel }: MapCanvasProps) {
  const target = useRef<HTMLDivElement>(null);
  const map = useRef<OpenMap>(undefined);
  /** The address says where; once the map has followed it, another projection begins with all layers. */
  const told = useRef(state.at.value);
  const isFitted = useRef(told.current !== undefined || state.unit.peek() !== undefined);
  const code = state.view.value;

  const home = () =>
    map.current?.fit(state.units.peek().length > 0 ? undefined : unionOf(state.boxes.peek()));
  const read = async (point: number[]) => {
    const opened = map.current;
    if (opened === undefined) return undefined;
    const [lon = 0, lat = 0] = opened.lonLatOf(point);
    return { lat, lon, readings: await opened.readAt(point) };
  };
  const asked = useRef(0);
  /** The unit that was clicked on the map itself, which stays as it is seen. */
  const clicked = useRef<string>(undefined);
  const level = useRef(unitLevel);
  level.current = unitLevel;
  const follow = async (point: number[] | undefined) => {
    asked.current += 1;
    const own = asked.current;
    const found = point === undefined ? undefined : await read(point).catch(() => undefined);
    if (own === asked.current) state.pointer.value = found;
  };
  const pick = async (point: number[]) => {
    state.readFailed.value = false;
    const found = await read(point).catch(() => undefined);
    state.readFailed.value = found === undefined;
    state.said.value = found;
    if (found !== undefined) state.explain(found);
    if (level.current !== undefined) {
      // Without borders the row of the table stays as it was, and the base map says that they could not be read.
      const code = await map.current?.unitAt(point, level.current).catch(() => undefined);
      clicked.current = code;
      state.unit.value = code;
    }
    const unit = found?.readings.find(({ code: kato }) => kato !== undefined);
    state.picked.value = unit?.code === undefined ? undefined : { id: unit.id, code: unit.code };
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Enter' && map.current !== undefined) void pick(map.current.centre());
    };
    const element = target.current;
    element?.addEventListener('keydown', onKey);
    return () => element?.removeEventListener('keydown', onKey);
  }, []);
  // Before the next frame, not after it: the map itself waits for one.
  useLayoutEffect(() => {
    if (target.current === null) return undefined;
    const opened = openMap({
      ...sources,
      target: target.current,
      view: code,
      at: told.current,
      waitsForLayers: state.rows.peek().length > 0,
      wheelZooms,
      onMoved: state.moved,
      onPointer: (point) => void follow(point),
      onClick: (point) => void pick(point),
      onLayerFailure: state.fail,
      onBase: (isFailed) => (state.baseFailed.value = isFailed),
      onBackgroundFailure: () => (state.backgroundFailed.value = true),
    });
    map.current = opened;
    opened.setBackground(background.peek()?.url);
    opened.setLayers(state.layers.peek());
    opened.showDate(state.shownDate.peek()?.start);
    if (told.current === undefined) home();
    told.current = undefined;
    return () => opened.close();
  }, [code]);
  const showUnit = (kato: string | undefined, isKept = false) => {
    const fail = () => (state.baseFailed.value = true);
    void map.current?.showUnit(kato, isKept || kato === clicked.current).catch(fail);
  };
  // At once: effects of components run in a frame, and the map would draw in the one after it.
  useLayoutEffect(() => {
    const endLayers = effect(() => {
      const layers = state.layers.value;
      map.current?.setLayers(layers);
      if (isFitted.current || layers.length === 0) return;
      // The place is chosen once, when the layers of the address are there.
      isFitted.current = state.rows.value.every((row) => row.state.kind !== 'loading');
      home();
    });
    const endBackground = effect(() => map.current?.setBackground(background.value?.url));
    let hadFailed = false;
    const endBase = effect(() => {
      const hasFailed = state.baseFailed.value || state.backgroundFailed.value;
      if (hadFailed && !hasFailed) {
        map.current?.refresh();
        showUnit(state.unit.peek());
      }
      hadFailed = hasFailed;
    });
    const endDate = effect(() => map.current?.showDate(state.shownDate.value?.start));
    const endPlace = effect(() => {
      const isShown = state.explained.value !== undefined;
      map.current?.showPlace(isShown ? state.place.value : undefined);
    });
    /** The place of the address is kept, also when it names a unit. */
    let isKept = state.at.peek() !== undefined;
    const endUnit = effect(() => {
      showUnit(state.unit.value, isKept);
      isKept = false;
    });
    const endFrame = effect(() => map.current?.showFrame(state.frame.value));
    return () => {
      endFrame();
      endPlace();
      endUnit();
      endLayers();
      endBackground();
      endBase();
      endDate();
    };
  }, [state, code]);
  return (
    <div class="map-canvas">
      <div
        ref={target}
        class="map-target"
        role="application"
        aria-label={words.mapLabel}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- arrows move the map
        tabIndex={0}
      />
      <div class="map-cross" aria-hidden="true" />
      {background.value !== undefined && background.value.attribution !== '' && (
        <p class="map-attribution">{background.value.attribution}</p>
      )}
      <MapButtons words={words} zoomBy={(steps) => map.current?.zoomBy(steps)} home={home} />
    </div>
  );
}
