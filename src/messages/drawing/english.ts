import { invalidFields, type Problem } from '../../lib/errors.ts';
import { Message } from '../../lib/message.ts';
import { readable } from '../../lib/readable.ts';
import { conflict, invalid, problem, sentences } from '../base/define.ts';
import { fieldFaults } from '../request/english.ts';

/** Reasons not to draw a map, permanently or now. */
export const drawingProblems = sentences('drawing', {
  notARaster: invalid(() => 'only a raster has tiles of pixels; vectors have .mvt'),
  noWmtsRequest: problem(
    'malformed',
    () => 'REQUEST must be GetCapabilities or GetTile: the service supports no other request of WMTS',
  ),
  noWmtsTile: problem(
    'malformed',
    () => 'GetTile must have TILEMATRIX, TILECOL and TILEROW as whole numbers, as the capabilities have them',
  ),
  notReady: conflict((status: string) => `the dataset is ${status}; its map exists once it is ready`),
  noPlace: invalid(
    () =>
      'the raster cannot be drawn on a map: its file has no coordinate reference system that can be transformed to longitude and latitude, or its pixels are complex numbers',
  ),
  noSuchBand: invalid(
    (band: number, bands: number) =>
      `the style draws band ${band}, and the raster has ${bands}; choose a band that it has in the style`,
  ),
  notDrawable: invalid(
    () => 'the raster cannot be drawn: its pixels are complex numbers, or could not be prepared for maps',
  ),
  notPrepared: invalid(() => 'the raster could not be prepared for maps; the service tries this again later'),
  viewUnderWay: problem('busy', () => 'the raster is being prepared for maps; ask again in a few seconds'),
  tooMuch: invalid(
    (mebibytes: number) =>
      `more than ${mebibytes} MiB of pixels would have to be read for this tile; zoom in, or upload the raster with overviews`,
  ),
  brokenRaster: problem('broken', () => 'the raster is damaged and cannot be drawn here'),
  busy: problem('busy', () => 'too many rasters and maps are being read or drawn; ask again in a second'),
  overdue: problem('busy', () => 'reading or drawing the pixels took too long; ask again in a second'),
  threadDied: problem('busy', () => 'the pixels could not be read or drawn; ask again in a second'),
  tooManyTiles: problem(
    'too_many',
    () => 'you ask for more tiles than one client may have; ask again in a second',
  ),
});

/** Reasons not to draw a vector as tiles or as a thumbnail. */
export const vectorTileProblems = sentences('vector_tile', {
  raster: invalid(() => 'a raster has no vector tiles'),
  tooLarge: invalid(
    (mebibytes: number, most: number) =>
      `the GeoJSON has ${mebibytes} MiB; only one of at most ${most} MiB is drawn, but all of it can be downloaded`,
  ),
  tooManyPositions: invalid(
    (most: number) =>
      `the GeoJSON has more than ${most} positions; only one of fewer is drawn, but all of it can be downloaded`,
  ),
  notGeoJson: invalid(() => 'the stored GeoJSON cannot be read'),
});

/** Words of legends that do not come from the dataset. */
export const legendPhrases = sentences('legend', {
  noData: 'no data: not drawn',
  others: 'others',
  unnamedClass: 'without a name',
  colours: 'Colours as they are in the file',
  above: (from: string) => `from ${from}`,
  below: (to: string) => `below ${to}`,
  more: (count: number) => `… ${count} more`,
});

const shown = (text: string): string => readable(text, 100);
const asUtf8 = 'save it as UTF-8';
const qgis = 'in QGIS, open the properties of the layer and choose Style, Save Style, As SLD Style File';
const errorReport =
  'it gives the reason why a service sent no style; remove the cause, and ask for the style again';
const fragment = 'put it inside of a StyledLayerDescriptor of the version that it is written for';
const fragmentRoots = /^(?:featuretypestyle|coveragestyle|userstyle|namedlayer|userlayer)$/;

