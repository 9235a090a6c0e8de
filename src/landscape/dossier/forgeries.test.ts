import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { describe, test } from 'node:test';
import {
  bases,
  goodMembers,
  outcomeOfGood,
  signedBy,
  written,
  type Base,
  type Forged,
  type Kinds,
} from '../../../test/support/landscape/forgeries/kit.ts';
import { impostor, ministry, trusted } from '../../../test/support/landscape/forgeries/signers.ts';
import { randomOf } from '../../../test/support/landscape/plan-changes.ts';
import {
  inMemory,
  json,
  smallRun,
  withFingerprints,
  withoutElevation,
} from '../../../test/support/landscape/small-dossier.ts';
import { repetitions } from '../../../test/support/tier.ts';
import { names } from './inventory.ts';
import { conclusionOf } from './verification/recompute.ts';
import { verifyDossier, type VerifyOptions } from './verification/verify.ts';
import { fileForgeries } from '../../../test/support/landscape/forgeries/files.ts';
import { manifestForgeries } from '../../../test/support/landscape/forgeries/manifests.ts';
import { memberForgeries } from '../../../test/support/landscape/forgeries/members.ts';
import { signatureForgeries } from '../../../test/support/landscape/forgeries/signatures.ts';

const kinds: Kinds = {
  ...memberForgeries,
  ...manifestForgeries,
  ...signatureForgeries,
  ...fileForgeries,
};

/** Forges a dossier with one of the kinds of signature; undefined where the kind of forgery does not apply. */
async function forge(
  kind: Kinds[string],
  base: Base,
  seed: number,
  random: () => number,
): Promise<Forged | undefined> {
  const run = smallRun(seed);
  const members = goodMembers(base, run);
  const asRun = base === 'earlier' ? withoutElevation(run) : run;
  return await kind({ base, members, run: asRun, other: smallRun(seed + 10_000), random });
}

/** Repetitions for each kind of forgery and each kind of signature. */
const each = repetitions('STEPPE_FORGERIES', 1, 4);
const now = new Date('2026-11-28T12:00:00Z');

async function examined(bytes: Buffer, more: Partial<VerifyOptions> = {}) {
  const { signal } = new AbortController();
  return await verifyDossier(inMemory(bytes), { signal, trusted, now, ...more });
}

describe('A dossier', () => {
  for (const base of bases) {
    test(`that is unchanged is found to be what it is: ${base}`, async () => {
      const run = smallRun(7);
      const { outcome, faults, unchecked } = await examined(
        await written(goodMembers(base, run), base === 'earlier' ? withoutElevation(run) : run),
      );
      assert.deepEqual(
        { outcome, faults, unchecked },
        { outcome: outcomeOfGood[base], faults: [], unchecked: [] },
      );
    });
  }

  test('that is signed as a whole shows nothing of the name in its certificate, unless that is trusted', async () => {
    const run = smallRun(7);
    const good = await written(goodMembers('inventory', run), run);
    const forged = await written(signedBy(impostor, run, run.documents), run);
    for (const bytes of [good, forged])
      assert.equal((await examined(bytes, { trusted: undefined })).outcome, 'not_vouched');
    assert.equal((await examined(forged)).outcome, 'does_not_hold');
    const itself = [new X509Certificate(impostor.certificate)];
    assert.equal((await examined(forged, { trusted: itself })).outcome, 'holds');
  });

  test('that was signed under a graph of another version holds, and says what was not checked', async () => {
    const run = smallRun(7);
    const later = { ...run, manifest: withFingerprints(run.manifest, 2) };
    const documents = new Map(run.documents).set(names.manifest, json(later.manifest));
    const { outcome, unchecked } = await examined(await written(signedBy(ministry, later, documents), later));
    assert.equal(outcome, 'holds');
    assert.match(unchecked.join(), /version 2 of the graph/);
  });
});

describe('Outputs that were computed again', () => {
  const zones = { code: '34', sha256: 'a', expected: 'b' };
  const say = (differing: readonly (typeof zones)[], here: string) =>
    conclusionOf(smallRun(7).manifest, { known: [zones], differing, here }).join(' ');

  test('prove reproduction where they are the same', () => {
    assert.match(
      say([], ''),
      /^The output follows from these inputs, bit for bit\. This proves that the results can be reproduced/,
    );
  });

  test('may differ by other versions, and not by the same ones', () => {
    assert.match(say([zones], 'GDAL 3.6.2, PROJ 9.1.1'), /with the same versions.*are not those of the run/);
    assert.match(
      say([zones], 'GDAL 3.11.0, PROJ 9.6.0'),
      /and here with GDAL 3\.11\.0.*may round differently/,
    );
  });
});

describe('A forgery', () => {
  for (const [name, kind] of Object.entries(kinds)) {
    test(`is never taken for more than it is: ${name}`, async () => {
      let tried = 0;
      for (const base of bases) {
        for (let seed = 1; seed <= each; seed += 1) {
          const forged = await forge(kind, base, seed, randomOf(seed * 1000 + name.length));
          if (forged === undefined) continue;
          tried += 1;
          const { outcome, faults, unchecked, uncovered } = await examined(forged.bytes);
          const said = [...faults, ...unchecked, ...uncovered].join('\n');
          const context = `${base}, seed ${seed}: ${outcome}\n${said}`;
          assert.equal(outcome, forged.outcome, context);
          assert.match(said, forged.says, context);
        }
      }
      assert.ok(tried > 0, 'no way of signing makes sense for it');
    });
  }
});
