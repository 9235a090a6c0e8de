import { computed, signal } from '@preact/signals';
import { sharedRasters } from '../raster/client.ts';
import {
  type LonLat,
  type MapAddress,
  type Place,
  readMapAddress,
  rounded,
  writeMapAddress,
} from './place/address.ts';
import { runOutputOf } from '../service/run-output.ts';
import { type Box, viewCodeFor } from './place/boxes.ts';
import { createDistricts } from './units/districts.ts';
import { asLayerFailure, loadLayer, type MapSources } from './layers/read-layer.ts';
import type { LoadedLayer } from './layers/layer-model.ts';
import type { Reading } from './open-map.ts';
import type { DatasetFacts } from './layers/layer-requests.ts';
import { allDates } from './units/unit-series.ts';
import { inDistinctColours } from './layers/distinct-colours.ts';
import type { LayerProblem } from './words/words.ts';

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

/** The state of a map: layers, date, class and place. All of it can be written to an address. */
export function createMapState(sources: MapSources, query: string) {
  const start = readMapAddress(query);
  /** The rows with their stored styles; `rows` has what is shown. */
  const held = signal<readonly Row[]>([]);
  const hasDistinctColours = signal(start.hasDistinctColours === true);
  const rows = computed(() => (hasDistinctColours.value ? held.value.map(withDistinctColours) : held.value));
  const date = signal(start.date);
  const only = signal(start.only);
  const at = signal(start.at);
  const metresPerPixel = signal<number | undefined>(undefined);
  const pointer = signal<PointReading | undefined>(undefined);
  const announced = signal<PointReading | undefined>(undefined);
  const picked = signal<{ readonly id: string; readonly code: string } | undefined>(undefined);
  const baseFailed = signal(false);
  const backgroundFailed = signal(false);
  const readFailed = signal(false);
  const place = signal(start.place);
  const unit = signal(start.unit);
  const sheet = signal(start.sheet);
  const rated = signal<ReadonlySet<string>>(new Set(start.rated));
  const frame = signal<readonly (readonly [number, number])[] | undefined>(undefined);

  const layers = computed(() =>
    rows.value.flatMap(({ state, ...row }) =>
      state.kind === 'shown' ? [{ ...row, model: state.layer, only: onlyOf(row.id) }] : [],
    ),
  );
  const onlyOf = (id: string) => (only.value?.id === id ? only.value.index : undefined);
  /** The uppermost visible layer that is an output of a run, with its run: the source of explanations of a place. */
  const explained = computed(() => {
    for (const { model, isVisible } of layers.value) {
      const output = isVisible && model.kind === 'raster' ? runOutputOf(model.dataset.meta) : undefined;
      if (output !== undefined) return { ...output, dataset: model.dataset };
    }
    return undefined;
  });
  const units = computed(() => layers.value.flatMap(({ model }) => (model.kind === 'units' ? [model] : [])));
  const dates = computed(() => allDates(units.value.map(({ series }) => series)));
  /** The date that is drawn: the chosen one, or the last. */
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
      sheet: sheet.value,
      rated: listed.flatMap(({ id }) => (rated.value.has(id) ? [id] : [])),
      hasDistinctColours: hasDistinctColours.value,
    });
  });

  const change = (id: string, part: Partial<Row>) => {
    held.value = held.value.map((row) => (row.id === id ? { ...row, ...part } : row));
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
      const layer = await loadLayer(sources, id, { withRate: rated.peek().has(id) });
      change(id, { state: { kind: 'shown', layer } });
    } catch (error) {
      fail(id, error);
    }
  };
  let restyling = 0;
  /** Shows a layer in a style that is not stored; has no effect on a layer that is still loading. */
  const restyle = async (id: string, sld: string) => {
    restyling += 1;
    const own = restyling;
    const row = held.peek().find((one) => one.id === id);
    if (row?.state.kind !== 'shown') return;
    try {
      const layer = await row.state.layer.restyle(sld);
      // Another style may have been requested meanwhile.
      if (own === restyling) change(id, { state: { kind: 'shown', layer } });
    } catch (error) {
      if (own === restyling) fail(id, error);
    }
  };
  const open = (layersOf: MapAddress['layers']) => {
    const known = new Map(held.value.map((row) => [row.id, row]));
    held.value = layersOf.map((place) => ({ state: { kind: 'loading' }, ...known.get(place.id), ...place }));
    return layersOf.filter(({ id }) => !known.has(id)).map(async ({ id }) => await load(id));
  };
  const opening = Promise.all(open(start.layers));
  return {
    rows,
    /** True if colours for every kind of colour vision are shown. */
    hasDistinctColours,
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
    announced,
    picked,
    /** True if the borders below the data could not be read; setting it to false loads them again. */
    baseFailed,
    /** True if the background that the operator has set could not be read; setting it to false loads it again. */
    backgroundFailed,
    /** True if the last request for values failed. */
    readFailed,
    /** The place that is explained. */
    place,
    explained,
    /** KATO code of the unit that is outlined and shown. */
    unit,
    /** The map on paper that is being set up. */
    sheet,
    /** Its frame, a ring of longitudes and latitudes, if the sheet shows the view of the map. */
    frame,
    address,
    units,
    /** The layers that show rates. */
    rated,
    /** Shows the rates of a table instead of its values, or the values again. */
    async setRate(id: string, isOn: boolean) {
      const others = [...rated.value].filter((one) => one !== id);
      rated.value = new Set(isOn ? [...others, id] : others);
      // Values and rates have different classes.
      if (only.value?.id === id) only.value = undefined;
      const isWanted = () => rated.peek().has(id) === isOn;
      // The drawn layer stays until its replacement is loaded, and the focus stays with it.
      try {
        const layer = await loadLayer(sources, id, { withRate: isOn });
        if (isWanted()) change(id, { state: { kind: 'shown', layer } });
      } catch (error) {
        if (isWanted()) fail(id, error);
      }
    },
    /** Resolves when the layers of the first address are loaded or have failed. */
    opened: async () => void (await opening),
    load,
    restyle,
    fail,
    /** Adds a dataset as the uppermost layer. */
    async add(id: string) {
      if (held.value.some((row) => row.id === id)) return;
      held.value = [{ id, opacity: 1, isVisible: true, state: { kind: 'loading' } }, ...held.value];
      await load(id);
    },
    remove(id: string) {
      held.value = held.value.filter((row) => row.id !== id);
      if (only.value?.id === id) only.value = undefined;
      if (picked.value?.id === id) picked.value = undefined;
    },
    /** Moves a layer up (-1) or down (1). */
    move(id: string, step: -1 | 1) {
      const from = held.value.findIndex((row) => row.id === id);
      const row = held.value[from];
      const to = from + step;
      if (row === undefined || to < 0 || to >= held.value.length) return;
      held.value = held.value.toSpliced(from, 1).toSpliced(to, 0, row);
    },
    setOpacity: (id: string, opacity: number) => change(id, { opacity }),
    setVisible: (id: string, isVisible: boolean) => change(id, { isVisible }),
    /** Shows a class alone, or all classes again. */
    toggleClass(id: string, index: number) {
      const isOn = only.value?.id === id && only.value.index === index;
      only.value = isOn ? undefined : { id, index };
    },
    /** Explains a place, in degrees, if a visible layer is an output of a run. */
    explain(at: LonLat) {
      if (explained.peek() !== undefined) place.value = rounded(at);
    },
    moved(to: Place, metres: number) {
      at.value = to;
      metresPerPixel.value = metres;
    },
  };
}

function withDistinctColours(row: Row): Row {
  return row.state.kind === 'shown'
    ? { ...row, state: { kind: 'shown', layer: inDistinctColours(row.state.layer) } }
    : row;
}

let sources: MapSources | undefined;

/** The sources that all maps of this page share: one worker, one cache of borders. */
export function mapSources(): MapSources {
  sources ??= { rasters: sharedRasters(), districts: createDistricts() };
  return sources;
}
