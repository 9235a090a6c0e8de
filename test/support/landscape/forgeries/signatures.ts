import { names } from '../../../../src/landscape/dossier/inventory.ts';
import { oneOf } from '../plan-changes.ts';
import { inventoryIn, withoutElevation } from '../small-dossier.ts';
import { changedText, documentsIn, goodMembers, of, signedBy, written, wrong, type Kinds } from './kit.ts';
import { below, belowLeaf, early, expired, impostor, impostorRoot, leaf, ministry } from './signers.ts';

/** Signatures by others, over other data, or outside of their validity. */
export const signatureForgeries: Kinds = {
  'the signature of another run': async ({ base, members, run, other }) => {
    if (base === 'unsigned') return undefined;
    members.set(names.signature, of(goodMembers(base, other), names.signature));
    return wrong(await written(members, run), /over other bytes than/);
  },
  'the signature of another run with what it is over': async ({ base, members, run, other }) => {
    const member = base === 'inventory' ? names.inventory : names.signedManifest;
    const signed = base === 'inventory' ? inventoryIn(other) : of(other.documents, names.manifest);
    members.set(member, signed).set(names.signature, ministry.sign(signed));
    return wrong(
      await written(members, run),
      /The signature is over run .* and this file is the dossier of run/,
    );
  },
  'a signature over other text': async ({ members, run, random }) => {
    const signed = Buffer.from(oneOf(random, ['I had lunch at noon', '{}', '[]', 'null', '']));
    const member = oneOf(random, [names.inventory, names.signedManifest]);
    members.delete(names.inventory);
    members.set(member, signed).set(names.signature, ministry.sign(signed));
    return wrong(await written(members, run), /lacks required entries/);
  },
  'an inventory that fits forged documents under the old signature': async ({ base, members, run }) => {
    if (base !== 'inventory') return undefined;
    const forged = new Map(run.documents).set(
      'report.html',
      Buffer.from(`Run ${run.manifest.run.id}: all is well`),
    );
    members.set('report.html', of(forged, 'report.html')).set(names.inventory, inventoryIn(run, forged));
    return wrong(await written(members, run), /over other bytes than inventory\.json/);
  },
  'signed again by another key of the same name': async ({ run, random }) => {
    const forger = oneOf(random, [impostor, below, belowLeaf]);
    const more = forger === below ? { certificates: [below.certificate, impostorRoot.certificate] } : {};
    const chain = forger === belowLeaf ? { certificates: [belowLeaf.certificate, leaf.certificate] } : more;
    const forged = new Map(run.documents).set('styles/34.sld', Buffer.from('<forged/>'));
    return wrong(
      await written(signedBy(forger, run, forged, chain), run),
      /none of those given with --trust, and none of them has issued it/,
    );
  },
  'another key under the certificate of the signer': async ({ run }) => {
    const members = signedBy(impostor, run, run.documents, { certificates: [ministry.certificate] });
    return wrong(
      await written(members, run),
      /The key in the certificate of CN=MINISTRY has not made the signature/,
    );
  },
  'a certificate whose name was changed': async ({ run }) => {
    const certificate = Buffer.from(leaf.certificate);
    certificate.write('CHIEF', certificate.lastIndexOf('CLERK'));
    const members = signedBy(leaf, run, run.documents, { certificates: [certificate] });
    return wrong(await written(members, run), /none of those given with --trust/);
  },
  'a certificate that had expired when it was signed': async ({ run }) =>
    wrong(
      await written(signedBy(expired, run, run.documents, { at: '260401000000Z' }), run),
      /made at 2026-04-01.* when its certificate was not valid: it is valid from 2025-06-01.* to 2026-03-01/,
    ),
  'a certificate that has expired since': async ({ run }) => ({
    bytes: await written(signedBy(expired, run, run.documents), run),
    outcome: 'not_checked',
    says: /has expired at 2026-03-01.* Only the signature itself states that it was made before/,
  }),
  'a certificate that is not valid yet': async ({ run, random }) =>
    random() < 0.5
      ? wrong(await written(signedBy(early, run, run.documents), run), /certificate was not valid/)
      : {
          bytes: await written(signedBy(early, run, run.documents, { at: '380201000000Z' }), run),
          outcome: 'not_checked',
          says: /which is in the future/,
        },
  'a signature that cannot be checked': async ({ run, base }) => {
    const signed = base === 'inventory' ? inventoryIn(run) : of(run.documents, names.manifest);
    const members = new Map([...run.documents, ...run.rasters]).set(
      names.signature,
      ministry.sign(signed, { isGost: true }),
    );
    if (base === 'inventory') members.set(names.inventory, signed);
    return {
      bytes: await written(members, run),
      outcome: 'not_checked',
      says: /cannot check its checksum or its key/,
    };
  },
  'something else in the place of the signature': async ({ members, run, random }) => {
    members.set(names.signature, Buffer.from(oneOf(random, ['', 'signed', '-----BEGIN PKCS7-----'])));
    return wrong(await written(members, run), /cannot be read: it is not a CMS signature/);
  },
  'the signature taken away': async ({ base, members, run, random }) => {
    if (base === 'unsigned') return undefined;
    const isAll = random() < 0.5;
    members.delete(names.signature);
    if (isAll) for (const member of [names.inventory, names.signedManifest]) members.delete(member);
    const bytes = await written(members, base === 'earlier' ? withoutElevation(run) : run);
    return isAll || base === 'manifest'
      ? { bytes, outcome: 'not_signed', says: /^/ }
      : wrong(bytes, /"signature\.p7s" is missing/);
  },
  'the inventory taken away, its signature kept': async ({ base, members, run }) => {
    if (base !== 'inventory') return undefined;
    members.delete(names.inventory);
    return wrong(await written(members, run), /over other bytes than manifest\.json/);
  },
  'a signature over the manifest in the place of one over all': async ({ run, random }) => {
    const members = goodMembers('manifest', run);
    const member = oneOf(random, documentsIn(members));
    members.set(member, changedText(random, of(members, member)));
    return {
      bytes: await written(members, run),
      outcome: 'not_covered',
      says: new RegExp(RegExp.escape(member)),
    };
  },
  'both an inventory and a signed manifest': async ({ base, members, run }) => {
    if (base !== 'inventory') return undefined;
    members.set(names.signedManifest, of(run.documents, names.manifest));
    return wrong(await written(members, run), /both inventory\.json and signed-manifest\.json|added beside/);
  },
  'a newer inventory, signed': async ({ base, members, run }) => {
    if (base !== 'inventory') return undefined;
    const newer = Buffer.from(inventoryIn(run).toString().replace('"version":1', '"version":2'));
    members.set(names.inventory, newer).set(names.signature, ministry.sign(newer));
    return { bytes: await written(members, run), outcome: 'not_checked', says: /has version 2 of its form/ };
  },
};
