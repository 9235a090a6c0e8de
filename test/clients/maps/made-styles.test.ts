import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readChoice } from '../../../console/src/style/choice.ts';
import { distributionOfNumbers } from '../../../console/src/style/distribution.ts';
import { drawingOf, unordered, valuesOf } from '../../../console/src/style/drawing.ts';
import { writeQml } from '../../../console/src/style/qml-write.ts';
import { writeSld } from '../../../console/src/style/sld-write.ts';
import { installDebianPackages } from '../../../scripts/debian-packages.ts';
import { colouringOf } from '../../../common/maps/raster/colouring.ts';
import { rawColoursOf } from '../../../common/maps/raster/raw-colours.ts';
import { cssOf } from '../../../common/maps/style/colour-map.ts';
import { readSld, takenRules } from '../../../common/maps/style/sld-read.ts';
import { temporaryFolder } from '../../support/for-tests.ts';
import { writeRaster } from '../../support/geo/geotiffs.ts';

installDebianPackages(['gdal-bin', 'python3-gdal', 'python3-qgis', 'qgis-providers']);

const program = join(import.meta.dirname, 'made-styles-program.py');
const folder = await temporaryFolder();
const first = { kind: 'classes', ramp: 'ylgn' } as const;
const chosen = (query: string) => readChoice(new URLSearchParams(query), first);
const oneTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

type DataType = 'Int16' | 'Float32' | 'Float64';
const types = {
  Int16: { format: 2, bits: 16 },
  Float32: { format: 3, bits: 32 },
  Float64: { format: 3, bits: 64 },
} as const;

/** A number and its neighbours among the values of a pixel type. */
function around(bound: number, type: DataType): readonly number[] {
  if (type === 'Int16') return [bound - 1, bound, bound + 1].map(Math.round);
  if (type === 'Float64') return [bound * (1 - 1e-9), bound, bound * (1 + 1e-9)];
  const float = Float32Array.of(bound);
  const bits = new Int32Array(float.buffer);
  return [-1, 0, 1].map((step) => {
    const next = Int32Array.of((bits[0] ?? 0) + step);
    return new Float32Array(next.buffer)[0] ?? bound;
  });
}

interface RasterCase {
  readonly name: string;
  readonly type: DataType;
  readonly query: string;
  readonly values: readonly number[];
}

const tenths = oneTo(300).map((value) => value / 10);
const rasterCases: readonly RasterCase[] = [
  { name: 'whole values by quantiles', type: 'Int16', query: 'classes=7', values: oneTo(300) },
  { name: 'whole values below zero', type: 'Int16', query: 'by=own&breaks=-100;0;1', values: [-300, 300] },
  { name: 'floats by hand', type: 'Float32', query: 'by=own&breaks=0.1;0.3;7.7', values: tenths },
  {
    name: 'floats by natural breaks',
    type: 'Float32',
    query: 'by=natural&classes=9&ramp=puor',
    values: tenths,
  },
  {
    name: 'tiny doubles',
    type: 'Float64',
    query: 'by=equal&classes=4',
    values: tenths.map((value) => value * 1e-9),
  },
  {
    name: 'huge doubles',
    type: 'Float64',
    query: 'classes=5&reversed=1',
    values: tenths.map((value) => value * 1e12),
  },
  {
    name: 'a colour for each value',
    type: 'Int16',
    query: 'kind=values&ramp=different',
    values: [1, 2, 21, 22, 30],
  },
  { name: 'a ramp', type: 'Float32', query: 'kind=ramp&ramp=cividis&from=2&to=28', values: tenths },
];

const madeRasters = rasterCases.map(({ name, type, query, values }, index) => {
  const distribution = distributionOfNumbers(values) ?? assert.fail();
  const drawing = drawingOf(chosen(query), distribution);
  const grain = { ...types[type], scale: 1, offset: 0 };
  const bounds = drawing.kind === 'classes' ? drawing.bounds : [];
  const pixels = [...bounds.flatMap((bound) => around(bound, type)), ...values.slice(0, 300)];
  const sld = writeSld({ kind: 'raster', title: `${name} <&>`, grain }, drawing);
  const { raster, undrawn } = readSld(sld);
  assert.deepEqual(undrawn, [], name);
  const colours = raster?.colours ?? assert.fail(name);
  const paths = {
    raster: join(folder, `${index}.tif`),
    sld: join(folder, `${index}.sld`),
    qml: join(folder, `${index}.qml`),
  };
  writeRaster(paths.raster, {
    width: pixels.length + 1,
    height: 1,
    affine: [70, 0.01, 0, 50, 0, -0.01],
    epsg: 4326,
    dataType: type,
    noData: -9999,
    value: (column: number) => pixels[column] ?? -9999,
  });
  writeFileSync(paths.sld, sld);
  writeFileSync(paths.qml, writeQml(colours, { band: 1, opacity: 1 }));
  const stored = Float64Array.from(pixels, (value) => (type === 'Float32' ? Math.fround(value) : value));
  const painted = new Uint32Array(pixels.length);
  colouringOf(rawColoursOf(colours, { type: types[type], scale: 1, offset: 0 }))(stored, painted);
  const bytes = new Uint8Array(painted.buffer);
  const ours = [...painted.keys()].map((at) =>
    cssOf([bytes[4 * at] ?? 0, bytes[4 * at + 1] ?? 0, bytes[4 * at + 2] ?? 0, 255]),
  );
  return { name, isRamp: drawing.kind === 'ramp', paths, ours: [...ours, null], bounds, pixels, drawing };
});

