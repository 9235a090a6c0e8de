import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { cornersByPyproj } from '../../common/maps/paper/corners.for-tests.ts';
import { readNomenclature } from '../../common/maps/paper/nomenclature.ts';
import type { Datum } from '../../common/maps/paper/planes.ts';
import { box } from '../../test/support/areas/areas.ts';
import { startCountingApp, zones } from '../../test/support/areas/counting-app.ts';
import { insertCategory, send, setState } from '../../test/support/datasets.ts';
import { meshOfDegrees } from '../../test/support/geo/drawable-raster.ts';
import { onePoint } from '../../test/support/geo/feature-files.ts';
import { insertRaster } from '../../test/support/geo/rasters.ts';
import { type PdfPage, readPdf } from '../../test/support/maps/pdf.ts';

const { app, db, addRaster, ...rest } = await startCountingApp();
after(async () => await rest.close());
const category = await insertCategory(db, 'sheets');

const rule = (title: string, [name, value]: readonly [string, string], symbolizer: string) =>
  `<Rule><Title>${title}</Title><ogc:Filter><ogc:PropertyIsEqualTo><ogc:PropertyName>${name}</ogc:PropertyName><ogc:Literal>${value}</ogc:Literal></ogc:PropertyIsEqualTo></ogc:Filter>${symbolizer}</Rule>`;
const squares = (colour: string, size: number) =>
  `<PointSymbolizer><Graphic><Mark><WellKnownName>square</WellKnownName><Fill><CssParameter name="fill">${colour}</CssParameter></Fill></Mark><Size>${size}</Size></Graphic></PointSymbolizer>`;
