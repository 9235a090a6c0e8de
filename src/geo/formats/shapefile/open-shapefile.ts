import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import gdal, { type Layer, type Feature } from 'gdal-async';
import {
  featureProblems,
  shapefileProblems,
  shapefileRemedies,
  shapefileWarnings,
} from '../../../messages/vector/english.ts';
import { chooseCharset } from './charset/choose.ts';
import { readDbfRows, surveyDbf, readableNames, readFieldNames } from './dbf.ts';
import { openMultiPatches } from './multi-patches.ts';
import { countShapes } from './records.ts';
import type { FindingsCollector } from '../../gather-findings.ts';
import { quietly, lastError } from '../../gdal/last-error.ts';
import {
  positionsOf,
  type SourceCrs,
  type SourceFeature,
  type VectorFile,
  type SourceGeometry,
} from '../features/geometry.ts';
import { createHeightNotes } from '../features/heights.ts';
import { kindName, decodeParts } from '../ogr/wkb.ts';

/**
 * Opens the shapefile `input.shp`, `input.dbf` and so on in the scratch folder. GDAL reads the shapes; the table is
 * hidden from GDAL and read here, cell by cell.
 * @throws {Problem}
 */
export function openShapefile(scratch: string, name: string, findings: FindingsCollector): VectorFile {
  const path = join(scratch, 'input.shp');
  const shapes = prepareIndex(scratch);
  const table = openTable(scratch, findings);
  const rowsThere = table?.survey.header.rowsThere ?? 0;
  if (table !== undefined && rowsThere < shapes) throw shapefileProblems.differentCounts(rowsThere, shapes);
  const shapeless = Math.max(0, rowsThere - shapes);
  if (shapeless > 0) findings.warn('rows_without_shape', shapefileWarnings.rowsWithoutShape(shapeless));
  const layer = openLayer(path);
  return {
    source: {
      driver: 'ESRI Shapefile',
      layer: name,
      layers: [
        { name, features: layer.features.count() + shapeless, geometry_types: [kindName(layer.geomType)] },
      ],
      encoding: table?.choice.charset.name ?? null,
      encoding_from: table?.choice.from ?? null,
    },
    crs: crsOf(layer, join(scratch, 'input.prj')),
    columns: table?.columns ?? [],
    *features({ geometry }) {
      using patches = geometry ? openMultiPatches(path, join(scratch, 'input.shx')) : undefined;
      const reading = { withGeometry: geometry, geometryOf: patches?.geometryOf };
      if (table === undefined) yield* readShapes(layer, { ...reading, propertiesOf: () => noColumns });
      else yield* readFeatures(layer, table, { ...reading, shapes, findings });
    },
  };
}

const noColumns = Buffer.from('{}');

interface FeatureReading extends Pick<ShapeReading, 'withGeometry' | 'geometryOf'> {
  readonly shapes: number;
  readonly findings: FindingsCollector;
}

/** Yields shapes with their rows, then the rows without shapes; a deleted row deletes its shape. */
function* readFeatures(
  layer: Layer,
  { survey, choice, names }: Table,
  { withGeometry, geometryOf, shapes, findings }: FeatureReading,
): Generator<SourceFeature, void, void> {
  const rows = readDbfRows(survey, { charset: choice.charset, names, findings });
  if (withGeometry) {
    let next = 0;
    const propertiesOf = (fid: number): Buffer | 'deleted' => {
      let row = rows.next();
      for (next += 1; next <= fid && row.done !== true; next += 1) row = rows.next();
      return row.value ?? 'deleted';
    };
    yield* readShapes(layer, { withGeometry, propertiesOf, geometryOf });
    for (; next < shapes; next += 1) rows.next();
  }
  for (const properties of rows) if (properties !== undefined) yield { properties, geometry: undefined };
}

/**
 * Ensures that GDAL finds a correct `.shx`, or creates one by walking from record to record; refuses a `.shp` in which
 * that would not end. Returns the number of shapes.
 */
