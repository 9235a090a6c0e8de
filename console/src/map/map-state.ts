import { computed, signal } from '@preact/signals';
import { sharedRasters } from '../raster/client.ts';
import {
  type LonLat,
  type MapAddress,
  type Place,
  readMapAddress,
  rounded,
  writeMapAddress,
} from './address.ts';
import { runOutputOf } from '../service/run-output.ts';
import { type Box, viewCodeFor } from './boxes.ts';
import { createDistricts } from './districts.ts';
import { asLayerFailure, loadLayer, type MapSources } from './load-layer.ts';
import type { LayerProblem } from '../words/map/words.ts';
import type { LoadedLayer } from './loaded-layer.ts';
import type { Reading } from './open-map.ts';
import type { DatasetFacts } from './map-service.ts';
import { allDates } from './series.ts';

export type RowState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'shown'; readonly layer: LoadedLayer }
  | { readonly kind: 'failed'; readonly problem: LayerProblem; readonly dataset: DatasetFacts | undefined };

/** A row of the list of layers, from the uppermost down. */
export interface Row {
  readonly id: string;
  readonly opacity: number;
  readonly isVisible: boolean;
  readonly state: RowState;
}

export interface PointReading {
  readonly lat: number;
  readonly lon: number;
  readonly readings: readonly Reading[];
}

export type MapState = ReturnType<typeof createMapState>;

/** The state of a map: which layers, which date, which class, where; all of it can be written into an address. */
export function createMapState(sources: MapSources, query: string) {
  const start = readMapAddress(query);
  const rows = signal<readonly Row[]>([]);
  const date = signal(start.date);
  const only = signal(start.only);
  const at = signal(start.at);
  const metresPerPixel = signal<number | undefined>(undefined);
  const pointer = signal<PointReading | undefined>(undefined);
  const said = signal<PointReading | undefined>(undefined);
  const picked = signal<{ readonly id: string; readonly code: string } | undefined>(undefined);
  const baseFailed = signal(false);
  const backgroundFailed = signal(false);
  const readFailed = signal(false);
  const place = signal(start.place);
  const unit = signal(start.unit);

  const layers = computed(() =>
    rows.value.flatMap(({ state, ...row }) =>
      state.kind === 'shown' ? [{ ...row, model: state.layer, only: onlyOf(row.id) }] : [],
    ),
  );
  const onlyOf = (id: string) => (only.value?.id === id ? only.value.index : undefined);
  /** The uppermost layer in sight that is an output of a run, with its run: what a place is explained by. */
  const explained = computed(() => {
    for (const { model, isVisible } of layers.value) {
      const output = isVisible && model.kind === 'raster' ? runOutputOf(model.dataset.meta) : undefined;
      if (output !== undefined) return { ...output, dataset: model.dataset };
    }
    return undefined;
  });
  const units = computed(() => layers.value.flatMap(({ model }) => (model.kind === 'units' ? [model] : [])));
  const dates = computed(() => allDates(units.value.map(({ series }) => series)));
  /** The date that is drawn: the chosen one, else the last. */
  const shownDate = computed(() => {
    const chosen = dates.value.find(({ start }) => start === date.value);
    return chosen ?? dates.value.at(-1);
  });
  const boxes = computed(() =>
    layers.value.flatMap(({ model }): Box[] => (model.box === undefined ? [] : [model.box])),
  );
  const view = computed(() => viewCodeFor(boxes.value));
  const address = computed(() => {
    const listed = rows.value.map(({ id, opacity, isVisible }) => ({ id, opacity, isVisible }));
    return writeMapAddress({
      layers: listed,
      at: at.value,
      date: date.value,
      only: only.value,
      place: place.value,
      unit: unit.value,
    });
  });

  const change = (id: string, part: Partial<Row>) => {
    rows.value = rows.value.map((row) => (row.id === id ? { ...row, ...part } : row));
  };
  const fail = (id: string, error: unknown) => {
    const row = rows.value.find((one) => one.id === id);
    const shown = row?.state.kind === 'shown' ? row.state.layer.dataset : undefined;
    const { problem, dataset } = asLayerFailure(error);
    change(id, { state: { kind: 'failed', problem, dataset: dataset ?? shown } });
  };
  const load = async (id: string) => {
    change(id, { state: { kind: 'loading' } });
    try {
      const layer = await loadLayer(sources, id);
      change(id, { state: { kind: 'shown', layer } });
    } catch (error) {
      fail(id, error);
    }
  };
  const open = (layersOf: MapAddress['layers']) => {
    const known = new Map(rows.value.map((row) => [row.id, row]));
    rows.value = layersOf.map((place) => ({ state: { kind: 'loading' }, ...known.get(place.id), ...place }));
    return layersOf.filter(({ id }) => !known.has(id)).map(async ({ id }) => await load(id));
  };
  const opening = Promise.all(open(start.layers));
  return {
    rows,
    layers,
    date,
    dates,
    shownDate,
    only,
    at,
    view,
    boxes,
    metresPerPixel,
    pointer,
    said,
    picked,
    /** The borders below the data could not be read; they are asked for once more when this becomes false. */
    baseFailed,
    /** As `baseFailed`, of the background that the operator has set. */
    backgroundFailed,
    /** The last question for values was not answered. */
    readFailed,
    /** The place that is explained. */
    place,
    explained,
    /** KATO code of the unit that is outlined, and that the map goes to. */
    unit,
    address,
    units,
    /** When the layers of the first address are there, or have failed. */
    opened: async () => void (await opening),
    load,
    fail,
    /** Puts a dataset on top. */
    async add(id: string) {
      if (rows.value.some((row) => row.id === id)) return;
      rows.value = [{ id, opacity: 1, isVisible: true, state: { kind: 'loading' } }, ...rows.value];
      await load(id);
    },
    remove(id: string) {
      rows.value = rows.value.filter((row) => row.id !== id);
      if (only.value?.id === id) only.value = undefined;
      if (picked.value?.id === id) picked.value = undefined;
    },
    /** Moves a layer up (-1) or down (1). */
    move(id: string, step: -1 | 1) {
      const from = rows.value.findIndex((row) => row.id === id);
      const row = rows.value[from];
      const to = from + step;
      if (row === undefined || to < 0 || to >= rows.value.length) return;
      rows.value = rows.value.toSpliced(from, 1).toSpliced(to, 0, row);
    },
    setOpacity: (id: string, opacity: number) => change(id, { opacity }),
    setVisible: (id: string, isVisible: boolean) => change(id, { isVisible }),
    /** Shows a class alone, or all again. */
    toggleClass(id: string, index: number) {
      const isOn = only.value?.id === id && only.value.index === index;
      only.value = isOn ? undefined : { id, index };
    },
    /** Explains a place, in degrees, where a layer in sight is an output of a run. */
    explain(at: LonLat) {
      if (explained.peek() !== undefined) place.value = rounded(at);
    },
    moved(to: Place, metres: number) {
      at.value = to;
      metresPerPixel.value = metres;
    },
  };
}

let sources: MapSources | undefined;

/** Sources of every map of this page: one worker, one cache of borders. */
export function mapSources(): MapSources {
  sources ??= { rasters: sharedRasters(), districts: createDistricts() };
  return sources;
}
