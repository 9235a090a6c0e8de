import type { MapWords } from './words/words.ts';

interface MapButtonsProps {
  readonly words: MapWords;
  readonly zoomBy: (steps: number) => void;
  readonly home: () => void;
}

/** Zooms a map, and shows all of what it is about. */
export function MapButtons({ words, zoomBy, home }: MapButtonsProps) {
  return (
    <div class="map-buttons">
      <button type="button" aria-label={words.zoomIn} onClick={() => zoomBy(1)}>
        +
      </button>
      <button type="button" aria-label={words.zoomOut} onClick={() => zoomBy(-1)}>
        −
      </button>
      <button type="button" aria-label={words.home} onClick={home}>
        ⌂
      </button>
    </div>
  );
}
