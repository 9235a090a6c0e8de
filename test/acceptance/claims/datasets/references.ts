import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { checkedElsewhere, claim } from '../../claim.ts';
import { makeCategory } from '../../support/catalogue.ts';
import { sharedRaster } from '../../support/shared.ts';

claim(
  ['D7 references refused'],
  'an address of a private network or of a host that is not listed is refused with a sentence, and what is here already is not copied',
  async (client) => {
    const { id: category_id } = await makeCategory(client);
    for (const address of [
      'https://127.0.0.1/a.tif',
      'https://[::ffff:10.0.0.1]/a.tif',
      'https://169.254.169.254/a.tif',
      'https://archive.example/a.tif',
      'http://archive.example/a.tif',
      'file:///etc/passwd',
    ]) {
      const said = await client.invalid(['address'], 'POST', '/datasets/references', {
        json: { address, category_id },
      });
      assert.notEqual(said['address'], '');
    }
    const raster = await sharedRaster(client);
    await client.refused(409, 'POST', `/datasets/${raster.id}/copy`);
    await client.refused(404, 'POST', `/datasets/${randomUUID()}/copy`);
  },
);

checkedElsewhere('src/datasets/reference/references.test.ts', {
  'is described, drawn, counted and downloaded like an upload of the same bytes': ['D7 references'],
  'makes an upload of it, with the same bytes, and asks the source no more': ['D7 references'],
  'has the features of an upload, and its original is there': ['D7 references vectors'],
});
checkedElsewhere('src/remote/remote-files.test.ts', {
  'is an address of OWASP’s list, even if its host is listed': ['D7 references servers'],
  'is private by the answer of a name server, also by its second answer': ['D7 references servers'],
});
checkedElsewhere('src/landscape/execution/references.long.test.ts', {
  'is byte-equal to the run over uploads, and is not adopted before they are copied': ['D7 references runs'],
  'fails with the reason if one has changed': ['D7 references runs'],
});
checkedElsewhere('src/remote/bucket-files.test.ts', {
  'is never read unless the operator has listed it, and below its prefix alone': ['D7 references buckets'],
});
checkedElsewhere('src/datasets/reference/stac/stac-references.test.ts', {
  'is looked at, and the chosen file of each item becomes a reference with its period': [
    'D7 references stac',
  ],
  'are named with the reason, and lead to no other host': ['D7 references stac'],
});
