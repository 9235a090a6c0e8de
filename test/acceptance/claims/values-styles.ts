import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import type { Client } from '../client.ts';
import { process } from '../support/datasets.ts';
import { box, featureFile } from '../support/files.ts';

interface StyleReport {
  readonly left_out: readonly { readonly code: string; readonly message: string }[];
}

const fill =
  '<PolygonSymbolizer><Fill><CssParameter name="fill">#0000ff</CssParameter></Fill></PolygonSymbolizer>';
const ruleOn = (name: string, property: string) =>
  `<Rule><Name>${name}</Name><Filter><PropertyIsEqualTo><PropertyName>${property}</PropertyName><Literal>1</Literal></PropertyIsEqualTo></Filter>${fill}</Rule>`;

/** All that the report of a style says, in a language. */
async function saidOf(client: Client, rules: string, language = 'en'): Promise<string> {
  const { id } = await process(client, 'ready', featureFile(box(70, 50, 71, 51), { kind: 1, NAME: 'a' }));
  const sld = `<StyledLayerDescriptor version="1.0.0"><NamedLayer><UserStyle><FeatureTypeStyle>${rules}</FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
  await client.expect(200, 'POST', `/datasets/${id}/sld`, { form: { file: new File([sld], 'style.sld') } });
  const headers = { 'accept-language': language };
  const report = await client.expect(200, 'GET', `/datasets/${id}/sld/report`, { headers });
  return report
    .read<StyleReport>()
    .left_out.map(({ message }) => message)
    .join('\n');
}

claim(
  ['D9 style property', 'D9 languages'],
  'a rule over a property that no feature has is told by its name, and the property too',
  async (client) => {
    const rules = ruleOn('Lakes', 'knid') + ruleOn('Rivers', 'kind');
    for (const language of ['en', 'ru', 'kk']) {
      const said = await saidOf(client, rules, language);
      assert.match(said, /Lakes/);
      assert.match(said, /knid/);
      assert.doesNotMatch(said, /Rivers/);
    }
    assert.equal(await saidOf(client, ruleOn('Rivers', 'kind')), '');
  },
);

claim(
  ['D9 style part', 'D9 languages'],
  'a part that is not drawn is told by the name of its rule',
  async (client) => {
    const rules = `<Rule><Name>Names of lakes</Name>${fill}<TextSymbolizer/></Rule><Rule><Name>Plain</Name>${fill}</Rule>`;
    for (const language of ['en', 'ru', 'kk']) {
      const said = await saidOf(client, rules, language);
      assert.match(said, /Names of lakes/);
      assert.doesNotMatch(said, /Plain/);
    }
  },
);
