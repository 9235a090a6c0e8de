import { names } from '../../../../src/landscape/dossier/inventory.ts';
import { hostileZip } from '../../hostile/hostile-zip.ts';
import { contentsOf, json } from '../small-dossier.ts';
import { emptied, outcomeOfGood, written, wrong, type Kinds } from './kit.ts';

/** Contents that were rewritten, and files that are no longer the archive of a dossier. */
export const fileForgeries: Kinds = {
  'contents of another run': async ({ members, run, other }) =>
    wrong(
      await written(members, run, { run_id: other.manifest.run.id }),
      /"contents\.json" is of another run than the manifest/,
    ),
  'a member named twice': async ({ members, run }) => {
    const { members: list } = contentsOf(members, run);
    const first = list[0];
    return wrong(await written(members, run, { members: [...list, first] }), /name the member .* twice/);
  },
  'contents that claim rasters': async ({ members, run }) => {
    for (const member of run.rasters.keys()) members.delete(member);
    return wrong(await written(members, run, { with: ['cogs'] }), /"cogs\/\d\d\.tif" is missing/);
  },
  'contents that hide rasters': async ({ members, run }) =>
    wrong(await written(members, run, { with: [] }), /names no raster for the member/),
  'something else said to be left out': async ({ base, members, run }) => {
    const bytes = await written(members, run, {
      left_out: [{ member: 'balance/', because: 'it was not made' }],
    });
    return base === 'inventory'
      ? wrong(bytes, /signed inventory disagree/)
      : { bytes, outcome: outcomeOfGood[base], says: /^/ };
  },
  'a byte changed': async ({ members, run, random }) => {
    const bytes = await written(members, run);
    const at = Math.floor(random() * bytes.length);
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << Math.floor(random() * 8)), at);
    return wrong(bytes, /\w/);
  },
  'cut short': async ({ members, run, random }) => {
    const bytes = await written(members, run);
    return wrong(
      bytes.subarray(0, Math.floor(random() * bytes.length)),
      /cut short, or is another kind|damaged/,
    );
  },
  'bytes behind the end': async ({ members, run }) =>
    wrong(
      Buffer.concat([await written(members, run), Buffer.from('more')]),
      /does not end as a dossier does/,
    ),
  'packed again by another program': async ({ members, run, random }) => {
    if (random() < 0.5) members.set('report.html', Buffer.from(`Run ${run.manifest.run.id}`));
    const listed = [[names.contents, json(contentsOf(members, run))] as const, ...members];
    const folders = ['areas/', '__MACOSX/._report.html'].map((each) => ({
      name: each,
      bytes: emptied,
      method: 0,
    }));
    const entries = listed.map(([member, bytes]) => ({
      name: member,
      bytes,
      method: random() < 0.7 ? 8 : 0,
    }));
    return {
      bytes: hostileZip(random() < 0.5 ? [...folders, ...entries] : entries.toReversed()),
      outcome: 'not_checked',
      says: /^Another program has packed this file again\. .* Take the file as it was downloaded\.$/,
    };
  },
};
