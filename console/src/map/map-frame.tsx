import './map.css';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { address, replaceQuery } from '../address/address.ts';
import type { ViewCode } from '../raster/projection.ts';
import { capabilities } from '../service/capabilities.ts';
import { mapSources } from './map-state.ts';
import { type MapOptions, openMap, type OpenMap } from './open-map.ts';
import { readPlace, writePlace } from './place/address.ts';
import type { Box } from './place/boxes.ts';
import type { MapWords } from './words/words.ts';

type Optional = 'at' | 'onMoved' | 'onPointer' | 'onBase' | 'onBackgroundFailure';

interface MapFrameProps extends Partial<Pick<MapOptions, Optional>> {
  /** The map opens when the projection is known, and again when it changes. */
  readonly view: ViewCode | undefined;
  readonly label: string;
  readonly words: MapWords;
  /** The extent of all data; undefined for the whole country. */
  readonly home: () => Box | undefined;
  /** Adds layers to the new map. */
  readonly onOpen: (map: OpenMap) => void;
  readonly onLayerFailure: (id: string, error: unknown) => void;
  /** Called with a clicked point, or with the centre when Enter is pressed. */
  readonly onPick?: (point: number[]) => void;
  /** True if the address records the place of the map. */
  readonly isAddressed?: boolean;
  readonly waitsForLayers?: boolean;
  readonly wheelZooms?: boolean;
  /** Content over the map. */
  readonly children?: ComponentChildren;
}

/** A map in an element, with the base map, the background of the operator, buttons and keys. It is closed with the element. */
export function MapFrame(props: MapFrameProps) {
  const { view, label, words, onPick, children } = props;
  const target = useRef<HTMLDivElement>(null);
  const map = useRef<OpenMap>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const background = capabilities.value?.base_map ?? undefined;
  const goHome = (): void => map.current?.fit(latest.current.home());
  // A layout effect runs before the next frame; the map itself waits for one more.
  useLayoutEffect(() => {
    const element = target.current;
    if (element === null || view === undefined) return undefined;
    const { isAddressed = false, waitsForLayers = true, wheelZooms = false } = latest.current;
    const at = isAddressed ? readPlace(address.peek().query.get('at') ?? '') : latest.current.at;
    // The initial view shows everything, and is not written to the address.
    let isChosen = at !== undefined;
    const opened = openMap({
      ...mapSources(),
      target: element,
      view,
      at,
      waitsForLayers,
      wheelZooms,
      onMoved(place, metresPerPixel) {
        latest.current.onMoved?.(place, metresPerPixel);
        if (isAddressed && isChosen) replaceQuery({ at: writePlace(place) });
        isChosen = true;
      },
      onPointer: (point) => latest.current.onPointer?.(point),
      onClick: (point) => latest.current.onPick?.(point),
      onLayerFailure: (id, error) => latest.current.onLayerFailure(id, error),
      onBase: (isFailed) => latest.current.onBase?.(isFailed),
      onBackgroundFailure: () => latest.current.onBackgroundFailure?.(),
    });
    map.current = opened;
    opened.setBackground(background?.url);
    latest.current.onOpen(opened);
    if (at === undefined) goHome();
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Enter') latest.current.onPick?.(opened.centre());
    };
    element.addEventListener('keydown', onKey);
    return () => {
      element.removeEventListener('keydown', onKey);
      map.current = undefined;
      opened.close();
    };
  }, [view]);
  useEffect(() => map.current?.setBackground(background?.url), [background?.url]);
  return (
    <div class="map-canvas">
      <div
        ref={target}
        class="map-target"
        role="application"
        aria-label={label}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- arrows move the map
        tabIndex={0}
      />
      {onPick !== undefined && <div class="map-cross" aria-hidden="true" />}
      {background !== undefined && background.attribution !== '' && (
        <p class="map-attribution">{background.attribution}</p>
      )}
      {children}
      <div class="map-buttons">
        <button type="button" aria-label={words.zoomIn} onClick={() => map.current?.zoomBy(1)}>
          +
        </button>
        <button type="button" aria-label={words.zoomOut} onClick={() => map.current?.zoomBy(-1)}>
          −
        </button>
        <button type="button" aria-label={words.home} onClick={goHome}>
          ⌂
        </button>
      </div>
    </div>
  );
}
