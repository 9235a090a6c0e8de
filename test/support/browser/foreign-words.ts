import type { Page } from 'playwright-core';

/**
 * Collects what a person reads or hears of a page: texts that are shown, and names and hints of elements. Identifiers (`code`), and what
 * is marked as another language, such as the names of languages, are no words of the page.
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

/** Names that are the same in every language, each of one kind. */
const names: ReadonlySet<string> = new Set(
  [
    'Steppe',
    // Formats, and what files are written in.
    'GeoTIFF BigTIFF TIFF COG Cloud-Optimized GeoJSON JSON TopoJSON GeoPackage SLD ZIP CSV XLSX PNG DEFLATE UTF WKT',
    // Ways to serve maps, and programs.
    'TileJSON WMTS WMS XYZ MVT MapLibre OpenLayers QGIS GeoServer GDAL HTTP HTTPS URL API OpenID WebGL Excel LibreOffice',
    // Reference systems, and types of pixels.
    'EPSG WGS UTM PROJ Byte UInt Int Float',
    // Open data and their makers.
    'Copernicus DEM GLO ESA WorldCover WDPA ERA5-Land CHELSA WorldClim Global-ET0 OpenLandMap SoilGrids GSASmap OpenStreetMap HydroRIVERS',
    'JRC Global Surface Water MOD13Q1 NDVI USDA ET0 ECe soc',
    // Keys.
    'Enter Esc Tab Ctrl Shift',
    // Programs, languages of programs, and what they read.
    'ArcGIS Pro Online Python pandas STAC OGC API Features FlatGeobuf Parquet GeoParquet ISO DCAT MCP OpenAPI XML TOKEN STEPPE_TOKEN',
    // Sums by which a file is compared.
    'SHA',
    // A header, and the kind of token in it.
    'Authorization Bearer',
  ].flatMap((line) => line.split(' ')),
);

/** A name of a file, its extension, or an address. */
const fileOrAddress =
  /(?:https?:\/\/|\.\/)\S+|[^\s«»"'/]*\.(?:tiff?|geojson|json|gpkg|zip|csv|tsv|xlsx?|sld|shp|dbf|png|txt|pdf|md)\b/giu;
/** Names of parameters, scopes and settings, as they stand in addresses, tokens and the environment. */
const identifier = /\b[a-z\d]+(?:_[a-z\d]+)+\b|\b[A-Z\d]+(?:_[A-Z\d]+)+\b|\b[a-z]+:[a-z]+\b/gu;
/** Ids and fingerprints, or their beginnings. */
const hexadecimal = /\b(?=[\da-f-]*\d)[\da-f]{6,}(?:-[\da-f]{2,})*\b/gu;
const latinWord =
  /\p{Script=Latin}[\p{Script=Latin}\p{Nd}]*(?:-\p{Script=Latin}[\p{Script=Latin}\p{Nd}]*)*/gu;

/**
 * Finds the Latin words of a page in Russian or Kazakh that are no names: a sentence that was forgotten. Single letters with a digit are
 * symbols. @param given names that users have given, which may be in any language.
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

/** Members of answers that hold what a person has written. */
const written = new Set(['name', 'description', 'unit', 'filename', 'note', 'basis', 'changed_by']);

/** Notes all texts that the answers to a page hold and a person may have written; the graph's own are words of the page. */
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
    // An answer that is cut off has no names.
    reading.push(response.json().then(collect, () => undefined));
  });
  return async () => {
    await Promise.all(reading);
    const graph = await fetch(`${origin}/landscape/graph`).catch(() => undefined); // a story may have it away
    if (graph?.ok !== true) return [...names];
    const { nodes }: { nodes: readonly { title: string; unit: string | null }[] } = Object(
      await graph.json(),
    );
    const ofGraph = new Set(nodes.flatMap(({ title, unit }) => [title, unit ?? '']));
    return [...names].filter((text) => !ofGraph.has(text));
  };
}
