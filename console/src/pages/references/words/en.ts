import { pluralsOf } from '../../../words/plural.ts';

const plural = pluralsOf('en');

export const references = {
  title: 'File by address',
  kind: 'What to register',
  kinds: { file: 'One file', stac: 'STAC items' },
  lead: 'The file stays on its server. It must be a Cloud-Optimized GeoTIFF or a FlatGeobuf, on a server or in a bucket that the operator of this service allows.',
  address: 'Address',
  addressHint: 'https://…/name.tif, https://…/name.fgb or s3://bucket/name.tif',
  stacLead:
    'The address of an item, an item collection, a collection or a catalogue. One file of each item becomes a dataset of a group, with the period of the item.',
  stacHint: 'https://…/collection.json or https://…/collections/…/items',
  look: 'Show the items',
  items: (count: number) => `${count} ${plural(count, { one: 'item', other: 'items' })}`,
  firstItems: (count: number) => `the first ${count} of more items`,
  noFiles: 'No item has a file that can be registered: GeoTIFF or FlatGeobuf.',
  asset: 'File of each item',
  registerAll: 'Register all',
  registering: (count: number) => `Registering: ${count} so far.`,
  registered: (count: number) => `Registered: ${count}.`,
  notRegistered: (count: number) => `Not registered: ${count}`,
  notAll: 'There are more than 500 items; the others were not read.',
  add: 'Register',
  place: 'On another server',
  states: {
    unchanged: 'unchanged',
    changed: 'changed',
    unreachable: 'not readable',
  },
  state: 'State',
  looked: 'Last look',
  meaning: 'Each part that is read is compared with the file that was registered.',
  copy: 'Copy it here',
  copying: 'The file is being copied.',
  copyHint: 'Afterwards the dataset no longer depends on the other server, and runs with it can be adopted.',
};