/** Files that are often mistaken for an SLD, by their root elements, with advice. */
const otherFiles: readonly (readonly [root: RegExp, what: string, advice: string])[] = [
  [
    /^html$/,
    'an HTML page',
    'open its address in a browser to see the answer of the web server, and download the style again',
  ],
  [/^qgis$/, 'a style or project in the format of QGIS', qgis],
  [/^(?:qlr|qgis-layer-definition)$/, 'a layer definition of QGIS', qgis],
  [/^(?:service)?exceptionreport$/, 'an error report', errorReport],
  [fragmentRoots, 'only a part of an SLD', fragment],
];

/** Faults of an SLD: `invalid` on `file`, except for a missing style. */
export const sldProblems = sentences('sld', {
  none: problem('not_found', () => 'no SLD has been uploaded'),
  noneOfItsOwn: problem('not_found', () => 'the dataset has no style of its own'),
  missing: fileProblem(() => fieldFaults.missing.english),
  wrongExtension: fileProblem(
    (allowed: readonly string[]) => `must have one of the extensions ${allowed.join(', ')}`,
  ),
  empty: fileProblem(() => 'is empty'),
  tooLarge: fileProblem((mebibytes: number) => `must have at most ${mebibytes} MiB`),
  blank: fileProblem(() => 'contains nothing but white space'),
  zip: fileProblem(() => 'is a ZIP archive; unpack it, and upload the .sld file that is in it'),
  json: fileProblem(() => 'begins like JSON, but an SLD is XML; export the style as SLD'),
  notXml: fileProblem((start: string) => `is not XML: it begins with "${shown(start)}" instead of a < sign`),
  unsupportedEncoding: fileProblem((name: string) => `is in ${name}, which is not supported; ${asUtf8}`),
  unknownEncoding: fileProblem((label: string) => `declares the unknown encoding ${shown(label)}; ${asUtf8}`),
  falseEncoding: fileProblem(
    (label: string) =>
      `declares the encoding ${shown(label)}, but is in another; ${asUtf8}, and declare that in its first line`,
  ),
  wrongBytes: fileProblem(
    (encoding: string) =>
      `is not valid ${encoding} text; ${asUtf8}, or name its encoding in its first line, such as <?xml version="1.0" encoding="windows-1251"?>`,
  ),
  longDeclaration: fileProblem(
    () => 'has an XML declaration that is too long; shorten it to <?xml version="1.0" encoding="UTF-8"?>',
  ),
  doctype: fileProblem(
    (root: string) =>
      otherFile(root.toLowerCase()) ??
      `must not have a DOCTYPE (it is that of ${shown(root)}); an SLD needs none: remove it, from <!DOCTYPE to the > that ends it`,
  ),
  tooDeep: fileProblem((levels: number) => `is nested deeper than ${levels} elements`),
  tooManyAttributes: fileProblem((max: number) => `has an element with more than ${max} attributes`),
  wrongRoot: fileProblem(
    (root: string) =>
      otherFile(root) ?? `must have the root element StyledLayerDescriptor, not ${shown(root)}`,
  ),
  notWellFormed: fileProblem((reason: string, line?: string, column?: string) => {
    const place = line === undefined ? '' : `line ${line}, column ${column}: `;
    const advice = reason.startsWith('malformed character entity')
      ? '; XML has no such character'
      : reason.includes('entity')
        ? '; write & itself as &amp; and other characters as they are'
        : '';
    return `is not well-formed XML: ${place}${shown(reason)}${advice}`;
  }),
});

function otherFile(root: string): string | undefined {
  const localName = root.slice(root.indexOf(':') + 1).toLowerCase();
  const [, what, advice] = otherFiles.find(([roots]) => roots.test(localName)) ?? [];
  return what === undefined
    ? undefined
    : `is ${what} (its root element is ${shown(root)}), not an SLD: ${advice}`;
}

function fileProblem<Facts extends readonly unknown[]>(
  sentence: (...facts: Facts) => string,
): (...facts: Facts) => Problem {
  return (...facts) => invalidFields({ file: new Message(sentence(...facts)) });
}

