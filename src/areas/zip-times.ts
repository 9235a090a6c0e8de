/** Signatures of the records of a ZIP archive, and where they have the time and date of a member. */
const records = { central: 0x02_01_4b_50, end: 0x06_05_4b_50 };
const [localTime, centralTime, centralName, centralOffset] = [10, 12, 28, 42];
const centralBytes = 46;
const endBytes = 22;
/** 1 January 1980, the first that there is. */
const firstDate = 0x00_21;

/** Returns an archive whose members all have the same time, so that equal contents are equal bytes. It has no comment. */
export function withoutTimes(archive: Buffer): Buffer {
  const file = Buffer.from(archive);
  const end = file.length - endBytes;
  if (file.readUInt32LE(end) !== records.end) throw new Error('the archive does not end as one');
  let at = file.readUInt32LE(end + 16);
  for (let left = file.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (file.readUInt32LE(at) !== records.central) throw new Error('the archive lacks a member');
    for (const time of [at + centralTime, file.readUInt32LE(at + centralOffset) + localTime]) {
      file.writeUInt16LE(0, time);
      file.writeUInt16LE(firstDate, time + 2);
    }
    at += [0, 2, 4].reduce((bytes, more) => bytes + file.readUInt16LE(at + centralName + more), centralBytes);
  }
  return file;
}
