import type { ObjectReader } from '../../object-store/object-store.ts';

const ofDistricts = 'districts/';

/** Reads what maps are drawn from: objects of the store, and the units' own GeoJSON, which is in the memory of this process. */
export function createMapObjects(objectStore: ObjectReader, districts: ObjectReader): ObjectReader {
  const readerOf = (key: string) => (key.startsWith(ofDistricts) ? districts : objectStore);
  return {
    size: async (key, call) => await readerOf(key).size(key, call),
    read: async (key, range, call) => await readerOf(key).read(key, range, call),
    open: async (key, call) => await readerOf(key).open(key, call),
  };
}
