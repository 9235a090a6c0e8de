import OlMap from 'ol/Map.js';
import View from 'ol/View.js';
import { defaults as interactionsWith } from 'ol/interaction.js';
import type BaseLayer from 'ol/layer/Base.js';
import { containsCoordinate } from 'ol/extent.js';
import { fromLonLat, getPointResolution, toLonLat, transformExtent } from 'ol/proj.js';
import type { RasterClient } from '../raster/client.ts';
import type { ViewCode } from '../raster/projection.ts';
import type { LonLat, Place } from './place/address.ts';
import type TileLayer from 'ol/layer/Tile.js';
import { createBackground, createBase } from './base.ts';
import type { Box } from './place/boxes.ts';
import type { Districts, Level } from './units/districts.ts';
import type { LoadedLayer } from './layers/layer-model.ts';
import { createMarks } from './layers/marks.ts';
import { createRasterLayer } from './layers/raster-layer.ts';
import { dateIndex, valuesAt } from './units/unit-series.ts';
import { createUnitLayer } from './layers/unit-layer.ts';
import { createUnitOutline } from './layers/marks.ts';
import { countryExtent, registerViews, resolutionsOf } from './place/views.ts';

/** A layer, and the way to show it. */
export interface ShownLayer {
  readonly model: LoadedLayer;
  readonly opacity: number;
  readonly isVisible: boolean;
  readonly only: number | undefined;
}

/** The value of a layer at a point; undefined for no data. */
export interface Reading {
  readonly id: string;
  readonly value: number | string | undefined;
  /** KATO code of the unit that the point is in. */
  readonly code?: string;
  /** Values of all bands, if they are colours. */
  readonly bands?: readonly number[];
}

export interface MapOptions {
  readonly target: HTMLElement;
  readonly view: ViewCode;
  readonly at: Place | undefined;
  readonly rasters: RasterClient;
  readonly districts: Districts;
  /** True while layers load; the base map is drawn after them. */
  readonly waitsForLayers: boolean;
  /** True if the wheel zooms the map instead of scrolling the page. */
  readonly wheelZooms: boolean;
  /** Called after each move, with the metres per pixel at the centre. */
  readonly onMoved: (place: Place, metresPerPixel: number) => void;
  readonly onPointer?: (point: number[] | undefined) => void;
  readonly onClick: (point: number[]) => void;
  readonly onLayerFailure: (id: string, error: unknown) => void;
  readonly onBase?: (isFailed: boolean) => void;
  readonly onBackgroundFailure?: () => void;
}

interface DrawnLayer {
  readonly layer: BaseLayer;
  readonly model: LoadedLayer;
  readonly showOnly: (index: number | undefined) => void;
  readonly showDate: (date: string | undefined) => void;
  readonly update: (resolution: number) => Promise<void>;
  readonly codeAt: (point: number[]) => string | undefined;
  only: number | undefined;
}

const noop = () => undefined;
/** The behaviour of a layer without classes, dates or units. */
const unchanging = { showOnly: noop, showDate: noop, update: async () => undefined, codeAt: noop };
/** The longest time that the base map waits for layers. */
const baseAfterMs = 1000;

