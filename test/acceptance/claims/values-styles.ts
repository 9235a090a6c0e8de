import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import type { Client } from '../client.ts';
import { process } from '../support/datasets.ts';
import { box, featureFile } from '../support/files.ts';

interface Part {
  readonly code: string;
  readonly message: string;
  /** The rules that have it. */
  readonly rules: readonly { readonly name: string }[];
}

const fill =
  '<PolygonSymbolizer><Fill><CssParameter name="fill">#0000ff</CssParameter></Fill></PolygonSymbolizer>';
const ruleOn = (name: string, property: string) =>
  `<Rule><Name>${name}</Name><Filter><PropertyIsEqualTo><PropertyName>${property}</PropertyName><Literal>1</Literal></PropertyIsEqualTo></Filter>${fill}</Rule>`;

/** What a style over a square with two properties is said to leave out. */
async function leftOutOf(client: Client, rules: string) {
  const { id } = await process(client, 'ready', featureFile(box(70, 50, 71, 51), { kind: 1, NAME: 'a' }));
  const sld = `<StyledLayerDescriptor version="1.0.0"><NamedLayer><UserStyle><FeatureTypeStyle>${rules}</FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
  await client.expect(200, 'POST', `/datasets/${id}/sld`, { form: { file: new File([sld], 'style.sld') } });
  const inLanguage = async (language: string) => {
    const headers = { 'accept-language': language };
    const report = await client.expect(200, 'GET', `/datasets/${id}/sld/report`, { headers });
    return report.read<{ left_out: readonly Part[] }>().left_out;
  };
  return { en: await inLanguage('en'), ru: await inLanguage('ru'), kk: await inLanguage('kk') };
}

/** Expects one part, in three languages, of this rule alone. */
function assertNamed({ en, ru, kk }: Awaited<ReturnType<typeof leftOutOf>>, name: string): void {
  for (const parts of [en, ru, kk])
    assert.deepEqual(
      parts.map(({ rules }) => rules.map((rule) => rule.name)),
      [[name]],
    );
  assert.equal(new Set([en, ru, kk].map(([part]) => part?.message)).size, 3);
}

claim(
  ['D9 style property', 'D9 languages'],
  'a rule over a property that no feature has is told by its name',
  async (client) => {
    assertNamed(await leftOutOf(client, ruleOn('Lakes', 'knid') + ruleOn('Rivers', 'kind')), 'Lakes');
    assert.deepEqual((await leftOutOf(client, ruleOn('Rivers', 'kind'))).en, []);
  },
);

claim(
  ['D9 style part', 'D9 languages'],
  'a part that is not drawn is told by the name of its rule',
  async (client) => {
    const rules = `<Rule><Name>Names of lakes</Name>${fill}<TextSymbolizer/></Rule><Rule><Name>Plain</Name>${fill}</Rule>`;
    assertNamed(await leftOutOf(client, rules), 'Names of lakes');
  },
);