/** Effects on parts of a style that are not drawn exactly as in the file, by their codes. */
export const styleParts = sentences('style_part', {
  labels: 'labels are not drawn',
  hillshade: 'shaded relief is not drawn',
  contrast:
    'contrast is changed by Normalize, Histogram and GammaValue alone, with numbers that can be read, and not on top of a colour map',
  pictures: 'pictures from other files are neither fetched nor drawn',
  strokes_of_signs: 'lines that are made of signs are not drawn',
  fills_of_signs: 'areas that are filled with signs or hatching are drawn in one colour',
  shapes: 'points of unknown shapes are drawn as circles',
  offsets: 'signs are neither shifted nor turned',
  sizes: 'sizes beyond their limits are drawn at the limit, and invalid dashes as whole lines',
  units_of_measure: 'sizes in metres or feet are taken as pixels',
  vendor_options: 'options of single programs are not applied',
  filters: 'rules whose filter cannot be judged are not drawn, nor are the rules for everything else',
  expressions:
    'expressions that are not constant are not computed: a usual value is used, or the entry of a colour map is left out',
  missing_properties:
    'rules over a property that no feature has draw nothing; names are compared letter by letter',
  interpolation: 'colours between two values change evenly, not along a curve or in an unknown way',
  colours: 'colours or opacities that cannot be read are not applied',
  quantities: 'numbers that are missing, not finite or given twice are not applied',
  decimal_commas:
    'numbers such as 1,234 are not applied: the comma may separate thousands or begin a fraction; write 1234 or 1.234',
  channels: 'bands that are not named by number are not applied, nor are three bands beside a colour map',
  other_rasters: 'of several rasters at the same scale only the first is drawn',
  other_styles: 'of several layers or styles only one is drawn',
  long_texts: 'long titles and labels are shortened',
  stops_beyond_limit: 'of very many colours some are not drawn',
  rules_beyond_limit: 'of very many rules the last are not drawn, nor are those for everything else',
  elements_beyond_limit: 'the end of a very long file is not drawn',
});

export const sheetProblems = sentences('sheet', {
  noUnits: problem(
    'not_found',
    (kato: string) => `the atlas would have no sheet: ${kato} has no unit of this level on the raster`,
  ),
  tooManySheets: invalid(
    (count: number, most: number) =>
      `the atlas would have ${count} sheets, and at most ${most} are allowed: choose a region with \`kato\``,
  ),
  beyondEarth: invalid(
    () => 'the frame extends beyond the Earth; choose a smaller scale denominator, or another place',
  ),
  notOfRun: problem('not_found', () => 'the run has neither made nor used this dataset'),
  atlasFailed: problem('not_found', () => 'the atlas could not be made; ask again in a minute'),
  doesNotFit: invalid(
    (name: string, least: number) =>
      `sheet ${name} does not fit on this paper at this scale: choose a larger paper, or a denominator of ${least} or more`,
  ),
  noGeometry: invalid(() => 'the dataset has no geometry that a sheet can show'),
  noTable: invalid(() => 'only vector_with_kato datasets can be the tables of an atlas'),
  repeatedLayer: invalid(() => 'a dataset is in `layers` twice, or is the dataset of the sheet itself'),
});

/** Faults of the query of a sheet. */
export const sheetFaults = sentences('sheet_fault', {
  form: 'is not the name of a sheet: write it like M-42, M-42-Г, M-42-XXIV, M-42-047, M-42-047-А, M-42-047-А-а or M-42-047-А-а-1',
  part: 'names a sheet that does not exist: columns are 1 to 60, sheets of 1:200,000 I to XXXVI, sheets of 1:100,000 1 to 144',
  doubled: 'names a sheet north of 60° N, where sheets are joined in pairs; such sheets are not drawn',
  outside:
    'names a sheet outside Kazakhstan and its surroundings; drawn are rows J to O and columns 38 to 45',
  alone: 'must not be given together with kato, by, bbox or center',
  signatures: (most: number, characters: number) =>
    `must have 1 to ${most} lines separated by semicolons, each a post and a name separated by |, of at most ${characters} characters each`,
  names: (most: number, characters: number) =>
    `must have 1 to ${most} names separated by semicolons, each written as value=name, of at most ${characters} characters each`,
});

