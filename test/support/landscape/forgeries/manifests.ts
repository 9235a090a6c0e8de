import { names } from '../../../../src/landscape/dossier/inventory.ts';
import { oneOf } from '../plan-changes.ts';
import { contentsOf, json, packed, sha256Of, withFingerprints } from '../small-dossier.ts';
import { changedManifest, of, signedSays, written, wrong, type Kinds } from './kit.ts';
import { ministry } from './signers.ts';

/** Manifests that were rewritten. */
export const manifestForgeries: Kinds = {
  'a raster changed in all lists': async ({ base, members, run, random }) => {
    if (base === 'earlier') return undefined;
    const forged = Buffer.from(`forged ${random()}`);
    const manifest = changedManifest(run, (each) => ({
      ...each,
      nodes: each.nodes.map((node) =>
        node.code === '33'
          ? { ...node, output: { ...node.output, cog: { sha256: sha256Of(forged), bytes: forged.length } } }
          : node,
      ),
    }));
    members.set('cogs/33.tif', forged).set(names.manifest, manifest);
    const bytes = await written(members, run);
    return base === 'unsigned' ? { bytes, outcome: 'not_signed', says: /^/ } : wrong(bytes, signedSays);
  },
  'a parameter changed': async ({ base, members, run }) => {
    if (base === 'earlier') return undefined;
    const forged = changedManifest(run, ({ run: asked, ...rest }) => ({
      ...rest,
      run: { ...asked, params: { ...asked.params, v1_min_s_e3: asked.params.v1_min_s_e3 === 3 ? 2 : 3 } },
    }));
    members.set(names.manifest, forged);
    return wrong(await written(members, run), base === 'unsigned' ? /fingerprint of node 33/ : signedSays);
  },
  'a fact of the manifest changed': async ({ base, members, run, random }) => {
    const text = of(members, names.manifest).toString();
    const [from, to] = oneOf(random, [
      ['"steppe":"1.0.0"', '"steppe":"1.0.1"'],
      ['2026-02-03T10:01:11.402Z', '2026-02-03T10:01:12.402Z'],
      ['"reason":"first"', '"reason":"params"'],
      ['"end_date":"2021-12-31"', '"end_date":"2024-12-31"'],
    ] as const);
    members.set(names.manifest, Buffer.from(text.replace(from, to)));
    const bytes = await written(members, run);
    return base === 'unsigned' ? { bytes, outcome: 'not_signed', says: /^/ } : wrong(bytes, signedSays);
  },
  'another version of the graph': async ({ base, members, run, random }) => {
    if (base === 'earlier') return undefined;
    const version = 2 + Math.floor(random() * 5);
    const forged = changedManifest(run, (each) =>
      random() < 0.5
        ? withFingerprints(each, version)
        : { ...each, run: { ...each.run, graph_version: version } },
    );
    members.set(names.manifest, forged);
    const bytes = await written(members, run);
    return base === 'unsigned'
      ? {
          bytes,
          outcome: 'not_checked',
          says: /version \d of the graph.*fingerprints of its nodes were not checked/,
        }
      : wrong(bytes, signedSays);
  },
  'the id of the run changed in manifest and contents': async ({ members, run, other }) => {
    const forged = changedManifest(run, (each) => ({
      ...each,
      run: { ...each.run, id: other.manifest.run.id },
    }));
    members.set(names.manifest, forged);
    const bytes = await written(members, run, { run_id: other.manifest.run.id });
    return wrong(bytes, /another run than the manifest/);
  },
  'another manifest whole': async ({ members, run, other }) => {
    members.set(names.manifest, of(other.documents, names.manifest));
    return wrong(await written(members, run), /another run than the manifest/);
  },
  'the manifest of another zoning, signed, with the same id': async ({ base, members, run, random }) => {
    if (base === 'inventory') return undefined;
    const signed = changedManifest(run, ({ run: asked, ...rest }) =>
      withFingerprints({
        ...rest,
        run: { ...asked, params: { ...asked.params, tie_priority: [5, 4, 3, 2, 1] } },
        nodes: rest.nodes.map((node) => ({
          ...node,
          output: { ...node.output, cog: { sha256: sha256Of(String(random())), bytes: 8 } },
        })),
      }),
    );
    members.set(names.signedManifest, signed).set(names.signature, ministry.sign(signed));
    return wrong(
      await written(members, run),
      /not the one that was signed, and not by deletions alone; it differs in/,
    );
  },
  'a list that is written otherwise': async ({ base, members, run, random }) => {
    const member = oneOf(random, [names.manifest, names.inventory]);
    if (!members.has(member) || base === 'earlier') return undefined;
    members.set(member, Buffer.concat([of(members, member), Buffer.from('\n')]));
    return wrong(await written(members, run), /is not written as a dossier writes it/);
  },
  'a newer form': async ({ base, members, run, random }) => {
    const member = oneOf(random, [names.manifest, names.inventory, names.contents]);
    const newer = (bytes: Buffer) => Buffer.from(bytes.toString().replace('"version":1', '"version":2'));
    if (member === names.contents)
      return {
        bytes: await packed([[member, newer(json(contentsOf(members, run)))], ...members]),
        outcome: 'not_checked',
        says: /has version 2 of its form/,
      };
    if (!members.has(member) || base !== 'unsigned') return undefined;
    members.set(member, newer(of(members, member)));
    return { bytes: await written(members, run), outcome: 'not_checked', says: /has version 2 of its form/ };
  },
};
