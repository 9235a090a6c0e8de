import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { closeAfterTests, temporaryFolder } from '../../support/for-tests.ts';
import { writeRaster } from '../../support/geo/geotiffs.ts';
import { createLandscapeClient, leaves } from '../../support/landscape/landscape.ts';
import { readLegend } from '../../support/maps/legends.ts';
import { eventually } from '../../support/processes.ts';
import { projectRoot } from '../../support/project.ts';
import { startService } from '../../support/service.ts';
import { runGdal } from './gdal-tools.ts';

/** A map that clients show, and its data. */
export interface ClientMap {
  /** Address of the group, whose freshest raster is the map. */
  readonly address: string;
  readonly group: string;
  /** Address of the raster. */
  readonly dataset: string;
  /** Colours by value, as `#rrggbb`. */
  readonly colours: ReadonlyMap<number, string>;
}

/** The days of the two years that have a raster. */
export const days = ['2023-12-31', '2024-12-31'] as const;
/** Grid near 62° E and 52.5° N, in UTM zone 41N. */
export const grid = {
  width: 120,
  height: 90,
  affine: [430_000, 1000, 0, 5_850_000, 0, -1000],
  epsg: 32_641,
} as const;

/** Starts a service for the tests of a file, and has it compute the zoning of the example. */
export async function openMaps(env: Readonly<Record<string, string>> = {}) {
  const { baseUrl } = await closeAfterTests(startService({ env }));
  const client = createLandscapeClient(baseUrl);
  const folder = await temporaryFolder();
  const inputs = leaves.map(async (leaf) => {
    const name = `${leaf}.tif`;
    const path = join(folder, name);
    // Cells of 0.01°, each of which covers several pixels of the screen at the tested zooms.
    const coarser = ['-q', '-r', 'nearest', '-outsize', '150', '110'];
    runGdal(folder, ['gdal_translate', ...coarser, join(projectRoot, 'examples/landscape', name), path]);
    return [leaf, new File([await readFile(path)], name)] as const;
  });
  await client.fillAll(Object.fromEntries(await Promise.all(inputs)));
  await client.run();
  const results = await client.json<readonly { group: string; group_id: string }[]>('/landscape/results');
  const found = results.body.find(({ group }) => group === 'landscape-34-functional-zoning');
  const zoning = await mapOf(found?.group_id ?? '');

  async function mapOf(group: string): Promise<ClientMap> {
    const address = `${baseUrl}/dataset-groups/${group}`;
    const { entries } = await readLegend(address);
    const { body } = await client.json<{ id: string }>(`/dataset-groups/${group}/latest`);
    const colours = new Map(
      entries.map(({ value, colour }) => [value ?? assert.fail('a class has no value'), colour]),
    );
    return { address, group, dataset: `${baseUrl}/datasets/${body.id}`, colours };
  }

  async function post(
    path: string,
    fields: Readonly<Record<string, string | File>>,
  ): Promise<{ id: string }> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    const answer = await fetch(`${baseUrl}${path}`, { method: 'POST', body: form });
    const text = await answer.text();
    assert.ok(answer.ok, text);
    return JSON.parse(text);
  }

  return {
    baseUrl,
    client,
    zoning,
    /** Makes a map with a raster for each of the days, which differ everywhere, in the style of the zoning; returns it by day. */
    async makeYears(): Promise<Readonly<Record<(typeof days)[number], ClientMap>>> {
      const category = await client.createCategory('years');
      const input = JSON.stringify({ code: 'years', name: 'Zones by year' });
      const group = await client.json<{ id: string }>('/dataset-groups', { method: 'POST', body: input });
      const style = await (await fetch(`${zoning.address}/sld`)).blob();
      await post(`/dataset-groups/${group.body.id}/sld`, { file: new File([style], 'zones.sld') });
      const classes = [...zoning.colours.keys()];
      const [first, second] = days;
      const upload = async (day: string, shift: number): Promise<ClientMap> => {
        const path = join(folder, `${day}.tif`);
        const value = (column: number, row: number): number =>
          row < 9 && column < 9
            ? 0
            : (classes[(Math.floor(column / 9) + Math.floor(row / 7) + shift) % classes.length] ?? 0);
        writeRaster(path, { ...grid, dataType: 'Byte', noData: 0, value });
        const file = new File([await readFile(path)], `${day}.tif`);
        const fields = {
          file_type: 'raster',
          category_id: category,
          dg_id: group.body.id,
          end_date: day,
          file,
        };
        const { id } = await post('/datasets', fields);
        await eventually(day, async () => (await client.status(id)).status === 'ready');
        return await mapOf(group.body.id);
      };
      return { [first]: await upload(first, 0), [second]: await upload(second, 1) };
    },
  };
}