/** Opens a map in an element that has a size. */
export function openMap(options: MapOptions) {
  registerViews();
  const { target, view: code, at, rasters, districts } = options;
  const motion = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 200;
  const view = new View({
    projection: code,
    resolutions: resolutionsOf(code),
    constrainResolution: false,
    showFullExtent: true,
    center: fromLonLat(at === undefined ? [67, 48] : [at.lon, at.lat], code),
    zoom: at?.zoom ?? 4,
  });
  const base = createBase(code, districts, (isFailed) => options.onBase?.(isFailed));
  const interactions = interactionsWith({
    mouseWheelZoom: options.wheelZooms,
    altShiftDragRotate: false,
    pinchRotate: false,
  });
  const marks = createMarks(code);
  const outline = createUnitOutline(code, districts);
  const map = new OlMap({ target, view, layers: [marks.layer, outline.layer], controls: [], interactions });
  const drawn = new Map<string, DrawnLayer>();
  let date: string | undefined;

  const draw = (model: LoadedLayer): DrawnLayer => {
    const onFailure = (error: unknown) => options.onLayerFailure(model.dataset.id, error);
    const common = { ...unchanging, model, only: undefined };
    switch (model.kind) {
      case 'raster':
        return {
          ...common,
          ...createRasterLayer({ view: code, rasters, model, only: undefined, onFailure }),
        };
      case 'units':
        return { ...common, ...createUnitLayer(code, districts, model, onFailure) };
      default:
        return { ...common, ...model.createLayer(code) };
    }
  };
  let hasBase = false;
  let background: TileLayer | undefined;
  const update = async () => {
    const resolution = view.getResolution() ?? 1;
    await Promise.all([
      hasBase && base.update(resolution),
      ...[...drawn.values()].map(async (layer) => await layer.update(resolution)),
    ]);
  };
  const reportMove = () => {
    const centre = view.getCenter();
    const resolution = view.getResolution();
    if (centre === undefined || resolution === undefined) return;
    const [lon = 0, lat = 0] = toLonLat(centre, code);
    options.onMoved(
      { lat, lon, zoom: view.getZoom() ?? 0 },
      getPointResolution(code, resolution, centre, 'm'),
    );
    void update();
  };
  map.on('moveend', reportMove);
  map.on('pointermove', (event) => options.onPointer?.(event.dragging ? undefined : event.coordinate));
  map.on('singleclick', ({ coordinate }) => options.onClick(coordinate));
  const leave = () => options.onPointer?.(undefined);
  target.addEventListener('pointerleave', leave);
  /** Data are drawn first: the base map would delay their first picture. */
  const showBase = () => {
    if (hasBase) return;
    hasBase = true;
    for (const layer of base.layers) map.addLayer(layer);
    if (background !== undefined) map.addLayer(background);
    void update();
  };
  const baseTimer = setTimeout(showBase, options.waitsForLayers ? baseAfterMs : 0);

  const readLayer = async ({ model, codeAt }: DrawnLayer, point: number[]): Promise<Reading | undefined> => {
    const [x = Number.NaN, y = Number.NaN] = point;
    const { id } = model.dataset;
    if (model.kind === 'raster') {
      const [column, row] = model.place.pixel(code, x, y);
      const bands = await rasters.peek({ url: model.url, column, row });
      if (bands === undefined) return undefined;
      if (model.paint.kind === 'bands') return { id, value: undefined, bands };
      const value = bands[model.paint.band - 1];
      return { id, value: value === undefined || Number.isNaN(value) ? undefined : value };
    }
    if (model.kind === 'vector') return undefined;
    const unit = codeAt(point);
    if (unit === undefined) return undefined;
    return { id, code: unit, value: valuesAt(model.series, dateIndex(model.series, date)).get(unit) };
  };
  let wantedUnit: string | undefined;
  return {
    /** Marks a place, and moves the map to it if it is out of sight. */
    showPlace(at: LonLat | undefined) {
      marks.showPlace(at);
      if (at === undefined) return;
      const point = fromLonLat([at.lon, at.lat], code);
      const size = map.getSize();
      if (size !== undefined && !containsCoordinate(view.calculateExtent(size), point)) view.setCenter(point);
    },
    showFrame: marks.showFrame,
    /** Outlines a unit by its KATO code, and moves the map to it unless it was clicked on the map. */
    async showUnit(kato: string | undefined, isHere: boolean) {
      wantedUnit = kato;
      const found = await outline.show('district', kato);
      // Another unit may have been chosen meanwhile.
      if (wantedUnit !== kato) return;
      const extent = found ?? (await outline.show('region', kato));
      if (extent !== undefined && !isHere) view.fit([...extent], { padding: [32, 32, 48, 32] });
    },
    /** Outlines a unit of a level, or none. @throws {Refused} when borders cannot be read */
    async outlineUnit(level: Level, kato: string | undefined) {
      await outline.show(level, kato);
    },
    /** The unit of a level in which a point lies. */
    unitAt: async (point: number[], level: Level) => await outline.codeAt(level, point),
    /** Shows these layers, the first uppermost. */
    setLayers(layers: readonly ShownLayer[]) {
      const wanted = new Map(layers.map((shown) => [shown.model.dataset.id, shown]));
      for (const [id, { layer, model }] of drawn) {
        if (wanted.get(id)?.model === model) continue;
        map.removeLayer(layer);
        drawn.delete(id);
      }
      if (layers.length > 0 && !hasBase) map.once('rendercomplete', showBase);
      for (const [index, { model, opacity, isVisible, only }] of layers.entries()) {
        const { id } = model.dataset;
        let one = drawn.get(id);
        if (one === undefined) {
          one = draw(model);
          one.showDate(date);
          drawn.set(id, one);
          map.addLayer(one.layer);
        }
        one.layer.setZIndex(10 + layers.length - index);
        one.layer.setOpacity(opacity * (model.kind === 'raster' ? model.opacity : 1));
        one.layer.setVisible(isVisible);
        if (one.only !== only) {
          one.only = only;
          one.showOnly(only);
        }
      }
      void update();
    },
    /** Adds a layer that is not a dataset; the base map follows after it is drawn. */
    addLayer(layer: BaseLayer) {
      if (!hasBase) map.once('rendercomplete', showBase);
      map.addLayer(layer);
    },
    /** Draws tiles from a URL below the data. */
    setBackground(url: string | undefined) {
      if (background !== undefined) map.removeLayer(background);
      background =
        url === undefined ? undefined : createBackground(url, () => options.onBackgroundFailure?.());
      if (background !== undefined && hasBase) map.addLayer(background);
    },
    /** Reloads the parts of the base map and the background that have failed. */
    refresh() {
      background?.getSource()?.refresh();
      void update();
    },
    showDate(start: string | undefined) {
      date = start;
      for (const layer of drawn.values()) layer.showDate(start);
    },
    /** Shows a box, or the whole country. */
    fit(box: Box | undefined) {
      const extent =
        box === undefined ? countryExtent(code) : transformExtent([...box], 'EPSG:4326', code, 16);
      if (!extent.every(Number.isFinite)) return;
      view.fit(extent, { padding: [24, 24, 48, 24], maxZoom: 17 });
    },
    zoomBy: (steps: number) => view.animate({ zoom: (view.getZoom() ?? 0) + steps, duration: motion }),
    centre: () => view.getCenter() ?? [0, 0],
    lonLatOf: (point: number[]) => toLonLat(point, code),
    /** Reads the values of all visible layers at a point, the uppermost first. */
    async readAt(point: number[]): Promise<readonly Reading[]> {
      const visible = [...drawn.values()].filter(({ layer }) => layer.getVisible());
      const ordered = visible.toSorted((a, b) => (b.layer.getZIndex() ?? 0) - (a.layer.getZIndex() ?? 0));
      const readings = await Promise.all(ordered.map(async (layer) => await readLayer(layer, point)));
      return readings.filter((reading) => reading !== undefined);
    },
    close() {
      clearTimeout(baseTimer);
      target.removeEventListener('pointerleave', leave);
      map.setTarget(undefined);
      map.dispose();
    },
  };
}

export type OpenMap = ReturnType<typeof openMap>;
