import { describeObjectReader } from '../../test/contract/object-reader.ts';
import { createMemoryObjects } from './memory-objects.ts';

describeObjectReader('memory', async () => {
  const objects = createMemoryObjects();
  return {
    reader: objects,
    put: async (key, bytes) => objects.put(key, bytes),
    remove: async (key) => objects.remove(key),
    close: async () => undefined,
  };
});
