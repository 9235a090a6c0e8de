import assert from 'node:assert/strict';
import { checkedElsewhere, claim } from '../../claim.ts';
import type { Client } from '../../client.ts';
import { defaults, leaves, nodes } from '../../support/graph.ts';
import { firstRun, outputOf } from '../../support/landscape.ts';

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
  readonly catalogue: { readonly category: Seeded; readonly groups: readonly Seeded[] };
}

interface Seeded {
  readonly code: string;
  readonly name: string;
  readonly description: string;
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
    assert.equal(graph.catalogue.category.code, 'landscape');
    assert.deepEqual(
      graph.catalogue.groups.map(({ code }) => code),
      [...leaves.map(({ code }) => code), ...nodes.map(({ group }) => group)],
    );
  },
);

claim(['D7 graph'], 'a client that has the graph asks for it with its ETag', async (client) => {
  const { headers } = await client.expect(200, 'GET', path);
  const etag = headers.get('etag') ?? '';
  assert.match(etag, /^"[^"]+"$/);
  await client.expect(304, 'GET', path, { headers: { 'if-none-match': etag } });
});

const languages = {
  en: /\p{Script=Latin}{3}/u,
  ru: /\p{Script=Cyrillic}/u,
  kk: /\p{Script=Cyrillic}/u,
} as const;

claim(
  ['D7 graph', 'D7 graph languages', 'D7 language headers'],
  'all that people read of the graph is in the language of the client, and the same otherwise',
  async (client) => {
    const shapes = new Set<string>();
    for (const [language, letters] of Object.entries(languages)) {
      const graph = await readGraph(client, language);
      const texts = [
        ...graph.slots.flatMap(({ title, quantity, classes }) => [
          title,
          quantity,
          ...(classes ?? []).map(({ label }) => label),
        ]),
        ...graph.nodes.flatMap(({ title, reading, legend }) => [
          title,
          reading,
          ...(legend.kind === 'values' ? legend.entries.map(({ label }) => label) : []),
        ]),
        ...graph.params.flatMap(({ title, description }) => [title, description]),
        ...graph.sectors.map(({ title }) => title),
        ...[graph.catalogue.category, ...graph.catalogue.groups].flatMap(({ name, description }) => [
          name,
          description,
        ]),
      ];
      for (const text of texts) assert.match(text, letters, language);
      shapes.add(
        JSON.stringify({
          slots: graph.slots.map(({ group, kind, range, classes }) => [
            group,
            kind,
            range,
            classes?.map(({ value }) => value),
          ]),
          nodes: graph.nodes.map(({ code, inputs, legend }) => [
            code,
            inputs,
            legend.entries.map(({ value, color }) => [value, color]),
          ]),
          params: graph.params.map(({ name, minimum, maximum }) => [name, minimum, maximum]),
        }),
      );
      const { headers, text } = await client.expect(200, 'GET', path, {
        headers: { 'accept-language': language },
      });
      assert.equal((await client.expect(200, 'GET', `${path}?lang=${language}`)).text, text);
      assert.equal(headers.get('content-language'), language);
      assert.match(headers.get('vary') ?? '', /\baccept-language\b/i);
    }
    assert.equal(shapes.size, 1);
  },
);

claim(
  ['D7 graph languages', 'D7 titles'],
  'titles of slots and results are those of the graph in each language, and English without one',
  async (client) => {
    for (const language of [undefined, ...Object.keys(languages)]) {
      const graph = await readGraph(client, language);
      for (const [list, described] of [
        ['/landscape/slots', graph.slots],
        ['/landscape/results', graph.nodes],
      ] as const) {
        const headers = language === undefined ? {} : { 'accept-language': language };
        const answer = await client.expect(200, 'GET', list, { headers });
        assert.deepEqual(
          answer.read<{ title: string }[]>().map(({ title }) => title),
          described.map(({ title }) => title),
        );
        assert.equal(answer.headers.get('content-language'), language ?? 'en');
        assert.match(answer.headers.get('vary') ?? '', /\baccept-language\b/i);
      }
    }
  },
);

interface Legend {
  readonly title: string;
  readonly unit: string | null;
  readonly kind: string;
  readonly entries: readonly { readonly label: string; readonly value: number }[];
  readonly reading?: string;
}

claim(
  ['D8 legend graph', 'D8 legend reading', 'D8 description languages'],
  'maps of results are described in the words of the graph, in the language of the query or of the client',
  async (client) => {
    // Results of the first run, because other claims delete the runs that they make.
    const run = await firstRun(client);
    for (const code of ['14', '26', '34']) {
      const owner = `/datasets/${outputOf(run, code)}`;
      for (const language of Object.keys(languages)) {
        const node = (await readGraph(client, language)).nodes.find((each) => each.code === code);
        const legend = await client.get<Legend>(`${owner}/legend.json?lang=${language}`);
        assert.deepEqual(
          [legend.title, legend.unit, legend.reading],
          [node?.title, node?.unit, node?.reading],
        );
        if (legend.kind === 'classes') {
          assert.deepEqual(
            legend.entries.map(({ value, label }) => [value, label]),
            node?.legend.entries.map(({ value, label }) => [value, label]),
          );
        }
        const headers = { 'accept-language': language };
        const tileJson = await client.expect(200, 'GET', `${owner}/tilejson.json`, { headers });
        const asked = await client.expect(200, 'GET', `${owner}/tilejson.json?lang=${language}`);
        assert.equal(tileJson.read<{ name: string }>().name, node?.title);
        assert.equal(asked.read<{ name: string }>().name, node?.title);
        assert.match(tileJson.headers.get('vary') ?? '', /\baccept-language\b/i);
        const wmts = await client.expect(200, 'GET', `${owner}/wmts`, { headers });
        assert.ok(wmts.text.includes(`<ows:Title>${node?.title}</ows:Title>`), wmts.text);
      }
    }
  },
);

checkedElsewhere('src/landscape/groups/graph-words-over-http.test.ts', {
  'keeps names, units and labels that users have given': ['D8 legend graph'],
});