function prepareIndex(scratch: string): number {
  const shapes = countShapes(scratch);
  gdal.config.set('SHAPE_RESTORE_SHX', shapes?.isIndexed === true ? 'NO' : 'YES');
  if (shapes === undefined) throw shapefileProblems.brokenShapes();
  return shapes.count;
}

type Table = Exclude<ReturnType<typeof openTable>, undefined>;

/** Determines charset and columns of the attribute table; undefined without a table. */
function openTable(scratch: string, findings: FindingsCollector) {
  const path = takeFile(scratch, 'dbf');
  if (path === undefined) return undefined;
  const survey = surveyDbf(path);
  if (survey === undefined) throw shapefileProblems.brokenTable();
  if (survey === 'dBase 7') throw shapefileProblems.tableOfDBase7();
  const [cpg, cst] = [takeText(scratch, 'cpg'), takeText(scratch, 'cst')];
  const choice = chooseCharset(cpg, cst, survey.header.languageByte, survey.evidence);
  warnOfEncoding(choice, findings);
  const fullNames = readFieldNames(takeText(scratch, 'shp.xml') ?? '');
  const raw = survey.columns.map((field) => field.name);
  const { names, truncated } = readableNames(raw, choice.charset, fullNames);
  if (truncated.length > 0) findings.warn('names_truncated', shapefileWarnings.namesTruncated(truncated));
  const isRead = (index: number) => {
    const field = survey.columns[index];
    return field !== undefined && !survey.unreadable.has(field);
  };
  const leftOut = names.filter((_, index) => !isRead(index));
  if (leftOut.length > 0) findings.warn('columns_left_out', shapefileWarnings.columnsLeftOut(leftOut));
  return { survey, choice, names, columns: names.filter((_, index) => isRead(index)) };
}

function warnOfEncoding(
  { charset, from, overruled, unknown }: ReturnType<typeof chooseCharset>,
  findings: FindingsCollector,
): void {
  for (const said of overruled) {
    const message = shapefileWarnings.encodingOverruled(said.from, said.name, charset.name);
    findings.warn('encoding_overruled', message);
  }
  if (from !== 'guess' || overruled.length > 0) return;
  const message =
    unknown === undefined
      ? shapefileWarnings.encodingGuessed(charset.name)
      : shapefileWarnings.encodingUnknown(unknown, charset.name);
  findings.warn('encoding_guessed', message);
}

/** Hides a file beside a shapefile from GDAL. */
function takeFile(scratch: string, extension: string): string | undefined {
  const path = join(scratch, `input.${extension}`);
  if (!existsSync(path)) return undefined;
  const taken = `${path}.taken`;
  renameSync(path, taken);
  return taken;
}

function takeText(scratch: string, extension: string): string | undefined {
  const path = takeFile(scratch, extension);
  return path === undefined ? undefined : readFileSync(path, 'utf8');
}

function openLayer(path: string): Layer {
  const dataset = quietly(() => gdal.open(path, 'r', ['ESRI Shapefile']));
  const layer = dataset && quietly(() => dataset.layers.get(0));
  if (layer === undefined) throw shapefileProblems.brokenShapes();
  return layer;
}

function crsOf(layer: Layer, prjPath: string): SourceCrs {
  const srs = layer.srs;
  if (srs !== null && (srs.isGeographic() || srs.isProjected())) return { kind: 'wkt', wkt: srs.toWKT() };
  if (!existsSync(prjPath)) return { kind: 'none', remedy: shapefileRemedies.noPrj, isStated: false };
  const wkt = readPrj(readFileSync(prjPath));
  if (wkt !== undefined) return { kind: 'wkt', wkt };
  return { kind: 'none', remedy: shapefileRemedies.wrongPrj, isStated: true };
}

/** Sources of the parts of a feature. */
export interface ShapeReading {
  readonly withGeometry: boolean;
  /** A deleted feature is skipped. */
  readonly propertiesOf: (fid: number) => Buffer | undefined | 'deleted';
  /** Reads geometry that GDAL's binding does not support. */
  readonly geometryOf: ((fid: number) => SourceGeometry | undefined) | undefined;
}

