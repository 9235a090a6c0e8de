import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkedElsewhere, claim } from '../../claim.ts';
import type { Client } from '../../client.ts';
import { makeGroup } from '../../support/catalogue.ts';
import { type Dataset, process, settle } from '../../support/datasets.ts';
import { tiffFile } from '../../support/files.ts';
import { assertNear, made, sumOf } from '../../support/made.ts';
import { readObservations } from '../../support/observations.ts';
import { sharedRaster } from '../../support/shared.ts';

interface Areas {
  readonly area_ha: number;
  readonly classes: Readonly<Record<string, number>>;
  readonly no_data_ha: number;
  readonly outside_raster_ha?: number;
}
interface DatasetAreas {
  readonly rows: readonly (Areas & { readonly kato: string })[];
  readonly total: Areas;
  readonly raster: Areas;
  readonly outside_units: Areas;
  readonly overlap: Areas;
}
interface Zonal {
  readonly rows: readonly {
    readonly kato: string;
    readonly values: Readonly<Record<string, number | null>>;
    readonly reason: string | null;
  }[];
}
interface GroupZonal {
  readonly state: string;
  readonly dataset_id: string | null;
  readonly rasters: { readonly in_table: number };
}

const of = ({ classes, no_data_ha: noData, outside_raster_ha: outside = 0 }: Areas) =>
  sumOf([...Object.values(classes), noData, outside]);

claim(
  ['D7 areas', 'D7 areas sums', 'D7 areas wait'],
  'areas by unit add up to each unit, and all of them to the raster',
  async (client) => {
    const { id } = await sharedRaster(client);
    const areas = (await made(client, `/datasets/${id}/areas`)).read<DatasetAreas>();
    assert.ok(areas.rows.filter((row) => of(row) > (row.outside_raster_ha ?? 0)).length > 1);
    for (const row of areas.rows) assertNear(of(row), row.area_ha);
    const { total, raster, outside_units: outside, overlap } = areas;
    assertNear(of(raster), raster.area_ha);
    const within = total.area_ha - (total.outside_raster_ha ?? 0);
    assertNear(within + outside.area_ha - overlap.area_ha, raster.area_ha);
    const sheet = await made(client, `/datasets/${id}/sheet.pdf?lang=kk`);
    assert.ok(sheet.text.startsWith('%PDF-') && sheet.text.trimEnd().endsWith('%%EOF'));
  },
);

/** Reads the table of a group once it contains this number of rasters. */
async function tableOf(client: Client, path: string, rasters: number): Promise<string> {
  for (;;) {
    const { state, dataset_id: table, rasters: held } = await client.get<GroupZonal>(path);
    assert.notEqual(state, 'failed');
    if (state === 'up_to_date' && held.in_table === rasters && table !== null) return table;
    await sleep(200);
  }
}

claim(
  ['D7 zonal', 'D7 zonal table', 'D7 group zonal'],
  'statistics by unit are those of a table by KATO that is made of them, and of one that follows the group',
  async (client) => {
    const { id: dg_id } = await makeGroup(client);
    const group = `/dataset-groups/${dg_id}/zonal`;
    await client.expect(200, 'PUT', group, { json: { stats: ['mean'] } });
    const dates = { start_date: '2025-05-01', end_date: '2025-09-30' };
    const file = tiffFile({ width: 40, height: 30, corner: [71.2, 51.1], noData: 7 });
    const { id } = await process(client, 'ready', file, { dg_id, ...dates });
    const { rows } = (await made(client, `/datasets/${id}/zonal`)).read<Zonal>();
    assert.ok(rows.some(({ reason }) => reason === 'no_values'));
    const json = { stats: ['mean'], name: 'Mean' };
    const table = await client.read<Dataset>(201, 'POST', `/datasets/${id}/zonal/table`, { json });
    assert.equal((await settle(client, table.id)).status, 'ready');
    const followed = await tableOf(client, group, 1);
    for (const each of [table.id, followed]) {
      const observations = await readObservations(client, each);
      assert.deepEqual(
        new Map(observations.map(({ kato_code: code, value }) => [code, value])),
        new Map(rows.map(({ kato, values }) => [kato, values['mean']])),
      );
    }
    await client.expect(204, 'DELETE', `/datasets/${id}`);
    assert.equal(await tableOf(client, group, 0), followed);
  },
);

