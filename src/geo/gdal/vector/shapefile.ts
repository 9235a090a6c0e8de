import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import gdal, { type Layer } from 'gdal-async';
import { Problem } from '../../../errors.ts';
import { utf8, type Charset } from '../../charset/charset.ts';
import { chooseCharset, type CharsetChoice } from '../../charset/choose.ts';
import { surveyDbf } from '../../shapefile/dbf.ts';
import { readableNames, type FieldNames } from '../../shapefile/field-names.ts';
import { readFieldNames } from '../../shapefile/metadata.ts';
import type { FindingsCollector } from '../findings-collector.ts';
import { quietly } from './last-error.ts';
import { readLayer } from './layer-features.ts';
import { createRenaming } from './renaming.ts';
import type { SourceCrs, VectorFile } from './vector-file.ts';
import { kindName } from './wkb.ts';

const maxNamesShown = 5;

/**
 * Opens the shapefile whose files are `input.shp`, `input.dbf` and so on in the scratch folder. GDAL reads its texts as
 * ISO-8859-1, which keeps every byte, and they are decoded here.
 * @throws {Problem}
 */
export function openShapefile(scratch: string, name: string, findings: FindingsCollector): VectorFile {
  const path = join(scratch, 'input.shp');
  const { choice, fields } = readTexts(scratch, findings);
  gdal.config.set('SHAPE_ENCODING', 'ISO-8859-1');
  gdal.config.set('SHAPE_RESTORE_SHX', 'YES');
  const layer = openLayer(path);
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

/** The charset and the names of the attribute table; none when there is no table. */
function readTexts(
  scratch: string,
  findings: FindingsCollector,
): { readonly choice: CharsetChoice | undefined; readonly fields: FieldNames } {
  const survey = existsSync(join(scratch, 'input.dbf')) ? surveyDbf(join(scratch, 'input.dbf')) : undefined;
  const none = { choice: undefined, fields: { names: [], truncated: [] } };
  if (survey === undefined) return none;
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
  return { choice, fields };
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
  if (layer !== undefined) return layer;
  throw new Problem(
    'invalid',
    'The shapefile in the archive is damaged: its .shp file can not be read. Export it again from its source and upload it again.',
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
  const more = truncated.length > maxNamesShown ? ` and ${truncated.length - maxNamesShown} more` : '';
  findings.warn(
    'names_truncated',
    `A .dbf file holds ten bytes of a column's name. Mended were: ${truncated.slice(0, maxNamesShown).join(', ')}${more}.`,
  );
}
