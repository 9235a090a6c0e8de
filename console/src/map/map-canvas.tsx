import { effect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { unionOf } from './place/boxes.ts';
import type { Level } from './units/districts.ts';
import type { MapState } from './map-state.ts';
import { MapFrame } from './map-frame.tsx';
import type { OpenMap } from './open-map.ts';
import type { MapWords } from './words/words.ts';

export interface MapCanvasProps {
  readonly state: MapState;
  readonly words: MapWords;
  readonly wheelZooms: boolean;
  /** A click outlines the unit of this level. */
  readonly unitLevel?: Level | undefined;
}

/** The drawn map with its buttons; arrows pan it, Enter reads the value at its centre. */
export function MapCanvas({ state, words, wheelZooms, unitLevel }: MapCanvasProps) {
  const map = useRef<OpenMap>(undefined);
  /** The place in the address that the map shows already. After another projection is chosen, the map begins with all layers. */
  const initialPlace = useRef(state.at.value);
  const isFitted = useRef(initialPlace.current !== undefined || state.unit.peek() !== undefined);
  const code = state.view.value;

  const home = () => (state.units.peek().length > 0 ? undefined : unionOf(state.boxes.peek()));
  const read = async (point: number[]) => {
    const opened = map.current;
    if (opened === undefined) return undefined;
    const [lon = 0, lat = 0] = opened.lonLatOf(point);
    return { lat, lon, readings: await opened.readAt(point) };
  };
  const asked = useRef(0);
  /** The unit that was clicked on the map: the view does not move to it. */
  const clicked = useRef<string>(undefined);
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
    state.announced.value = found;
    if (found !== undefined) state.explain(found);
    if (unitLevel !== undefined) {
      // Without borders the row of the table stays chosen, and the base map reports that they could not be read.
      const code = await map.current?.unitAt(point, unitLevel).catch(() => undefined);
      clicked.current = code;
      state.unit.value = code;
    }
    const unit = found?.readings.find(({ code: kato }) => kato !== undefined);
    state.picked.value = unit?.code === undefined ? undefined : { id: unit.id, code: unit.code };
  };
  const open = (opened: OpenMap) => {
    map.current = opened;
    opened.setLayers(state.layers.peek());
    opened.showDate(state.shownDate.peek()?.start);
    initialPlace.current = undefined;
  };
  const showUnit = (kato: string | undefined, isKept = false) => {
    const fail = () => (state.baseFailed.value = true);
    void map.current?.showUnit(kato, isKept || kato === clicked.current).catch(fail);
  };
  // A layout effect: a plain effect would run in the next frame, and the map would be drawn in the one after it.
  useLayoutEffect(() => {
    const endLayers = effect(() => {
      const layers = state.layers.value;
      map.current?.setLayers(layers);
      if (isFitted.current || layers.length === 0) return;
      // The initial view is chosen once, when the layers in the address are loaded.
      isFitted.current = state.rows.value.every((row) => row.state.kind !== 'loading');
      map.current?.fit(home());
    });
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
    /** The place in the address is kept, even if the address names a unit. */
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
      endBase();
      endDate();
    };
  }, [state, code]);
  return (
    <MapFrame
      view={code}
      at={initialPlace.current}
      label={words.mapLabel}
      words={words}
      home={home}
      waitsForLayers={state.rows.peek().length > 0}
      wheelZooms={wheelZooms}
      onOpen={open}
      onMoved={state.moved}
      onPointer={(point) => void follow(point)}
      onPick={(point) => void pick(point)}
      onLayerFailure={state.fail}
      onBase={(isFailed) => (state.baseFailed.value = isFailed)}
      onBackgroundFailure={() => (state.backgroundFailed.value = true)}
    />
  );
}
