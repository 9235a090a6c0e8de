import type { Page } from 'playwright-core';

/**
 * Collects the texts that a user reads or hears on a page: visible texts, and names and hints of elements.
 * Identifiers (`code`) and text marked as another language, such as the names of languages, do not count.
 */
const collectTexts = `(() => {
  const own = document.documentElement.lang;
  const isLeftOut = (element) =>
    element.closest('code, script, style, noscript') !== null ||
    (element.closest('[lang]') ?? document.documentElement).lang !== own;
  const texts = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (element !== null && !isLeftOut(element) && (element.tagName === 'OPTION' || element.checkVisibility()))
      texts.push(node.data);
  }
  for (const element of document.body.querySelectorAll('[aria-label], [title], [alt], [placeholder], [aria-description]')) {
    if (isLeftOut(element) || !element.checkVisibility()) continue;
    for (const name of ['aria-label', 'title', 'alt', 'placeholder', 'aria-description'])
      texts.push(element.getAttribute(name) ?? '');
  }
  return texts.map((text) => text.trim()).filter((text) => /[A-Za-z]{2}/.test(text));
})()`;

/** Names that are equal in every language, by kind. */
const names: ReadonlySet<string> = new Set(
  [
    'Steppe',
    // File formats and encodings.
    'GeoTIFF BigTIFF TIFF COG Cloud-Optimized GeoJSON JSON TopoJSON GeoPackage SLD ZIP CSV XLSX PNG DEFLATE UTF WKT',
    'NetCDF GRIB HDF HDF4 HDF5 Erdas Imagine ASCII',
    // Map services and programs.
    'TileJSON WMTS WMS XYZ MVT MapLibre OpenLayers QGIS GeoServer GDAL HTTP HTTPS URL API OpenID WebGL Excel LibreOffice',
    // Reference systems and pixel types.
    'EPSG WGS UTM PROJ Byte UInt Int Float',
    // Open data and publishers.
    'Copernicus DEM GLO ESA WorldCover WDPA ERA5-Land CHELSA WorldClim Global-ET0 OpenLandMap SoilGrids GSASmap OpenStreetMap HydroRIVERS Geofabrik',
    'JRC Global Surface Water MOD13Q1 NDVI USDA ET0 ECe soc',
    // Keys.
    'Enter Esc Tab Ctrl Shift',
    // Programs, programming languages, and their interfaces.
    'ArcGIS Pro Online Python pandas STAC OGC API Features FlatGeobuf Parquet GeoParquet ISO DCAT MCP OpenAPI XML TOKEN STEPPE_TOKEN',
    // Checksums.
    'SHA',
    // A header and its kind of token.
    'Authorization Bearer',
  ].flatMap((line) => line.split(' ')),
);

/** A file name, its extension, or an address. */
const fileOrAddress =
  /(?:https?:\/\/|\.\/)\S+|[^\s«»"'/]*\.(?:tiff?|geojson|json|gpkg|zip|csv|tsv|xls[xb]?|ods|sld|shp|dbf|png|txt|pdf|md)\b/giu;
/** Parameters, scopes and settings, in the form of addresses, tokens and the environment. */
const identifier = /\b[a-z\d]+(?:_[a-z\d]+)+\b|\b[A-Z\d]+(?:_[A-Z\d]+)+\b|\b[a-z]+:[a-z]+\b/gu;
/** Ids and fingerprints, or their first digits. */
const hexadecimal = /\b(?=[\da-f-]*\d)[\da-f]{6,}(?:-[\da-f]{2,})*\b/gu;
const latinWord =
  /\p{Script=Latin}[\p{Script=Latin}\p{Nd}]*(?:-\p{Script=Latin}[\p{Script=Latin}\p{Nd}]*)*/gu;

/**
 * Finds the Latin words on a Russian or Kazakh page that are not names: sentences that were not translated. A
 * single letter with a digit is a symbol.
 * @param given names given by users, in any language
 */
export async function foreignWords(page: Page, given: readonly string[]): Promise<readonly string[]> {
  const texts = await page.evaluate<readonly string[]>(collectTexts);
  const longest = given.filter((name) => name !== '').toSorted((one, other) => other.length - one.length);
  return [...new Set(texts)].flatMap((text) => {
    const rest = longest
      .reduce((left, name) => left.replaceAll(name, ' '), text)
      .replaceAll(fileOrAddress, ' ')
      .replaceAll(identifier, ' ')
      .replaceAll(hexadecimal, ' ');
    const words = (rest.match(latinWord) ?? []).filter((word) => !isName(word));
    return words.length === 0 ? [] : [`${words.join(', ')}: ${text}`];
  });
}

function isName(word: string): boolean {
  return /^\p{L}\d*$/u.test(word) || names.has(word) || names.has(word.replace(/\d+$/, ''));
}

/** Members of answers that contain texts written by users. */
const written = new Set(['name', 'description', 'unit', 'filename', 'note', 'basis', 'changed_by']);

/** Collects the texts in the answers to a page that a user may have written; texts of the graph belong to the page. */
export function noteGivenNames(page: Page): () => Promise<readonly string[]> {
  const names = new Set<string>();
  const reading: Promise<void>[] = [];
  let origin = '';
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { code }: { code?: unknown } = value;
    if (typeof code === 'string' && code.startsWith('landscape')) return;
    for (const [member, content] of Object.entries(value))
      if (typeof content === 'string') {
        if (written.has(member)) names.add(content);
      } else collect(content);
  };
  page.on('response', (response) => {
    const url = new URL(response.url());
    origin = url.origin;
    const isJson = response.headers()['content-type']?.startsWith('application/json') === true;
    if (!isJson || /^\/(?:assets|landscape\/graph|districts)/.test(url.pathname)) return;
    // An aborted answer contains no names.
    reading.push(response.json().then(collect, () => undefined));
  });
  return async () => {
    await Promise.all(reading);
    const graph = await fetch(`${origin}/landscape/graph`).catch(() => undefined); // a story may have made it fail
    if (graph?.ok !== true) return [...names];
    const { nodes }: { nodes: readonly { title: string; unit: string | null }[] } = Object(
      await graph.json(),
    );
    const ofGraph = new Set(nodes.flatMap(({ title, unit }) => [title, unit ?? '']));
    return [...names].filter((text) => !ofGraph.has(text));
  };
}
