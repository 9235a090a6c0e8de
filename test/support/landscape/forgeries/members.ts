import { names } from '../../../../src/landscape/dossier/inventory.ts';
import { oneOf } from '../plan-changes.ts';
import { contentsOf, json, packed } from '../small-dossier.ts';
import { changedText, isDocument, documentsIn, of, ofDocument, written, wrong, type Kinds } from './kit.ts';

/** Members that were changed, added, removed or swapped. */
export const memberForgeries: Kinds = {
  'a document changed, contents rewritten': async ({ base, members, run, random }) => {
    const member = oneOf(random, documentsIn(members));
    members.set(member, changedText(random, of(members, member)));
    return ofDocument(base, await written(members, run), member);
  },
  'a document changed, contents as they were': async ({ members, run, random }) => {
    const contents = json(contentsOf(members, run));
    const member = oneOf(random, documentsIn(members));
    members.set(member, changedText(random, of(members, member)));
    return wrong(await packed([[names.contents, contents], ...members]), /was changed|has another size/);
  },
  'a document of another run': async ({ members, run, other, random }) => {
    const about = ['report.html', 'areas/district.json', 'balance/region.json', 'record.json'];
    const member = oneOf(random, about);
    members.set(member, of(other.documents, member));
    return wrong(
      await written(members, run),
      /another run than the manifest|another dataset than the manifest/,
    );
  },
  'several documents of another run': async ({ base, members, run, other }) => {
    for (const [member, content] of other.documents) if (isDocument(member)) members.set(member, content);
    return wrong(await written(members, run), base === 'inventory' ? /that was signed/ : /another run/);
  },
  'a raster changed, contents rewritten': async ({ members, run, random }) => {
    const rasters = [...members.keys()].filter((member) => member.startsWith('cogs/'));
    const member = oneOf(random, rasters);
    members.set(member, Buffer.from(`forged ${random()}`));
    return wrong(await written(members, run), /is not the raster that the manifest names/);
  },
  'a raster of another run, contents rewritten': async ({ members, run, other }) => {
    members.set('cogs/34.tif', of(other.rasters, 'cogs/34.tif'));
    return wrong(await written(members, run), /"cogs\/34\.tif" is not the raster that the manifest names/);
  },
  'a member added': async ({ base, members, run, random }) => {
    const member = oneOf(random, ['decision.pdf', 'areas/oblast.csv', 'notes.txt', 'report-2.html']);
    members.set(member, Buffer.from('added'));
    return ofDocument(base, await written(members, run), member);
  },
  'a member added that the contents do not name': async ({ members, run }) => {
    const contents = json(contentsOf(members, run));
    const bytes = await packed([
      [names.contents, contents],
      ...members,
      ['decision.pdf', Buffer.from('yes')],
    ]);
    return wrong(bytes, /"decision\.pdf" was added/);
  },
  'a raster added': async ({ members, run, random }) => {
    members.set(oneOf(random, ['cogs/99.tif', 'inputs/landscape-in-soil/cog.tif']), Buffer.from('added'));
    return wrong(await written(members, run), /names no raster for the member/);
  },
  'a member taken away, contents rewritten': async ({ base, members, run, random }) => {
    const member = oneOf(random, documentsIn(members));
    members.delete(member);
    return ofDocument(base, await written(members, run), member, false);
  },
  'a member taken away': async ({ members, run, random }) => {
    const contents = json(contentsOf(members, run));
    const member = oneOf(random, [...members.keys()]);
    members.delete(member);
    return wrong(
      await packed([[names.contents, contents], ...members]),
      new RegExp(`"${RegExp.escape(member)}" is missing`),
    );
  },
  'a member taken away as if it had been left out': async ({ base, members, run }) => {
    members.delete('report.html');
    const more = { left_out: [{ member: 'report.html', because: 'it could not be drawn' }] };
    return ofDocument(base, await written(members, run, more), 'report.html', false);
  },
  'a member renamed': async ({ base, members, run }) => {
    const content = of(members, 'areas/district.csv');
    members.delete('areas/district.csv');
    members.set('areas/region.csv', content);
    return ofDocument(base, await written(members, run), 'areas/region.csv');
  },
  'a member renamed, contents as they were': async ({ members, run }) => {
    const contents = json(contentsOf(members, run));
    const content = of(members, 'record.json');
    members.delete('record.json');
    const bytes = await packed([[names.contents, contents], ...members, ['old-record.json', content]]);
    return wrong(bytes, /"record\.json" was renamed to "old-record\.json"/);
  },
  'two rasters exchanged': async ({ members, run }) => {
    const [one, two] = [of(members, 'cogs/01.tif'), of(members, 'cogs/33.tif')];
    members.set('cogs/01.tif', two).set('cogs/33.tif', one);
    return wrong(await written(members, run), /is not the raster that the manifest names/);
  },
  'a member twice': async ({ members, run, random }) => {
    const member = oneOf(random, documentsIn(members));
    const contents = contentsOf(members, run);
    const again: readonly [string, Buffer] = [member, Buffer.from('another one')];
    const entries = random() < 0.5 ? [...members, again] : [again, ...members];
    return wrong(await packed([[names.contents, json(contents)], ...entries]), /is there twice/);
  },
};
