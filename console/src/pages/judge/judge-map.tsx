import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { MapFrame } from '../../map/map-frame.tsx';
import type { OpenMap } from '../../map/open-map.ts';
import { viewCodeFor } from '../../map/place/boxes.ts';
import type { ClassColours } from '../../map/layers/class-colours.ts';
import { createClassLayer } from '../../map/layers/class-layer.ts';
import type { Level } from '../../map/units/districts.ts';
import { mapSources } from '../../map/map-state.ts';
import { ScaleBar } from '../../map/legend/scale-bar.tsx';
import type { CellsRaster } from './cells-raster.ts';
import type { MapLocale } from '../../map/words/words.ts';

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
  readonly locale: MapLocale;
  /** Called when a place in a unit is clicked, or read with Enter. */
  readonly onRead: (reading: CellReading, unit: string | undefined) => void;
}

/** The cells of a run on a map; new colours appear in the next frame. */
export function JudgeMap({ raster, colours, level, unit, label, locale, onRead }: JudgeMapProps) {
  const view = viewCodeFor([raster.box]);
  const map = useRef<OpenMap>(undefined);
  const classes = useRef<ReturnType<typeof createClassLayer>>(undefined);
  const metresPerPixel = useSignal<number | undefined>(undefined);
  const hasFailed = useSignal(false);
  const { rasters } = mapSources();
  const fail = (): void => void (hasFailed.value = true);
  const open = (opened: OpenMap): void => {
    const { url, place } = raster;
    map.current = opened;
    classes.current = createClassLayer({ view, rasters, url, place, colours, onFailure: fail });
    opened.addLayer(classes.current.layer);
  };
  const read = async (point: number[]): Promise<void> => {
    const opened = map.current;
    if (opened === undefined) return;
    const [lon = 0, lat = 0] = opened.lonLatOf(point);
    const [column, row] = raster.place.pixel(view, point[0] ?? Number.NaN, point[1] ?? Number.NaN);
    const [values, code] = await Promise.all([
      rasters.peek({ url: raster.url, column, row }),
      opened.unitAt(point, level),
    ]);
    const cell = values?.[0];
    onRead({ lon, lat, cell: cell === undefined || Number.isNaN(cell) ? undefined : cell }, code);
  };
  useLayoutEffect(() => classes.current?.showColours(colours), [colours]);
  useEffect(() => {
    // If borders cannot be read, the figures stay; the base map has no borders either.
    void map.current?.outlineUnit(level, unit).catch(() => undefined);
  }, [raster, level, unit]);
  return (
    <div class="judge-canvas">
      <MapFrame
        key={raster.url}
        view={view}
        label={label}
        words={locale.words}
        home={() => raster.box}
        isAddressed
        onOpen={open}
        onMoved={(_, metres) => void (metresPerPixel.value = metres)}
        onPick={(point) => void read(point).then(() => void (hasFailed.value = false), fail)}
        onLayerFailure={fail}
      />
      <div class="judge-scale small">
        <span role="status">{hasFailed.value && locale.words.readFailed}</span>
        <ScaleBar metresPerPixel={metresPerPixel.value} locale={locale} />
      </div>
    </div>
  );
}