checkedElsewhere('src/areas/areas.test.ts', {
  'are waited for, counted once, and add up': ['D7 areas', 'D7 areas sums', 'D7 areas wait'],
  'have a strong ETag, also of some classes and for HEAD': ['D7 areas ETag'],
  'come as CSV by path and by Accept, without formulas': ['D7 areas forms'],
  'come as a workbook: codes as text, hectares as numbers, the same bytes each time': ['D7 areas forms'],
  'come as Parquet, with the figures of the JSON': ['D7 areas forms'],
  'are refused in the language of the client': ['D7 areas refusals'],
});
checkedElsewhere('src/registers/registers.test.ts', {
  'of two tables stand side by side, the largest difference first, then what one has alone': [
    'D7 registers',
    'D7 registers units',
    'D7 registers reasons',
  ],
  'of a table and a raster are hectares beside hectares, with the land that is not compared': [
    'D7 registers',
    'D7 registers reasons',
  ],
  'of two versions of the borders belong together by the same land, with the day of the change': [
    'D7 registers reasons',
  ],
  'are refused with a sentence: other units, columns, classes and kinds': [
    'D7 registers units',
    'D7 registers refusals',
  ],
});
checkedElsewhere('src/registers/register-files.long.test.ts', {
  'have one ETag for equal content, and come as CSV, workbook and Parquet with the same figures': [
    'D7 registers forms',
  ],
  'have a map of the differences on a sheet and in a report, in the language of the reader': [
    'D7 registers forms',
  ],
});
checkedElsewhere('src/areas/own-areas.test.ts', {
  'are those of the zoning of the run, and of their union': ['D6 areas'],
  'are refused for a body that is not GeoJSON of polygons on the earth, and for what is too much': [
    'D6 areas',
  ],
  'wait in a bounded queue, and are removed after a day': ['D6 areas'],
});
checkedElsewhere('src/geo/child/areas/areas.test.ts', {
  'have the same bits however a raster is stored': ['D7 areas'],
});
checkedElsewhere('test/http/documented-statuses.test.ts', {
  '${row.method} ${row.path} ${row.status}': [
    'D7 areas refusals',
    'D7 zonal refusals',
    'D7 sheet refusals',
    'D7 sheet waits',
    'D6 areas',
  ],
});
checkedElsewhere('src/zonal/zonal.test.ts', {
  'are counted once, for all levels and statistics': ['D7 zonal'],
  'say why there are none, and sum up counts alone': ['D7 zonal minimum', 'D7 zonal sum'],
  'come as CSV, as a workbook and as Parquet': ['D7 zonal forms'],
  'become an ordinary table with observations for its dates': ['D7 zonal table'],
  'follows rasters that come, change their dates, are replaced, and go': ['D7 group zonal'],
  'changes with its settings, and stays when it is switched off': ['D7 group zonal'],
});
checkedElsewhere('src/zonal/zonal-table.test.ts', {
  'has each ready raster once, and nothing of what was deleted': ['D7 group zonal kills'],
});
checkedElsewhere('src/zonal/zonal-kills.long.test.ts', {
  'has in the end each ready raster once, and nothing of those that were deleted': ['D7 group zonal kills'],
});
checkedElsewhere('src/geo/child/areas/values.test.ts', {
  'take NaN, infinity and no data alike, and apply scale and offset': ['D7 zonal minimum'],
  'have the same bits however a raster is stored': ['D7 zonal'],
});
checkedElsewhere('src/print/sheets.test.ts', {
  'has hectares of the unit as /areas has them, and says so, in text that can be selected': ['D7 sheet'],
  'has the stated scale on paper, and draws every pixel at 300 dots to an inch': ['D7 sheet'],
  'of a frame has the hectares that its polygon has': ['D7 sheet'],
  'has the same bytes for the same content, and an ETag': ['D7 sheet waits'],
  'without a known unit, or beyond the earth, is refused': ['D7 sheet refusals'],
  'of a table that is none is refused': ['D7 atlas tables'],
});
checkedElsewhere('src/print/state-sheets.test.ts', {
  'has corners where other programs compute them, to 0.1 mm on paper, and data at them': ['D7 state sheet'],
  'has labels as on topographic maps, and says its scale, zone and datum': ['D7 state sheet'],
  'is refused in a sentence if its name is wrong, or if it does not fit': ['D7 state sheet refusals'],
  'draws lines in the width of their style, cut to the map, and a legend for each layer': ['D7 sheet layers'],
  'draws single features of a vector by their properties, where it has them': ['D7 sheet layers'],
  'is the annex of a decision, with the names of its client, which are no part of its address': [
    'D7 sheet annex',
  ],
});
checkedElsewhere('src/geo/gdal/transformation.test.ts', {
  'SK-42 goes to WGS 84 as on sheets of the state map, to a millimetre, all over Kazakhstan': [
    'D7 state sheet',
  ],
});
checkedElsewhere('common/maps/paper/nomenclature.test.ts', {
  'has the corners that another program computes, on both datums, to a millimetre on the ground': [
    'D7 state sheet',
  ],
  'is read in both alphabets, with any hyphens and zeros, and named in one way': ['D7 state sheet'],
  'is refused with the reason if it is wrong, doubled or far away': ['D7 state sheet refusals'],
});
