import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import type { Client } from '../client.ts';
import { defaults, leaves, nodes } from '../support/graph.ts';

interface Graph {
  readonly version: number;
  readonly slots: readonly {
    readonly group: string;
    readonly title: string;
    readonly kind: string;
    readonly unit: string | null;
    readonly range: readonly number[] | null;
    readonly classes: readonly { readonly value: number; readonly label: string }[] | null;
    readonly zero_where_missing: boolean;
    readonly quantity: string;
    readonly source: string;
  }[];
  readonly nodes: readonly {
    readonly code: string;
    readonly group: string;
    readonly stage: number;
    readonly title: string;
    readonly unit: string | null;
    readonly inputs: readonly string[];
    readonly params: readonly string[];
    readonly legend: {
      readonly kind: string;
      readonly entries: readonly { readonly value: number; readonly color: string; readonly label: string }[];
    };
    readonly reading: string;
  }[];
  readonly params: readonly {
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly minimum: number | null;
    readonly maximum: number | null;
    readonly default: unknown;
  }[];
  readonly sectors: readonly { readonly number: number; readonly title: string }[];
}

const path = '/landscape/graph';
const readGraph = async (client: Client, language = 'en') =>
  (await client.expect(200, 'GET', path, { headers: { 'accept-language': language } })).read<Graph>();

claim(
  ['D7 graph'],
  'the graph has the slots, nodes, parameters and sectors that the program has, with all that a page shows of them',
  async (client) => {
    const graph = await readGraph(client);
    assert.deepEqual(
      graph.slots.map(({ group, title, range, classes }) => [
        group,
        title,
        range ?? classes?.map(({ value }) => value),
      ]),
      leaves.map(({ code, title, valid }) => [code, title, 'classes' in valid ? valid.classes : valid]),
    );
    assert.deepEqual(
      graph.slots.filter((slot) => slot.zero_where_missing).map(({ group }) => group),
      ['landscape-in-protected-areas'],
    );
    assert.deepEqual(
      graph.nodes.map(({ code, group, title, unit, params }) => ({
        code,
        group,
        title,
        unit,
        params: params.toSorted(),
      })),
      nodes.map(({ code, group, title, unit, params }) => ({ code, group, title, unit, params })),
    );
    for (const [at, { code, stage, inputs, legend, reading }] of graph.nodes.entries()) {
      assert.equal(stage, Number(code[0]));
      assert.deepEqual([...new Set(['landscape-in-dem', ...inputs])].toSorted(), nodes[at]?.reads, code);
      assert.equal(legend.kind, nodes[at]?.type === 'uint8' ? 'values' : 'ramp', code);
      assert.equal(reading.split(/(?<=\.)\s/u).length, 2, reading);
    }
    assert.deepEqual(
      Object.fromEntries(graph.params.map(({ name, default: value }) => [name, value])),
      defaults,
    );
    for (const { name, minimum, maximum } of graph.params) {
      assert.equal(minimum === null, name === 'tie_priority', name);
      assert.equal(maximum === null, name === 'tie_priority', name);
    }
    assert.deepEqual(
      graph.sectors.map(({ number }) => number),
      [1, 2, 3, 4, 5],
    );
  },
);

claim(['D7 graph'], 'a client that has the graph asks for it with its ETag', async (client) => {
  const { headers } = await client.expect(200, 'GET', path);
  const etag = headers.get('etag') ?? '';
  assert.match(etag, /^"[^"]+"$/);
  await client.expect(304, 'GET', path, { headers: { 'if-none-match': etag } });
});
