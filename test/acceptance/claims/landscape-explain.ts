import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import type { Client } from '../client.ts';
import { nodeCodes } from '../support/graph.ts';
import { firstRun, goldenPins, outputOf, type Run, succeed } from '../support/landscape.ts';
import { readCog } from '../support/rasters.ts';

interface Move {
  readonly from: number | null;
  readonly to: number | null;
}

interface Explanation {
  readonly language: string;
  readonly is_on_grid: boolean;
  readonly pixel: { readonly column: number; readonly row: number } | null;
  readonly sentence: string;
  readonly code: { readonly value: number; readonly title: string } | null;
  readonly S: {
    readonly value: number;
    readonly sectors: readonly number[];
    readonly order: readonly number[];
  } | null;
  readonly nodes: readonly {
    readonly node: string;
    readonly value: number | null;
    readonly is_confirmed: boolean | null;
  }[];
  readonly inputs: readonly {
    readonly group: string;
    readonly dataset_id: string;
    readonly value: number | null;
  }[];
  readonly missing: readonly { readonly group: string }[];
  readonly nearest_changes: readonly {
    readonly kind: string;
    readonly name: string;
    readonly from: number | null;
    readonly to: number | null;
    readonly order: readonly number[] | null;
    readonly code: Move;
  }[];
}

const pathOf = (run: Run) => `/landscape/runs/${run.id}/explain`;

/** The claims of this file run beside each other and share what they ask. */
const explained = new Map<string, ReturnType<typeof askAll>>();

/** Explanations of places on the golden grid, one for each of its 16 pixels or more. */
async function explainAll(client: Client, run: Run) {
  const known = explained.get(run.id) ?? askAll(client, run);
  explained.set(run.id, known);
  return await known;
}

async function askAll(client: Client, run: Run) {
  const { bbox } = await client.get<{ bbox: readonly [number, number, number, number] }>(
    `/datasets/${outputOf(run, '34')}`,
  );
  const [west, south, east, north] = bbox;
  const shares = Array.from({ length: 6 }, (_, i) => (i + 0.5) / 6);
  const found = [];
  for (const [across, down] of shares.flatMap((x) => shares.map((y) => [x, y] as const))) {
    const query = `?lon=${west + across * (east - west)}&lat=${north + down * (south - north)}`;
    found.push({ query, explained: await client.get<Explanation>(pathOf(run) + query) });
  }
  return { found, bbox };
}

claim(
  ['D6 explain'],
  'a place of a run is explained by the values of its rasters, or by what is missing there',
  async (client) => {
    const run = await firstRun(client);
    const { found, bbox } = await explainAll(client, run);
    const cogs = new Map<string, Awaited<ReturnType<typeof readCog>>>();
    for (const code of nodeCodes) cogs.set(code, await readCog(client, outputOf(run, code)));
    let [zones, holes] = [0, 0];
    for (const { explained } of found) {
      const { pixel, code, nodes, missing, inputs } = explained;
      if (pixel === null) continue;
      const at = (name: string) => {
        const { values, width } = cogs.get(name) ?? assert.fail();
        return values[pixel.row * width + pixel.column];
      };
      assert.equal(code?.value ?? 0, at('34'));
      for (const { node, value } of nodes) {
        const isNone = at(node) === -9999 || at(node) === 0;
        assert.equal(
          value === null ? null : Math.fround(value),
          value === null && isNone ? null : at(node),
          node,
        );
      }
      assert.equal(inputs.length, 13);
      if (code === null) {
        assert.ok(missing.length > 0);
        holes += 1;
      } else zones += 1;
    }
    assert.ok(zones > 0 && holes > 0, `${zones} zones, ${holes} holes`);
    const far = await client.get<Explanation>(`${pathOf(run)}?lon=${bbox[2] + 5}&lat=${bbox[3]}`);
    assert.deepEqual([far.is_on_grid, far.pixel, far.nodes.length], [false, null, 0]);
    for (const query of ['', '?lon=1', '?lon=x&lat=1', '?lon=1&lat=91', '?lon=1&lat=1&lang=de'])
      await client.expect(400, 'GET', pathOf(run) + query);
    const none = '/landscape/runs/00000000-0000-4000-8000-000000000000/explain?lon=1&lat=1';
    await client.expect(404, 'GET', none);
  },
);

claim(
  ['D6 explain changes'],
  'what would change a place does so in a run with that parameter',
  async (client) => {
    const overrides = await goldenPins(client);
    const { found } = await explainAll(client, await firstRun(client));
    const changed = found.flatMap(({ query, explained }) =>
      explained.nearest_changes.map((change) => ({ query, change, explained })),
    );
    const threshold = changed.find(({ change }) => change.kind === 'threshold') ?? assert.fail();
    const order = changed.find(({ change }) => change.kind === 'order') ?? assert.fail();
    for (const { query, change, explained } of [threshold, order]) {
      const params = { [change.name]: change.order ?? change.to };
      const run = await succeed(client, { overrides, params });
      const after = await client.get<Explanation>(pathOf(run) + query);
      assert.equal(change.code.from, explained.code?.value);
      assert.equal(after.code?.value ?? null, change.code.to, JSON.stringify(change));
      assert.notEqual(change.code.to, change.code.from);
    }
    const numbers = changed.filter(({ change }) => change.kind === 'number');
    assert.ok(
      numbers.length > 10 && numbers.every(({ change: { from, to } }) => from !== null && to !== null),
    );
  },
);

claim(
  ['D6 explain languages'],
  'explanations are in the language of lang, else of Accept-Language, with the same facts',
  async (client) => {
    const run = await firstRun(client);
    const { found } = await explainAll(client, run);
    const { query } = found.find(({ explained }) => explained.code !== null) ?? assert.fail();
    const ask = async (text: string, headers: Record<string, string> = {}) => {
      const answer = await client.expect(200, 'GET', pathOf(run) + query + text, { headers });
      assert.match(answer.headers.get('vary') ?? '', /Accept-Language/);
      const body = answer.read<Explanation>();
      assert.equal(answer.headers.get('content-language'), body.language);
      return body;
    };
    const english = await ask('');
    const russian = await ask('&lang=ru', { 'accept-language': 'kk' });
    const kazakh = await ask('', { 'accept-language': 'kk' });
    assert.deepEqual([english.language, russian.language, kazakh.language], ['en', 'ru', 'kk']);
    assert.match(russian.sentence, /^(?:Это место|У этого места)/);
    assert.match(kazakh.sentence, /^Бұл жер/);
    for (const other of [russian, kazakh]) assert.equal(other.code?.value, english.code?.value);
  },
);