/**
 * Reads the shapes of a layer with GDAL, one by one; `propertiesOf` returns the properties by the feature's number in
 * the file (GDAL's `fid`).
 * @throws {Problem} if a part of the layer cannot be read.
 */
export function* readShapes(
  layer: Layer,
  { withGeometry, propertiesOf, geometryOf = () => undefined }: ShapeReading,
): Generator<SourceFeature, void, void> {
  let number = 0;
  for (let feature = nextFeature(layer, 0); feature !== null; feature = nextFeature(layer, number)) {
    number += 1;
    const { fid } = feature;
    const properties = propertiesOf(fid);
    const isWanted = withGeometry && properties !== 'deleted';
    const geometry = isWanted ? (geometryOf(fid) ?? takeGeometry(feature, number)) : undefined;
    feature.destroy();
    if (properties !== 'deleted') yield { properties, geometry };
  }
}

/** Reads the feature after `number`; null at the end. @throws {Problem} if GDAL cannot read it. */
function nextFeature(layer: Layer, number: number): Feature | null {
  const feature =
    quietly<Feature | null>(() => (number === 0 ? layer.features.first() : layer.features.next())) ?? null;
  const failure = lastError();
  if (failure !== undefined) throw featureProblems.unreadable(number + 1).because(failure);
  return feature;
}

function takeGeometry(feature: Feature, number: number): SourceGeometry | undefined {
  const geometry = quietly(() => feature.getGeometry());
  if (geometry === undefined) throw featureProblems.unreadable(number);
  if (geometry === null) return undefined;
  const wkb = geometry.toWKB('LSB', 'ISO');
  let leftOut = 0;
  const heights = createHeightNotes();
  const parts = decodeParts(wkb, { leaveOut: () => (leftOut += 1), heights });
  return {
    type: kindName(wkb.readUInt32LE(1)),
    parts,
    leftOut,
    isFlattened: false,
    heights: heights.finish(positionsOf(parts)),
    isHigh: heights.isHigh(),
  };
}

/**
 * Parses the coordinate reference system of a `.prj` that GDAL does not support: GDAL expects the WKT of Esri in UTF-8,
 * but programs also write WKT 2, a PROJ string or an EPSG code, sometimes in UTF-16.
 * @returns WKT; undefined for any other text, and for a system that is not on the earth.
 */
function readPrj(bytes: Uint8Array): string | undefined {
  const text = decode(bytes).trim();
  const epsg = /^(?:urn:ogc:def:crs:)?EPSG:(?::|[\d.]+:)?(\d{4,6})$/i.exec(text)?.[1];
  const srs = quietly(() => {
    if (epsg !== undefined) return gdal.SpatialReference.fromEPSG(Number(epsg));
    if (text.startsWith('+')) return namesFile(text) ? undefined : gdal.SpatialReference.fromProj4(text);
    // GDAL translates Esri's names to those of EPSG; it supports WKT 2 directly.
    return isWkt2(text) ? gdal.SpatialReference.fromWKT(text) : gdal.SpatialReference.fromESRI([text]);
  });
  return srs !== undefined && (srs.isGeographic() || srs.isProjected()) ? srs.toWKT() : undefined;
}

/** References to grids, definitions and pipelines in other files are refused. `@null` means no grid. */
const namesFile = (text: string) =>
  /\+(?:(?:\w*grids?|init|file)\s*=\s*(?!@null\b)|proj\s*=\s*pipeline)/i.test(text);

const isWkt2 = (text: string) =>
  /^(?:GEOD|GEOG|PROJ|COMPOUND|BOUND|GEODETIC|PROJECTED|GEOGRAPHIC)(?:CRS)\s*[[(]/i.test(text);

/** By its byte-order mark, or else by its zeros: every second byte of a text in UTF-16. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isLittle = (first === 0xff && second === 0xfe) || second === 0;
  const isBig = (first === 0xfe && second === 0xff) || first === 0;
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(bytes);
}
