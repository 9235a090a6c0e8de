import { existsSync, linkSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import gdal, { type Layer } from 'gdal-async';
import { shapefileProblems, shapefileRemedies, shapefileWarnings } from '../../../messages/shapefile.ts';
import { utf8 } from './charset/charset.ts';
import { chooseCharset } from './charset/choose.ts';
import { surveyDbf } from './dbf.ts';
import { createRenaming, readableNames, readFieldNames } from './field-names.ts';
import { countShapes } from './shape-index.ts';
import { isInForce } from '../../layers.ts';
import type { FindingsCollector } from '../../findings-collector.ts';
import { quietly } from '../../gdal/last-error.ts';
import { readLayer } from '../ogr/layer-features.ts';
import type { SourceCrs, SourceFeature, VectorFile } from '../features/vector-file.ts';
import { kindName } from '../ogr/wkb-kinds.ts';

/**
 * Opens the shapefile whose files are `input.shp`, `input.dbf` and so on in the scratch folder. GDAL reads its texts as
 * ISO-8859-1, which keeps every byte, and they are decoded here.
 * @throws {Problem}
 */
export function openShapefile(scratch: string, name: string, findings: FindingsCollector): VectorFile {
  const path = join(scratch, 'input.shp');
  const shapes = prepareIndex(scratch);
  const { choice, names, rows, rowsThere } = readTexts(scratch, findings);
  if (rows !== undefined && rows < shapes) throw shapefileProblems.differentCounts(rows, shapes);
  const shapeless = Math.max(0, rowsThere - shapes);
  if (shapeless > 0) findings.warn('rows_without_shape', shapefileWarnings.rowsWithoutShape(shapeless));
  gdal.config.set('SHAPE_ENCODING', 'ISO-8859-1');
  const layer = openLayer(path);
  // GDAL passes over a table that it cannot read.
  if (layer.fields.count() !== names.length) throw shapefileProblems.brokenTable();
  return {
    source: {
      driver: 'ESRI Shapefile',
      layer: name,
      layers: [
        { name, features: layer.features.count() + shapeless, geometry_types: [kindName(layer.geomType)] },
      ],
      encoding: choice?.charset.name ?? null,
      encoding_from: choice?.from ?? null,
    },
    crs: crsOf(layer, existsSync(join(scratch, 'input.prj'))),
    columns: names,
    *features({ geometry }) {
      const rename = createRenaming(names, choice?.charset ?? utf8);
      const renamed = (feature: SourceFeature) => ({
        ...feature,
        properties: feature.properties && rename(feature.properties),
      });
      const reading = { ...readingOf(path), withGeometry: geometry, scratch };
      for (const feature of readLayer(layer, reading)) yield renamed(feature);
      if (shapeless > 0) yield* readRowsAfter(shapes, scratch).map(renamed);
    },
  };
}

/** A shapefile has texts, and no JSON. */
const readingOf = (path: string) => ({ reopen: () => openLayer(path), jsonColumns: new Set<string>() });

/** Reads the rows of the table behind those that belong to shapes: GDAL reads all rows of a table that stands alone. */
function* readRowsAfter(shapes: number, scratch: string): Generator<SourceFeature, void, void> {
  const alone = join(scratch, 'rows.dbf');
  if (!existsSync(alone)) linkSync(join(scratch, 'input.dbf'), alone);
  const reading = { ...readingOf(alone), withGeometry: false, scratch };
  yield* readLayer(openLayer(alone), reading).drop(shapes);
}

/**
 * Sees to it that GDAL finds a `.shx` that is right, or makes one, which it does by walking from record to record; a
 * `.shp` in which it would never arrive is refused. Returns the number of shapes.
 */
function prepareIndex(scratch: string): number {
  const shapes = countShapes(scratch);
  gdal.config.set('SHAPE_RESTORE_SHX', shapes?.isIndexed === true ? 'NO' : 'YES');
  if (shapes !== undefined) return shapes.count;
  if (isInForce('file-checks')) throw shapefileProblems.brokenShapes();
  return 0;
}

/** Reads the charset, the names and the number of rows of the attribute table; nothing when there is no table. */
function readTexts(scratch: string, findings: FindingsCollector) {
  if (!existsSync(join(scratch, 'input.dbf')))
    return { choice: undefined, names: [], rows: undefined, rowsThere: 0 };
  const survey = surveyDbf(join(scratch, 'input.dbf'));
  if (survey === undefined) throw shapefileProblems.brokenTable();
  const { languageByte, evidence, rows, rowsThere } = survey;
  const [cpg, cst] = [takeText(scratch, 'cpg'), takeText(scratch, 'cst')];
  const choice = chooseCharset(cpg, cst, languageByte, evidence);
  const fullNames = readFieldNames(takeText(scratch, 'shp.xml') ?? '');
  const { names, truncated } = readableNames(survey.names, choice.charset, fullNames);
  if (choice.from === 'guess')
    findings.warn('encoding_guessed', shapefileWarnings.encodingGuessed(choice.charset.name));
  if (truncated.length > 0) findings.warn('names_truncated', shapefileWarnings.namesTruncated(truncated));
  return { choice, names, rows, rowsThere };
}

/** Reads the text beside a shapefile, out of GDAL's sight from now on. */
function takeText(scratch: string, extension: string): string | undefined {
  const path = join(scratch, `input.${extension}`);
  if (!existsSync(path)) return undefined;
  const taken = `${path}.taken`;
  renameSync(path, taken);
  return readFileSync(taken, 'utf8');
}

function openLayer(path: string): Layer {
  const dataset = quietly(() => gdal.open(path, 'r', ['ESRI Shapefile']));
  const layer = dataset && quietly(() => dataset.layers.get(0));
  if (layer === undefined) throw shapefileProblems.brokenShapes();
  return layer;
}

function crsOf(layer: Layer, hasPrj: boolean): SourceCrs {
  const srs = layer.srs;
  if (srs !== null && (srs.isGeographic() || srs.isProjected())) return { kind: 'wkt', wkt: srs.toWKT() };
  return { kind: 'none', remedy: shapefileRemedies[hasPrj ? 'wrongPrj' : 'noPrj'] };
}
