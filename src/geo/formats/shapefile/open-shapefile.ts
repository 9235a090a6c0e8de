import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import gdal, { type Layer } from 'gdal-async';
import { Problem } from '../../../common/errors.ts';
import { listed } from '../../../common/readable.ts';
import { utf8, type Charset } from './charset/charset.ts';
import { chooseCharset, type CharsetChoice } from './charset/choose.ts';
import { surveyDbf } from './dbf.ts';
import { readableNames, type FieldNames } from './field-names.ts';
import { readFieldNames } from './metadata.ts';
import { countConsecutive, countIndexed } from './records.ts';
import { isInForce } from '../../layers.ts';
import type { FindingsCollector } from '../../findings-collector.ts';
import { quietly } from '../../gdal/last-error.ts';
import { readLayer } from '../ogr/layer-features.ts';
import { createRenaming } from './renaming.ts';
import type { SourceCrs, VectorFile } from '../features/vector-file.ts';
import { kindName } from '../ogr/wkb.ts';

/**
 * Opens the shapefile whose files are `input.shp`, `input.dbf` and so on in the scratch folder. GDAL reads its texts as
 * ISO-8859-1, which keeps every byte, and they are decoded here.
 * @throws {Problem}
 */
export function openShapefile(scratch: string, name: string, findings: FindingsCollector): VectorFile {
  const path = join(scratch, 'input.shp');
  const shapes = prepareIndex(scratch);
  const { choice, fields, rows } = readTexts(scratch, findings);
  if (rows !== undefined && rows < shapes) throw unlikeCounts(rows, shapes);
  gdal.config.set('SHAPE_ENCODING', 'ISO-8859-1');
  const layer = openLayer(path);
  // GDAL passes over a table that it can not read.
  if (layer.fields.count() !== fields.names.length) throw damagedTable();
  const type = kindName(layer.geomType);
  return {
    source: {
      driver: 'ESRI Shapefile',
      layer: name,
      layers: [{ name, features: layer.features.count(), geometry_types: [type] }],
      encoding: choice?.charset.name ?? null,
      encoding_from: choice?.from ?? null,
    },
    crs: crsOf(layer, existsSync(join(scratch, 'input.prj'))),
    columns: fields.names,
    *features({ geometry }) {
      const rename = createRenaming(fields.names, choice?.charset ?? utf8);
      for (const feature of readLayer(layer, { geometry, scratch })) {
        yield { ...feature, properties: feature.properties && rename(feature.properties) };
      }
    },
  };
}

/**
 * Sees to it that GDAL finds a `.shx` that is right, or makes one, which it does by walking from record to record; a
 * `.shp` in which it would never arrive is refused. Returns the number of shapes.
 */
function prepareIndex(scratch: string): number {
  const [shp, shx] = [join(scratch, 'input.shp'), join(scratch, 'input.shx')];
  const indexed = existsSync(shx) ? countIndexed(shx, shp) : undefined;
  gdal.config.set('SHAPE_RESTORE_SHX', indexed === undefined ? 'YES' : 'NO');
  const shapes = indexed ?? countConsecutive(shp);
  if (shapes !== undefined) return shapes;
  if (isInForce('file-checks')) throw damagedShapes();
  return 0;
}

/** Of the attribute table the charset, the names and the number of rows; nothing when there is no table. */
function readTexts(
  scratch: string,
  findings: FindingsCollector,
): {
  readonly choice: CharsetChoice | undefined;
  readonly fields: FieldNames;
  readonly rows: number | undefined;
} {
  if (!existsSync(join(scratch, 'input.dbf')))
    return { choice: undefined, fields: { names: [], truncated: [] }, rows: undefined };
  const survey = surveyDbf(join(scratch, 'input.dbf'));
  if (survey === undefined) throw damagedTable();
  const choice = chooseCharset({
    cpg: takeText(scratch, 'cpg'),
    cst: takeText(scratch, 'cst'),
    languageByte: survey.languageByte,
    evidence: survey.evidence,
  });
  const fields = readableNames(
    survey.names,
    choice.charset,
    readFieldNames(takeText(scratch, 'shp.xml') ?? ''),
  );
  if (choice.from === 'guess') warnOfGuess(choice.charset, findings);
  if (fields.truncated.length > 0) warnOfNames(fields.truncated, findings);
  return { choice, fields, rows: survey.rows };
}

/** The text beside a shapefile, out of GDAL's sight from now on. */
function takeText(scratch: string, part: string): string | undefined {
  const path = join(scratch, `input.${part}`);
  if (!existsSync(path)) return undefined;
  const taken = `${path}.taken`;
  renameSync(path, taken);
  return readFileSync(taken, 'utf8');
}

function openLayer(path: string): Layer {
  const dataset = quietly(() => gdal.open(path, 'r', ['ESRI Shapefile']));
  const layer = dataset && quietly(() => dataset.layers.get(0));
  if (layer === undefined) throw damagedShapes();
  return layer;
}

function damagedShapes(): Problem {
  return damaged('its .shp file can not be read');
}

function damagedTable(): Problem {
  return damaged('its .dbf file can not be read');
}

function unlikeCounts(rows: number, shapes: number): Problem {
  return damaged(`its .dbf file has ${rows} rows, its .shp file ${shapes} shapes`);
}

function damaged(why: string): Problem {
  return new Problem(
    'invalid',
    `The shapefile in the archive is damaged: ${why}. Export it again from its source and upload it again.`,
  );
}

function crsOf(layer: Layer, hasPrj: boolean): SourceCrs {
  const srs = layer.srs;
  if (srs !== null && (srs.isGeographic() || srs.isProjected())) return { kind: 'wkt', wkt: srs.toWKT() };
  const remedy = hasPrj
    ? 'its .prj file names no coordinate reference system that is understood here; put the right one into the archive'
    : 'the archive has no .prj file that says in which coordinate reference system they are; add it';
  return { kind: 'none', remedy };
}

function warnOfGuess(charset: Charset, findings: FindingsCollector): void {
  findings.warn(
    'encoding_guessed',
    `Nothing says in which encoding the texts are; by their letters they were read as ${charset.name}. Add a .cpg file to the archive to be sure.`,
  );
}

function warnOfNames(truncated: readonly string[], findings: FindingsCollector): void {
  findings.warn(
    'names_truncated',
    `A .dbf file holds ten bytes of a column's name. Mended were: ${listed(truncated)}.`,
  );
}