const tables = [
  {
    name: 'numbers',
    drawing: drawingOf(chosen('by=own&breaks=-1;0.1;5'), distributionOfNumbers(oneTo(9)) ?? assert.fail()),
    values: [-1.0000001, -1, 0, 0.09999999, 0.1, 4.9999, 5, 1e12, null],
  },
  {
    name: 'one number',
    drawing: drawingOf(chosen(''), distributionOfNumbers([4, 4]) ?? assert.fail()),
    values: [4, null],
  },
  {
    name: 'words',
    drawing: valuesOf(['чернозём', "l'eau"], unordered),
    values: ['чернозём', "l'eau", 'other', null],
  },
].map(({ name, drawing, values }) => {
  const sld = writeSld({ kind: 'units', title: name }, drawing);
  const paths = { polygons: join(folder, `${name}.geojson`), sld: join(folder, `${name}.sld`) };
  const features = values.map((value, index) => ({
    type: 'Feature',
    properties: { value },
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [index, 0],
          [index + 1, 0],
          [index, 1],
          [index, 0],
        ],
      ],
    },
  }));
  writeFileSync(paths.polygons, JSON.stringify({ type: 'FeatureCollection', features }));
  writeFileSync(paths.sld, sld);
  const { rules } = readSld(sld);
  const ours = values.map((value) => {
    const fill = takenRules(rules, { value }, 1e6).at(-1)?.signs[0]?.fill;
    return fill === undefined ? null : cssOf(fill);
  });
  return { name, paths, ours };
});

interface Seen {
  readonly qgis: readonly (string | null)[];
  readonly geoserver: readonly (string | null)[];
  readonly written: readonly (readonly [quantity: string, colour: string])[];
}

const input = JSON.stringify({
  rasters: madeRasters.map(({ paths }) => paths),
  polygons: tables.map(({ paths }) => paths),
});
const env = {
  PATH: process.env['PATH'] ?? '',
  HOME: folder,
  XDG_RUNTIME_DIR: folder,
  QT_QPA_PLATFORM: 'offscreen',
};
const shown = execFileSync('/usr/bin/python3', [program], { cwd: folder, env, input, encoding: 'utf8' });
const seen: { readonly rasters: readonly Seen[]; readonly polygons: readonly Seen[] } = JSON.parse(shown);

/** Greatest difference between the channels of two colours. */
function distance(one: string | null, other: string | null): number {
  if (one === null || other === null) return one === other ? 0 : 255;
  const parts = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return Math.max(...parts(one).map((part, index) => Math.abs(part - (parts(other)[index] ?? 0))));
}

describe('a style made in the page', () => {
  for (const [index, { name, isRamp, ours, drawing }] of madeRasters.entries())
    test(`has the same colours here, in QGIS and by the rules of GeoServer: ${name}`, () => {
      const { qgis, geoserver, written } = seen.rasters[index] ?? assert.fail();
      assert.ok(ours.length > 5);
      if (isRamp) {
        // A picture with a palette has about thirty shades between two stops.
        for (const [at, colour] of ours.entries()) {
          assert.ok(distance(colour, qgis[at] ?? null) <= 2, `${at}: ${colour} ${qgis[at]}`);
          assert.ok(distance(colour, geoserver[at] ?? null) <= 2, `${at}: ${colour} ${geoserver[at]}`);
        }
        return;
      }
      assert.deepEqual(qgis, ours);
      assert.deepEqual(geoserver, ours);
      const colours =
        drawing.kind === 'ramp'
          ? drawing.stops
          : drawing.kind === 'classes'
            ? drawing.colours
            : drawing.entries;
      assert.equal(new Set(ours).size, colours.length + 1);
      assert.equal(written.length, colours.length);
    });

  for (const [index, { name, ours }] of tables.entries())
    test(`has the same colours of polygons everywhere: ${name}`, () => {
      const { qgis, geoserver } = seen.polygons[index] ?? assert.fail();
      assert.deepEqual(qgis, ours);
      assert.deepEqual(geoserver, ours);
    });
});
