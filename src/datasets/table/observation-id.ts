import { hash } from 'node:crypto';

/**
 * Names observations by what they are: UUIDs of version 5 (RFC 9562) of mapping version, row and column, in the name
 * space of their dataset. The same extraction run twice gives the same ids.
 */
export function createObservationIds(
  datasetId: string,
  mappingVersion: number,
): (row: number, column: string) => string {
  const namespace = Buffer.from(datasetId.replaceAll('-', ''), 'hex');
  return (row, column) => {
    const name = Buffer.from(`${mappingVersion}/${row}/${column}`);
    const bytes = hash('sha1', Buffer.concat([namespace, name]), 'buffer').subarray(0, 16);
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6); // version
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8); // variant
    const hex = bytes.toString('hex');
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  };
}
