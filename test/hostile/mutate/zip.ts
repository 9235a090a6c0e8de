import { extname } from 'node:path/posix';
import { inflateRawSync } from 'node:zlib';
import { hostileZip } from '../../support/hostile/hostile-zip.ts';
import { byteMutations } from './bytes.ts';
import { makeOdd, type Means, type Mutation, numbersOf, oddText } from './mutation.ts';
import { memberMutations } from './shapefile.ts';

const endFields = [...numbersOf(2, 4, 6, 8, 10, 20), ...numbersOf(4, 12, 16)];
const listFields = [...numbersOf(2, 6, 8, 10, 28, 30, 32), ...numbersOf(4, 16, 20, 24, 38, 42)];
const localFields = [...numbersOf(2, 6, 8, 26, 28), ...numbersOf(4, 14, 18, 22)];

const changeEnd: Mutation = (bytes, { random }) => {
  const layout = zipLayoutOf(bytes);
  if (layout === undefined) return undefined;
  const { at, size } = random.pick(endFields);
  return makeOdd(bytes, { at: layout.endAt + at, size }, true, random);
};

const changeListed: Mutation = (bytes, { random }) => {
  const listed = zipLayoutOf(bytes)?.listed ?? [];
  if (listed.length === 0) return undefined;
  const { at, localAt } = random.pick(listed);
  const isLocal = random.chance(0.4);
  const field = random.pick(isLocal ? localFields : listFields);
  return makeOdd(bytes, { at: (isLocal ? localAt : at) + field.at, size: field.size }, true, random);
};

/** Makes two entries of the central directory point to the same file, or swaps their names. */
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

/** Mutates files in the archive, which is then packed again without faults of its own. */
const repacked =
  (change: (members: readonly Member[], means: Means) => readonly Member[] | undefined): Mutation =>
  (bytes, means) => {
    const members = membersOf(bytes);
    const changed = members.length === 0 ? undefined : change(members, means);
    return changed && hostileZip(changed.map(({ name, bytes, flags }) => ({ name, bytes, says: { flags } })));
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

const dropOrDoubleMember = repacked((members, { random }) => {
  const chosen = random.pick(members);
  return random.chance(0.5) ? members.filter((member) => member !== chosen) : [...members, chosen];
});

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
  [changeEnd, changeListed, changeListed, mixList, swapMembers, renameMember],
  [dropOrDoubleMember, dropOrDoubleMember],
  Array<Mutation>(6).fill(changeMember),
].flat();

interface Member {
  readonly name: Buffer;
  readonly bytes: Buffer;
  /** Flags from the central directory. */
  readonly flags: number;
}

/** Places of the parts of an archive, as far as its central directory can be read. */
interface ZipLayout {
  /** Place of the end record. */
  readonly endAt: number;
  readonly listed: readonly { readonly at: number; readonly localAt: number }[];
}

const maxMembers = 200;
const maxUnpackedBytes = 4 * 2 ** 20;
const utf8Flag = 0x800;

function zipLayoutOf(bytes: Buffer): ZipLayout | undefined {
  const endAt = bytes.lastIndexOf('PK\u0005\u0006');
  if (endAt < 0 || endAt + 22 > bytes.length) return undefined;
  const listed: { at: number; localAt: number }[] = [];
  let at = bytes.readUInt32LE(endAt + 16);
  while (listed.length < maxMembers && at + 46 <= bytes.length && isAt(bytes, at, 'PK\u0001\u0002')) {
    listed.push({ at, localAt: bytes.readUInt32LE(at + 42) });
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return { endAt, listed };
}

/** Unpacks as much as possible of an archive that may be damaged. */
function membersOf(bytes: Buffer): readonly Member[] {
  return (zipLayoutOf(bytes)?.listed ?? []).flatMap(({ at, localAt }) => {
    if (localAt + 30 > bytes.length) return [];
    const nameEnd = at + 46 + bytes.readUInt16LE(at + 28);
    const start = localAt + 30 + bytes.readUInt16LE(localAt + 26) + bytes.readUInt16LE(localAt + 28);
    const packed = bytes.subarray(start, start + bytes.readUInt32LE(at + 20));
    const unpacked = bytes.readUInt16LE(at + 10) === 0 ? Buffer.from(packed) : inflate(packed);
    const name = Buffer.from(bytes.subarray(at + 46, nameEnd));
    const flags = bytes.readUInt16LE(at + 8) & utf8Flag;
    return unpacked === undefined ? [] : [{ name, bytes: unpacked, flags }];
  });
}

function inflate(packed: Buffer): Buffer | undefined {
  try {
    return inflateRawSync(packed, { maxOutputLength: maxUnpackedBytes });
  } catch {
    return undefined;
  }
}

const isAt = (bytes: Buffer, at: number, text: string): boolean =>
  bytes.toString('latin1', at, at + text.length) === text;
