import { LRUCache } from 'lru-cache';
import { messageOf } from '../../lib/error-facts.ts';
import { ObjectMissing, type ObjectReader } from '../../object-store/object-store.ts';
import type { FromThread, ToThread } from '../thread/messages.ts';

/** Maximum number of stored errors; the thread reports later which call they have failed. */
const maxErrors = 256;

type Question = Extract<FromThread, { kind: 'read' | 'ask-size' }>;

/** Answers requests of a thread for objects. */
export function createObjectAnswers(
  store: ObjectReader,
  post: (message: ToThread, transfer?: readonly ArrayBuffer[]) => void,
) {
  const errors = new LRUCache<number, { readonly error: unknown }>({ max: maxErrors });
  return {
    async answer(question: Question): Promise<void> {
      const { id } = question;
      try {
        if (question.kind === 'ask-size') {
          return post({ kind: 'size', id, sizeBytes: await store.size(question.key) });
        }
        const bytes = await readBytes(store, question);
        post({ kind: 'bytes', id, bytes }, [bytes.buffer]);
      } catch (error) {
        errors.set(id, { error });
        post({ kind: 'unread', id, message: messageOf(error) });
      }
    },
    /** Returns the error of a request. */
    errorOf: (id: number): unknown => errors.get(id)?.error ?? new Error('an object could not be read'),
  };
}

/** Reads a range of an object, truncated at its end, into its own memory. @throws {ObjectMissing} */
async function readBytes(
  store: ObjectReader,
  { key, start, length }: Extract<Question, { kind: 'read' }>,
): Promise<Uint8Array<ArrayBuffer>> {
  using opened = await store.open(key);
  if (opened === undefined) throw new ObjectMissing(key);
  const bytes = Buffer.from(new ArrayBuffer(Math.max(0, Math.min(length, opened.sizeBytes - start))));
  await opened.fill(bytes, start);
  return new Uint8Array(bytes.buffer);
}

const ofDistricts = 'districts/';

/** Reads the sources of maps: objects of the store, and the units' own GeoJSON, which is in the memory of this process. */
export function createMapObjects(objectStore: ObjectReader, districts: ObjectReader): ObjectReader {
  const readerOf = (key: string) => (key.startsWith(ofDistricts) ? districts : objectStore);
  return {
    size: async (key, call) => await readerOf(key).size(key, call),
    read: async (key, range, call) => await readerOf(key).read(key, range, call),
    open: async (key, call) => await readerOf(key).open(key, call),
  };
}
