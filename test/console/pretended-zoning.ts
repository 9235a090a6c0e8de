import type { BrowserContext, Page } from 'playwright-core';
import { exampleDatasetAreas } from '../../src/areas/examples.ts';
import { polygons, dossier } from '../../console/src/pages/runs/words/en.ts';
import { judge } from '../../console/src/pages/judge/words/en.ts';
import {
  exampleBalance,
  exampleConflicts,
  exampleSensitivity,
  exampleStability,
} from '../../src/landscape/balance/examples.ts';
import { exampleDossier, exampleInventory, exampleSignature } from '../../src/landscape/dossier/examples.ts';
import { exampleExplanation } from '../../src/landscape/explain/example.ts';
import { exampleInputSensitivity } from '../../src/landscape/input-moves/input-sensitivity-schema.ts';
import { examplePolygons } from '../../src/landscape/polygons/polygons-schema.ts';
import { LandscapeWhere } from '../../src/landscape/limits/where-schema.ts';

export interface Pretended {
  readonly baseUrl: string;
  /** A run that has failed. */
  readonly runId: string;
  /** Raster that stands for the zoning of the run. */
  readonly raster: string;
}

/** A transparent picture. */
const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** Steps to pages about a zoning that was never made: everything that they request exists, except for what the service must fail once. */
export function pretendedZoning({ baseUrl, runId, raster }: Pretended) {
  /** Describes the run as one that has made a zoning, for which the raster stands. */
  const withZoning = async (context: BrowserContext) =>
    await context.route(`**/landscape/runs/${runId}`, async (route) => {
      const answer: { nodes: readonly { node_code: string }[] } = await (await route.fetch()).json();
      const nodes = answer.nodes.map((node) =>
        node.node_code === '34' ? { ...node, status: 'succeeded', outputs: [{ dataset_id: raster }] } : node,
      );
      await route.fulfill({ json: { ...answer, status: 'succeeded', nodes } });
    });

  /** Answers all figures about such a run except one, which then fails once. */
  const judgingBut =
    (failing: string) =>
    async (page: Page): Promise<void> => {
      const cog = `${baseUrl}/datasets/${raster}.cog`;
      const figures = {
        balance: exampleBalance,
        sensitivity: exampleSensitivity,
        conflicts: exampleConflicts,
        stability: exampleStability,
        'input-sensitivity': exampleInputSensitivity,
      };
      const context = page.context();
      await withZoning(context);
      await context.route('**/layers/cells.cog', async (route) => {
        if (failing === 'cells.cog' && isLeftToFail()) return await route.fallback();
        await route.fulfill({ response: await route.fetch({ url: cog }) });
      });
      let hasFailed = false;
      const isLeftToFail = (): boolean => !hasFailed && (hasFailed = true);
      for (const [name, json] of Object.entries(figures))
        await context.route(`**/landscape/runs/${runId}/${name}?*`, async (route) => {
          if (failing === name && isLeftToFail()) return await route.fallback();
          await route.fulfill({ json });
        });
      await page.goto(`${baseUrl}/#/landscape/runs/${runId}/judge`);
      if (failing === 'input-sensitivity') await page.getByText(judge.inputs).click();
    };

  /** Describes the raster as an output of a run, so that its map requests the figures of a zoning, of which the service knows nothing. */
  const asZoning =
    (wanted: 'explain' | 'conflicts') =>
    async (page: Page): Promise<void> => {
      await page.context().route(`**/datasets/${raster}`, async (route) => {
        const answer = await (await route.fetch()).json();
        await route.fulfill({ json: { ...answer, meta: { run_id: runId, node: '34' } } });
      });
      for (const [kind, json] of [
        ['explain', exampleExplanation],
        ['conflicts', exampleConflicts],
      ] as const) {
        let isFirst = kind === wanted;
        await page.context().route(`**/${kind}?*`, async (route) => {
          // The first request is left to fail.
          await (isFirst ? route.fallback() : route.fulfill({ json }));
          isFirst = false;
        });
      }
      await page.reload();
    };

  /** Places of such a run that meet a condition, and their map; the first request of one kind is left to fail. */
  const placesBut =
    (failing: 'figures' | 'tiles') =>
    async (page: Page): Promise<void> => {
      const context = page.context();
      await withZoning(context);
      for (const [kind, path, answer] of [
        ['figures', '**/where?*', { json: Object(LandscapeWhere.meta()).examples[0] }],
        ['tiles', '**/where/tiles/**', { contentType: 'image/png', body: onePixel }],
      ] as const) {
        let isFirst = kind === failing;
        await context.route(path, async (route) => {
          const fails = isFirst;
          // Pictures are asked for at the same time.
          isFirst = false;
          await (fails ? route.fallback() : route.fulfill(answer));
        });
      }
      await page.goto(`${baseUrl}/#/landscape/runs/${runId}?where=01%3C5`);
    };

  /** Polygons of such a run; the first list, or the first that are made, are left to fail. */
  const polygonsBut =
    (failing: 'GET' | 'POST') =>
    async (page: Page): Promise<void> => {
      const context = page.context();
      await withZoning(context);
      let isLeft = true;
      await context.route(/\/polygons(?:\?|$)/, async (route) => {
        const method = route.request().method();
        const fails = isLeft && method === failing;
        if (fails) isLeft = false;
        const json = method === 'GET' ? [examplePolygons] : examplePolygons;
        await (fails ? route.fallback() : route.fulfill({ json }));
      });
      await page.goto(`${baseUrl}/#/landscape/runs/${runId}`);
      await page.getByText(polygons.title).click();
      if (failing === 'POST') await page.getByRole('button', { name: polygons.make }).click();
    };

  /** Report on such a run, whose first answer is left to fail. */
  const reporting = async (page: Page): Promise<void> => {
    const context = page.context();
    await withZoning(context);
    let isFirst = true;
    await context.route('**/report.html?*', async (route) => {
      await (isFirst
        ? route.fallback()
        : route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
      isFirst = false;
    });
    await page.reload();
    await page.locator('summary').filter({ hasText: 'Report' }).click();
    await page.getByRole('button', { name: '↓ English' }).click();
  };

  /** Dossier of such a run; the first answer to one of its methods is left to fail. */
  const dossierBut =
    (failing: 'GET' | 'HEAD' | 'PUT' | 'inventory') =>
    async (page: Page): Promise<void> => {
      const context = page.context();
      await withZoning(context);
      let isLeft = true;
      const answers = {
        GET: { json: exampleDossier },
        HEAD: { headers: { 'content-length': '418000000' } },
        PUT: { json: exampleSignature },
      };
      await context.route(/\/dossier(?:\.zip|\/signature)?(?:\?|$)/, async (route) => {
        const method = route.request().method();
        const fails = isLeft && method === failing;
        if (fails) isLeft = false;
        await (fails ? route.fallback() : route.fulfill(Object(answers)[method]));
      });
      await page.reload();
      await context.route('**/inventory.json?*', async (route) => {
        const fails = isLeft && failing === 'inventory';
        if (fails) isLeft = false;
        await (fails ? route.fallback() : route.fulfill({ json: exampleInventory }));
      });
      await page.locator('summary').filter({ hasText: dossier.title }).click();
      if (failing === 'inventory')
        await page.getByRole('button', { name: `↓ ${dossier.inventoryFile}` }).click();
      if (failing !== 'PUT') return;
      const file = {
        name: 'manifest.p7s',
        mimeType: 'application/pkcs7-signature',
        buffer: Buffer.from('0'),
      };
      await page.locator('input[type=file]').setInputFiles(file);
    };

  /** Map on paper: an atlas of such a run, or a sheet of its raster; the first PDF is left to fail. */
  const printing =
    (kind: 'atlas' | 'sheet', print: (page: Page) => Promise<void>) =>
    async (page: Page): Promise<void> => {
      const context = page.context();
      await withZoning(context);
      await context.route('**/areas?*', async (route) => await route.fulfill({ json: exampleDatasetAreas }));
      let isFirst = true;
      await context.route(`**/${kind}.pdf?*`, async (route) => {
        const fails = isFirst;
        isFirst = false;
        await (fails
          ? route.fallback()
          : route.fulfill({ contentType: 'application/pdf', body: '%PDF-1.4' }));
      });
      await page.reload();
      await print(page);
    };

  return { judgingBut, asZoning, placesBut, polygonsBut, reporting, dossierBut, printing };
}
