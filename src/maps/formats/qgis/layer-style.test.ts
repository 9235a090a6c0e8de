import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSld } from '../../../../common/maps/style/sld-read.ts';
import { type LayerColumn, qgisFilterOf } from './expression.ts';
import { qgisStyleOf } from './layer-style.ts';

const columns = new Map<string, LayerColumn>([
  ['n', { name: 'n', type: 'Int' }],
  ['a"b', { name: 'a"b', type: 'String' }],
  ['is', { name: 'is_2', type: 'Bool' }],
]);

test('a filter says in QGIS what it says in the service, and is never NULL', () => {
  assert.equal(qgisFilterOf(['==', ['get', 'n'], '1.50'], columns), 'coalesce("n" = 1.5, FALSE)');
  assert.equal(
    qgisFilterOf(['!=', ['get', 'a"b'], "it's \\ 5"], columns),
    `coalesce(try(to_real(nullif("a""b", ''))) <> NULL, coalesce(nullif("a""b", '') <> 'it''s \\\\ 5', FALSE))`,
  );
  assert.equal(
    qgisFilterOf(['!', ['==', ['get', 'x:is'], 'true']], columns),
    `(NOT coalesce(CASE WHEN "is_2" THEN 'true' WHEN NOT "is_2" THEN 'false' END = 'true', FALSE))`,
  );
  assert.equal(qgisFilterOf(['any', []], columns), 'FALSE');
  assert.equal(qgisFilterOf(['null', ['get', 'nothing']], columns), '(NULL IS NULL)');
  assert.equal(
    qgisFilterOf(['like', ['get', 'a"b'], [0, '.', 1]], columns),
    String.raw`(regexp_match(coalesce(to_string(nullif("a""b", '')), ''), '(?s)^.*\\..\\z') > 0)`,
  );
});

const sld = (rules: string) =>
  readSld(
    `<StyledLayerDescriptor xmlns="http://www.opengis.net/sld"><NamedLayer><UserStyle>${rules}</UserStyle></NamedLayer></StyledLayerDescriptor>`,
  ).rules;
const fill =
  '<PolygonSymbolizer><Fill><CssParameter name="fill">#0102ff</CssParameter></Fill></PolygonSymbolizer>';

test('a layer has a rule for each rule, with its colours, scales and title', () => {
  const rules = sld(
    `<FeatureTypeStyle><Rule><Title>A &amp; "b"</Title><MaxScaleDenominator>50000.5</MaxScaleDenominator>${fill}</Rule></FeatureTypeStyle>
     <FeatureTypeStyle><Rule><ElseFilter/>${fill}</Rule></FeatureTypeStyle>`,
  );
  const style = qgisStyleOf({ title: 't', rules, columns, kind: 'polygon' });
  assert.match(
    style,
    /<rule key="polygon 0"><rule key="rule 0" symbol="0" label="A &amp; &quot;b&quot;" filter="" scalemaxdenom="50001"\/><\/rule>/,
  );
  assert.match(
    style,
    /<rule key="polygon 1"><rule key="rule 1" symbol="1" label="" filter="ELSE"\/><\/rule>/,
  );
  assert.match(
    style,
    /symbollevels="1".*<prop k="color" v="1,2,255,255"\/>.*pass="1".*<layerGeometryType>2</s,
  );
});

test('without rules each kind of geometry is drawn as on the maps of the service', () => {
  const style = qgisStyleOf({ title: 'Вся "карта"', rules: [], columns, kind: undefined });
  assert.equal(style.match(/label="Вся &quot;карта&quot;"/g)?.length, 3);
  assert.match(style, /31,106,82,41.*<prop k="line_color" v="31,106,82,255"\/>|line_color.*31,106,82,41/s);
  assert.doesNotMatch(style, /layerGeometryType/);
});
