import { address, replaceQuery } from '../address/address.ts';
import { readPlace, writePlace } from './place/address.ts';
import type { Box, viewCodeFor } from './place/boxes.ts';
import { mapSources } from './map-state.ts';
import { openMap } from './open-map.ts';
import { createUnitOutline } from './units/unit-outline.ts';

interface Opening {
  readonly target: HTMLElement;
  readonly view: ReturnType<typeof viewCodeFor>;
  /** All that there is to see. */
  readonly home: () => Box | undefined;
  /** After a move; metres of a pixel at the centre. */
  readonly onScale: (metresPerPixel: number) => void;
  /** A point was clicked, or Enter pressed for the centre. */
  readonly onPick: (point: number[]) => void;
  readonly onFailure: () => void;
}

/** Opens a map that is a part of a page, in an element that has a size: its place is in the address, and it outlines units. */
export function openAddressedMap({ target, view, home, onScale, onPick, onFailure }: Opening) {
  const { rasters, districts } = mapSources();
  const at = readPlace(address.peek().query.get('at') ?? '');
  // The first place shows all, which the address need not have.
  let isSettled = at !== undefined;
  const map = openMap({
    target,
    view,
    at,
    rasters,
    districts,
    waitsForLayers: true,
    wheelZooms: false,
    onMoved(place, metresPerPixel) {
      onScale(metresPerPixel);
      if (isSettled) replaceQuery({ at: writePlace(place) });
      isSettled = true;
    },
    onClick: onPick,
    onLayerFailure: onFailure,
  });
  const outline = createUnitOutline(view, districts);
  map.addLayer(outline.layer);
  if (at === undefined) map.fit(home());
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') onPick(map.centre());
  };
  target.addEventListener('keydown', onKey);
  return {
    map,
    view,
    rasters,
    outline,
    goHome: () => map.fit(home()),
    close() {
      target.removeEventListener('keydown', onKey);
      map.close();
    },
  };
}
