import { extname } from 'node:path/posix';
import { zipOf } from '../../support/zip.ts';
import { byteMutations } from './bytes.ts';
import { makeOdd, type Means, type Mutation } from './mutation.ts';
import { memberMutations } from './shapefile.ts';
import { oddText } from './texts.ts';
import { type Member, membersOf, zipLayoutOf } from './zip-members.ts';

const endFields = [
  [4, 2],
  [6, 2],
  [8, 2],
  [10, 2],
  [12, 4],
  [16, 4],
  [20, 2],
] as const;
const listFields = [
  [6, 2],
  [8, 2],
  [10, 2],
  [16, 4],
  [20, 4],
  [24, 4],
  [28, 2],
  [30, 2],
  [32, 2],
  [38, 4],
  [42, 4],
] as const;
const localFields = [
  [6, 2],
  [8, 2],
  [14, 4],
  [18, 4],
  [22, 4],
  [26, 2],
  [28, 2],
] as const;

const changeEnd: Mutation = (bytes, { random }) => {
  const layout = zipLayoutOf(bytes);
  if (layout === undefined) return undefined;
  const [at, size] = random.pick(endFields);
  makeOdd(bytes, { at: layout.endAt + at, size }, true, random);
  return bytes;
};

const changeListed: Mutation = (bytes, { random }) => {
  const listed = zipLayoutOf(bytes)?.listed ?? [];
  if (listed.length === 0) return undefined;
  const { at, localAt } = random.pick(listed);
  const isLocal = random.chance(0.4);
  const [field, size] = isLocal ? random.pick(localFields) : random.pick(listFields);
  makeOdd(bytes, { at: (isLocal ? localAt : at) + field, size }, true, random);
  return bytes;
};

/** Two entries of the list that say the same file, or each other's name. */
const mixList: Mutation = (bytes, { random }) => {
  const listed = zipLayoutOf(bytes)?.listed ?? [];
  if (listed.length < 2) return undefined;
  const [from, to] = [random.pick(listed), random.pick(listed)];
  const [start, length] = random.pick([
    [10, 20],
    [42, 4],
    [46, 8],
  ] as const);
  bytes.copyWithin(to.at + start, from.at + start, from.at + start + length);
  return bytes;
};

/** A mutation of the files in the archive, which is then packed again without a fault of its own. */
const repacked =
  (change: (members: readonly Member[], means: Means) => readonly Member[] | undefined): Mutation =>
  (bytes, means) => {
    const members = membersOf(bytes);
    const changed = members.length === 0 ? undefined : change(members, means);
    return changed && zipOf(changed.map(({ name, bytes, flags }) => ({ name, bytes, says: { flags } })));
  };

const changeMember = repacked((members, { random, other }) => {
  const chosen = random.pick(members);
  const extension = extname(chosen.name.toString('latin1').toLowerCase());
  const known = Object.hasOwn(memberMutations, extension) ? memberMutations[extension] : undefined;
  if (chosen.bytes.length < 2) return undefined;
  const change = random.pick(known ?? byteMutations);
  const changed = change(Buffer.from(chosen.bytes), { random, other });
  return changed && members.map((member) => (member === chosen ? { ...member, bytes: changed } : member));
});

const dropMember = repacked((members, { random }) => {
  const chosen = random.pick(members);
  return members.filter((member) => member !== chosen);
});

const doubleMember = repacked((members, { random }) => [...members, random.pick(members)]);

const swapMembers = repacked((members, { random }) => {
  const [one, two] = [random.pick(members), random.pick(members)];
  return members.map((member) => {
    if (member === one) return { ...member, bytes: two.bytes };
    return member === two ? { ...member, bytes: one.bytes } : member;
  });
});

const renameMember = repacked((members, { random }) => {
  const chosen = random.pick(members);
  const extension = extname(chosen.name.toString('latin1'));
  const name = Buffer.from(oddText(random) + (random.chance(0.7) ? extension : ''));
  return members.map((member) => (member === chosen ? { ...member, name } : member));
});

export const zipMutations: readonly Mutation[] = [
  changeEnd,
  changeListed,
  changeListed,
  mixList,
  changeMember,
  changeMember,
  changeMember,
  changeMember,
  changeMember,
  changeMember,
  dropMember,
  doubleMember,
  swapMembers,
  renameMember,
];
