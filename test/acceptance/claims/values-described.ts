import assert from 'node:assert/strict';
import { checkedElsewhere, claim } from '../claim.ts';

claim(['D9 described'], 'the codes of these warnings are described', async (client) => {
  const { text } = await client.expect(200, 'GET', '/openapi.json');
  for (const code of [
    'axes_maybe_swapped',
    'codes_repaired',
    'columns_left_out',
    'dates_impossible',
    'datum_unknown',
    'encoding_overruled',
    'ids_left_out',
    'longitudes_turned',
    'nodata_suspected',
    'solids_flattened',
    'other_warnings',
  ])
    assert.ok(text.includes(`\`${code}\`: `), code);
});

// What GDAL says of a file of tomorrow cannot be planted over HTTP.
checkedElsewhere('test/geo/raster-warnings.test.ts', {});