const sldOf = (rules: string) =>
  `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc"><NamedLayer><Name>z</Name><UserStyle><FeatureTypeStyle>${rules}</FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;

async function addVector(
  name: string,
  files: Readonly<Record<string, string | Buffer>>,
  sld: string,
): Promise<string> {
  const id = await insertRaster(db, {
    category_id: category,
    name,
    file_type: 'vector',
    view_state: 'none',
  });
  await setState(app.services, id, {}, files);
  const form = new FormData();
  form.append('file', new File([sld], 'style.sld'));
  const styled = await fetch(`${app.baseUrl}/datasets/${id}/sld`, { method: 'POST', body: form });
  assert.ok(styled.ok, await styled.text());
  return id;
}

/** A point at each corner of each sheet of the table, on WGS 84, under the name of the sheet and its datum. */
const marks = cornersByPyproj.flatMap(({ name, wgs84, seconds: [west, south, east, north] }) => {
  const degrees = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ].map((corner) => corner.map((second) => second / 3600));
  return (
    [
      ['sk-42', wgs84],
      ['qaztrf-23', degrees],
    ] as const
  ).map(([datum, coordinates]) => ({
    type: 'Feature',
    properties: { datum, name },
    geometry: { type: 'MultiPoint', coordinates },
  }));
});
const corners = await addVector(
  'Углы листов',
  { geojson: JSON.stringify({ type: 'FeatureCollection', features: marks }) },
  sldOf(
    rule('SK', ['datum', 'sk-42'], squares('#ff0000', 4)) +
      rule('Qaz', ['datum', 'qaztrf-23'], squares('#0000ff', 4)),
  ),
);

async function sheetOf(id: string, query: Readonly<Record<string, string>>) {
  const path = `/datasets/${id}/sheet.pdf?${new URLSearchParams({ wait: '60', lang: 'en', ...query }).toString()}`;
  const response = await fetch(app.baseUrl + path);
  const bytes = new Uint8Array(await response.arrayBuffer());
  assert.equal(response.status, 200, Buffer.from(bytes).toString());
  const [page] = readPdf(bytes).pages;
  assert.ok(page !== undefined);
  return { ...page, bytes, etag: response.headers.get('etag') };
}

interface Path {
  readonly points: readonly (readonly [x: number, y: number])[];
  /** The operator that ends it: `S` strokes, `f` fills. */
  readonly paint: string;
  readonly colour: string;
  readonly width: number;
}

/** Reads the paths of straight lines of a page, with the colour and width that apply to them. */
function pathsOf({ content, lineWidths }: Pick<PdfPage, 'content' | 'lineWidths'>): readonly Path[] {
  const paths: Path[] = [];
  let [colour, width] = ['', 0];
  let points: (readonly [number, number])[] = [];
  for (const line of content.split('\n')) {
    const words = line.split(' ');
    const [x = 0, y = 0, across = 0, down = 0] = words.map(Number);
    const operator = words.at(-1);
    if (operator === 'rg') colour = words.slice(-4, -1).join(' ');
    if (operator === 'gs') width = lineWidths.get(words[0]?.slice(1) ?? '') ?? width;
    if (operator === 'm' || operator === 're') points = [];
    if (operator === 'm' || operator === 'l') points.push([x, y]);
    if (operator === 're') points.push([x, y], [x + across, y], [x + across, y + down], [x, y + down]);
    if (operator === 'S' || operator === 'f') paths.push({ points, paint: operator, colour, width });
  }
  return paths;
}

const millimetres = 25.4 / 72;
const near = (found: number, expected: number, what: string) =>
  assert.ok(Math.abs(found - expected) <= 0.1, `${what}: ${found} mm instead of ${expected} mm`);

describe('a sheet of the state map', () => {
  test('has corners where other programs compute them, to 0.1 mm on paper, and data at them', async () => {
    const drawn = [
      ['M-42', 'sk-42'],
      ['L-39', 'qaztrf-23'],
      ['M-42-А', 'sk-42'],
      ['K-43-XXIX', 'sk-42'],
      ['M-42-047', 'sk-42'],
      ['K-42-001', 'qaztrf-23'],
      ['K-43-032-В', 'sk-42'],
      ['M-45-100-А-б', 'qaztrf-23'],
      ['K-42-120-Г-г-4', 'sk-42'],
      ['N-41-077-Б-в-3', 'qaztrf-23'],
    ] as const satisfies (readonly [string, Datum])[];
    for (const [name, datum] of drawn) {
      const { sk42, qaztrf } = cornersByPyproj.find((each) => each.name === name) ?? assert.fail(name);
      const metres: readonly (readonly number[])[] = datum === 'sk-42' ? sk42 : qaztrf;
      const sheet = readNomenclature(name);
      assert.ok(typeof sheet !== 'string');
      const { text, ...page } = await sheetOf(corners, { nomenclature: name, datum });
      assert.ok(text.includes(name), text);
      const paths = pathsOf(page);
      // The inner frame is the first closed line with a corner at each division.
      const ring = paths.find(({ points, paint }) => paint === 'S' && points.length > 60)?.points ?? [];
      const fills = paths.filter(
        ({ paint, colour }) => paint === 'f' && colour === (datum === 'sk-42' ? '1 0 0' : '0 0 1'),
      );
      const centres = fills.map(({ points }) =>
        [0, 1].map((axis) => points.reduce((sum, point) => sum + (point[axis] ?? 0), 0) / points.length),
      );
      const [west = 0, south = 0] = metres[0] ?? [];
      const found = metres.map(([x = 0, y = 0]) => {
        const [across, up] = [((x - west) / sheet.scale) * 1000, ((y - south) / sheet.scale) * 1000];
        const [originX, originY] = ring[0] ?? [Number.NaN, Number.NaN];
        const [expectedX, expectedY] = [originX + across / millimetres, originY - up / millimetres];
        const nearest = (points: readonly (readonly number[])[]) =>
          Math.min(...points.map(([a = 0, b = 0]) => Math.hypot(a - expectedX, b - expectedY))) * millimetres;
        near(nearest(ring), 0, `${name} ${datum}, corner of the frame`);
        near(nearest(centres), 0, `${name} ${datum}, point of the data`);
        return [expectedX, expectedY];
      });
      assert.equal(found.length, 4);
    }
  });

  test('has labels as on topographic maps, and says its scale, zone and datum', async () => {
    const { texts, text } = await sheetOf(corners, { nomenclature: 'M-42-047', datum: 'sk-42' });
    const written = texts.map((each) => each.text);
    for (const expected of [
      '50°40’',
      '51°00’',
      '71°00’',
      '71°30’',
      '18',
      '56',
      '126',
      '42',
      'M-42-035',
      'M-42-048',
    ])
      assert.ok(written.includes(expected), `${expected} is not in ${written.join(' ')}`);
    assert.match(text, /Scale 1:100,000, 1 cm = 1\u00a0km/);
    assert.match(text, /zone 12, central meridian 69° E; SK-42/);
    assert.match(text, /EPSG:5044, accurate to 3 m/);
    const other = await sheetOf(corners, { nomenclature: 'K-43-XXIX', lang: 'kk' });
    assert.match(other.text, /13-зона, осьтік меридианы ш. б. 75°; QazTRF-23/);
    const reduced = await sheetOf(corners, { nomenclature: 'м-42-47', size: 'A4', lang: 'ru' });
    assert.match(reduced.text, /Масштаб 1:300\s000, уменьшено с 1:100\s000/);
  });

  test('is refused in a sentence if its name is wrong, or if it does not fit', async () => {
    for (const [query, status, sentence] of [
      ['nomenclature=M-42-145', 400, /nomenclature: names a sheet that does not exist/],
      ['nomenclature=42', 400, /is not the name of a sheet/],
      ['nomenclature=P-42', 400, /joined in pairs/],
      ['nomenclature=M-30', 400, /outside Kazakhstan/],
      ['nomenclature=M-42-047&bbox=70,50,71,51', 400, /together with kato, by, bbox or center/],
      ['nomenclature=M-42-047&datum=wgs-84', 400, /datum/],
      ['nomenclature=M-42-047&size=A4&scale=100000', 422, /does not fit .* denominator of \d+ or more/],
      ['nomenclature=M-42-047&size=A0', 400, /size/],
      [`layers=${corners}`, 422, /`layers` twice/],
      ['layers=1,2', 400, /layers/],
      ['decision_number=1', 400, /decision_body: is required; decision_date: is required/],
      ['signatures=a|b|c', 400, /signatures: must have 1 to 4 lines/],
      [`center=61,49&layers=${corners.toUpperCase()}`, 422, /`layers` twice/],
      ['names=a', 400, /names: must have 1 to 40 names/],
    ] as const) {
      const answer = await send(app, `/datasets/${corners}/sheet.pdf?${query}`);
      assert.equal(answer.status, status, `${query}: ${answer.text}`);
      assert.match(answer.text.replaceAll('\\"', '"'), sentence, query);
    }
  });
});

describe('a sheet of several layers', async () => {
  const raster = await addRaster(zones, { options: { TILED: 'YES', BLOCKXSIZE: '16', BLOCKYSIZE: '16' } });
  await setState(
    app.services,
    raster,
    { view_state: 'made', bbox: [60, 48, 63, 50] },
    { view_mesh: meshOfDegrees([60, 48, 63, 50], { width: 30, height: 20 }) },
  );
  const lines = await addVector(
    'Линии',
    {
      geojson: JSON.stringify({
        type: 'FeatureCollection',
        features: [
          {
            type: 'Feature',
            properties: { k: 'road' },
            geometry: {
              type: 'LineString',
              coordinates: [
                [-170, 49],
                [170, 49],
              ],
            },
          },
        ],
      }),
    },
    sldOf(
      rule(
        'Road',
        ['k', 'road'],
        '<LineSymbolizer><Stroke><CssParameter name="stroke">#ff00ff</CssParameter><CssParameter name="stroke-width">5</CssParameter></Stroke></LineSymbolizer>',
      ),
    ),
  );
  const query = { layers: lines, center: '61,49', scale: '500000' };

  test('draws lines in the width of their style, cut to the map, and a legend for each layer', async () => {
    const { text, ...page } = await sheetOf(raster, query);
    const widths = pathsOf(page).filter(({ paint }) => paint === 'S');
    const road = widths.filter(
      ({ colour, width }) => colour === '1 0 1' && Math.abs(width * millimetres - 5 * 0.28) < 0.001,
    );
    assert.ok(road.length > 0, 'five pixels of 0.28 mm');
    for (const { points } of road)
      for (const [x, y] of points) assert.ok(Math.abs(x) < 2000 && Math.abs(y) < 2000, `${x} ${y}`);
    for (const words of ['Линии', 'Road', 'Hectares are measured on the map'])
      assert.ok(text.includes(words), words);
  });

  test('draws single features of a vector by their properties, where it has them', async () => {
    const style = sldOf(rule('One', ['a', '1'], squares('#00ff00', 10)));
    const point = await addVector(
      'Точка',
      { geojson: '{"type":"FeatureCollection","features":[]}', fgb: onePoint },
      style,
    );
    const whole = await send(app, `/datasets/${point}/sheet.pdf`);
    assert.equal(whole.status, 422, whole.text);
    assert.match(whole.text, /no geometry/);
    const page = await sheetOf(point, { center: '60,50', scale: '100000' });
    const [square, ...others] = pathsOf(page).filter(
      ({ paint, colour }) => paint === 'f' && colour === '0 1 0',
    );
    assert.ok(square !== undefined && others.length === 1, 'one on the map and one in the legend');
    const xs = square.points.map(([x]) => x);
    near((Math.max(...xs) - Math.min(...xs)) * millimetres, 10 * 0.28, 'size of the square');
  });

  test('of a district has the borders and names of the rural districts within it', async () => {
    const okrugs = (
      [
        ['101010000', 'Ақбұлақ', box(60, 48, 61, 50)],
        ['101020000', 'Жібек жолы', box(61, 48, 62, 50)],
      ] as const
    ).map(([kato_code, name, shape]) => ({
      kato_code,
      level: 'okrug' as const,
      name,
      geometry: JSON.stringify(shape),
    }));
    await db.insertInto('districts').values(okrugs).execute();
    const { text, ...page } = await sheetOf(raster, { kato: '101000000', borders: 'okrug' });
    for (const words of ['Ақбұлақ', 'Жібек жолы', 'Border of a rural district'])
      assert.ok(text.includes(words), `${words} is not in ${text}`);
    // The map comes before the legend; a dashed line is a path of its dashes.
    const [, dashed = ''] = page.content.split(/^\.3569 \.1647 \.5255 RG .*$/m);
    const [map = ''] = dashed.split(/^.* RG .*$/m);
    const ys = [...map.matchAll(/^\S+ (\S+) [ml]$/gm)].map(([, y]) => Number(y));
    const scale = Number(/1:([\d,]+)/.exec(text)?.[1]?.replaceAll(',', ''));
    const [drawn, district] = [(Math.max(...ys) - Math.min(...ys)) * millimetres, 222_480_000 / scale];
    assert.ok(drawn > 0.98 * district && drawn < 1.1 * district, `${drawn} mm of ${district} mm`);
    const plain = await sheetOf(raster, { kato: '101000000' });
    assert.ok(!plain.text.includes('Ақбұлақ'), plain.text);
  });

  test('is the annex of a decision, with the names of its client, which are no part of its address', async () => {
    const annex = {
      center: '61,49',
      scale: '500000',
      borders: 'all',
      decision_body: 'маслихата <b>Восточного</b> района',
      decision_number: '12-3',
      decision_date: '2026-05-05',
      signatures: 'Секретарь маслихата|А. Б. Сергеев;Аким|Г. Т. Оспанова',
      names: 'Road=Дорога областного значения',
    };
    const { text, etag } = await sheetOf(lines, { ...annex, lang: 'ru' });
    for (const words of [
      'Приложение к решению',
      'маслихата <b>Восточного</b> района',
      'от 5 мая 2026 г. № 12-3',
      'маслихата',
      'Г. Т. Оспанова',
      'Дорога областного значения',
      'Граница района',
    ])
      assert.ok(text.includes(cleaned(words)), `${words} is not in ${text}`);
    assert.ok(!text.includes('Road') && !text.includes('decision'), text);
    const kazakh = await sheetOf(lines, { ...annex, lang: 'kk' });
    assert.ok(kazakh.text.includes(cleaned('2026 жылғы 5 мамырдағы № 12-3')), kazakh.text);
    const other = await sheetOf(lines, { ...annex, lang: 'ru', names: 'Road=Дорога' });
    assert.notEqual(other.etag, etag);
  });
});

/** The sheet joins words of a day by spaces that bind. */
const cleaned = (text: string) =>
  text.replace(/(\d) (мая|мамыр)/, '$1\u00a0$2').replace(/^(\d{4}) (жылғы)/, '$1\u00a0$2');
