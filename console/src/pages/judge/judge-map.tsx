import '../../map/map.css';
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { openAddressedMap } from '../../map/addressed-map.ts';
import { viewCodeFor } from '../../map/place/boxes.ts';
import type { ClassColours } from '../../map/layers/class-colours.ts';
import { createClassLayer } from '../../map/layers/class-layer.ts';
import type { Level } from '../../map/units/districts.ts';
import { MapButtons } from '../../map/map-buttons.tsx';
import { mapSources } from '../../map/map-state.ts';
import { ScaleBar } from '../../map/legend/scale-bar.tsx';
import { capabilities } from '../../service/capabilities.ts';
import type { CellsRaster } from './cells-raster.ts';
import type { MapSpeech } from '../../map/words/words.ts';

/** A point that was clicked, and the number of its cell; undefined for no data. */
export interface CellReading {
  readonly lon: number;
  readonly lat: number;
  readonly cell: number | undefined;
}

interface JudgeMapProps {
  readonly raster: CellsRaster;
  readonly colours: ClassColours;
  readonly level: Level;
  /** The unit whose border is drawn. */
  readonly unit: string | undefined;
  readonly label: string;
  readonly speech: MapSpeech;
  /** A place was clicked, or read with Enter, in this unit. */
  readonly onRead: (reading: CellReading, unit: string | undefined) => void;
}

type Opened = ReturnType<typeof openLayers>;

/** The cells of a run on a map; new colours stand in the next frame. */
export function JudgeMap({ raster, colours, level, unit, label, speech, onRead }: JudgeMapProps) {
  const target = useRef<HTMLDivElement>(null);
  const opened = useRef<Opened>(undefined);
  const latest = useRef({ colours, level, onRead });
  latest.current = { colours, level, onRead };
  const metresPerPixel = useSignal<number | undefined>(undefined);
  const failed = useSignal(false);
  const base = capabilities.value?.base_map ?? undefined;
  const read = async (point: number[]): Promise<void> => {
    const own = opened.current;
    if (own === undefined) return;
    const [lon = 0, lat = 0] = own.map.lonLatOf(point);
    const { rasters } = mapSources();
    const [column, row] = raster.place.pixel(own.view, point[0] ?? Number.NaN, point[1] ?? Number.NaN);
    const [values, code] = await Promise.all([
      rasters.peek({ url: raster.url, column, row }),
      own.outline.codeAt(latest.current.level, point),
    ]);
    const cell = values?.[0];
    latest.current.onRead(
      { lon, lat, cell: cell === undefined || Number.isNaN(cell) ? undefined : cell },
      code,
    );
  };
  const pick = (point: number[]): void =>
    void read(point).then(
      () => (failed.value = false),
      () => (failed.value = true),
    );
  useLayoutEffect(() => {
    if (target.current === null) return undefined;
    const own = openLayers(raster, latest.current.colours, {
      target: target.current,
      view: viewCodeFor([raster.box]),
      home: () => raster.box,
      onScale: (metres) => void (metresPerPixel.value = metres),
      onPick: pick,
      onFailure: () => void (failed.value = true),
    });
    opened.current = own;
    return () => {
      opened.current = undefined;
      own.close();
    };
  }, [raster]);
  useLayoutEffect(() => opened.current?.classes.showColours(colours), [colours]);
  useEffect(() => opened.current?.map.setBackground(base?.url), [base?.url]);
  useEffect(() => {
    // Without borders the figures stay, and the base map is without them as well.
    void opened.current?.outline.show(level, unit).catch(() => undefined);
  }, [raster, level, unit]);
  return (
    <div class="judge-canvas">
      <div class="map-canvas">
        <div
          ref={target}
          class="map-target"
          role="application"
          aria-label={label}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- arrows move the map
          tabIndex={0}
        />
        <div class="map-cross" aria-hidden="true" />
        {base !== undefined && base.attribution !== '' && <p class="map-attribution">{base.attribution}</p>}
        <MapButtons
          words={speech.words}
          zoomBy={(steps) => opened.current?.map.zoomBy(steps)}
          home={() => opened.current?.goHome()}
        />
      </div>
      <div class="judge-scale small">
        <span role="status">{failed.value && speech.words.readFailed}</span>
        <ScaleBar metresPerPixel={metresPerPixel.value} speech={speech} />
      </div>
    </div>
  );
}

function openLayers(
  { url, place }: CellsRaster,
  colours: ClassColours,
  opening: Parameters<typeof openAddressedMap>[0],
) {
  const { view, onFailure } = opening;
  const opened = openAddressedMap(opening);
  const classes = createClassLayer({ view, rasters: opened.rasters, url, place, colours, onFailure });
  opened.map.addLayer(classes.layer);
  return { ...opened, classes };
}