/** Words of maps on paper. */
export const sheetWords = sentences('sheet_word', {
  ofUnit: (name: string) => `Hectares of the unit: ${name}`,
  ofFrame: 'Hectares of the frame of this map',
  ofRaster: 'Hectares of the whole raster',
  hectares: 'ha',
  noData: 'No data',
  outside: 'Outside the raster',
  others: 'Other values',
  total: 'Total',
  noHectares: 'The raster has no classes, so no hectares are stated.',
  mapped: 'Hectares are measured on the map; they are not a boundary survey.',
  inUnit: (sentence: string) => `In the unit: ${sentence}`,
  inRun: (sentence: string) => `In the whole zoning: ${sentence}`,
  contestedUnknown:
    'The share of land where the order of sectors decides, not the land, is not known for this run.',
  cut: 'At this scale the unit is larger than the map; the hectares are those of the whole unit.',
  sources: 'Sources',
  licence: (name: string, licence: string) => `${name}. ${licence}`,
  deletedSource: 'a dataset that was deleted since',
  run: (id: string) => `Run ${id}`,
  dataset: (id: string) => `Dataset ${id}`,
  state: (state: string) => `State: ${state}`,
  basis: (text: string) => `Basis: ${text}`,
  asOf: (date: string) => `As of ${date}`,
  draft: 'draft',
  proposed: 'proposed',
  adopted: 'adopted',
  withdrawn: 'withdrawn',
  draftMark: 'DRAFT',
  inventedMark: 'INVENTED DATA',
  withdrawnMark: 'WITHDRAWN',
  scale: (denominator: string) => `Scale 1:${denominator}`,
  projection:
    'Albers equal-area conic, WGS 84: standard parallels 43° and 53° N, origin 48° N, 67° E; lengths are right to 0.5 %. North follows the meridians of the grid.',
  gaussKrueger: (zone: number, meridian: number, datum: string) =>
    `Gauss-Krüger projection, zone ${zone}, central meridian ${meridian}° E; ${datum}`,
  sk42: (code: number, accuracy: string) =>
    `SK-42 (Pulkovo 1942), Krassowsky ellipsoid; from WGS 84 by EPSG:${code}, accurate to ${accuracy} m.`,
  datumSk42: 'SK-42',
  qaztrf: 'QazTRF-23, GRS 80 ellipsoid; equal to WGS 84 to 1 m.',
  ownScale: (scale: string, centimetre: string) => `${scale}, 1 cm = ${centimetre}`,
  reduced: (scale: string, own: string) => `${scale}, reduced from 1:${own}`,
  grid: (kilometres: number) => `The lines of the kilometre grid are ${kilometres} km apart.`,
  borders: 'Borders',
  regionBorder: 'Border of a region',
  districtBorder: 'Border of a district',
  okrugBorder: 'Border of a rural district',
  annexTitle: 'Annex to the decision',
  annexNumber: (date: string, number: string) => `of ${date} No. ${number}`,
  bars: 'Bars are shares of the unit; marks are those of the whole zoning.',
  noHectaresOfVectors: 'Hectares are stated for rasters with classes only.',
  north: 'N',
  kilometre: 'km',
  metre: 'm',
  sheet: (page: number, pages: number) => `Sheet ${page} of ${pages}`,
  index: 'Index of sheets',
  unit: 'Unit',
  kato: 'KATO code',
  page: 'Sheet',
  scaleColumn: 'Scale',
  area: 'Area, ha',
});

/** The sentences of this folder that have translations, by the area that prefixes their codes. */
export const english = {
  drawing: drawingProblems,
  legend: legendPhrases,
  sheet: sheetProblems,
  sheet_fault: sheetFaults,
  sheet_word: sheetWords,
  sld: sldProblems,
  style_part: styleParts,
  vector_tile: vectorTileProblems,
};
