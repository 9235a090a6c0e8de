import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../common/errors.ts';
import type { ObjectStore } from '../../object-store/object-store.ts';
import { sendObject, type SentObject } from './file-response.ts';

/**
 * As `sendObject`, for an object that can be replaced at any moment: when it went away between the look-up and the
 * first byte, its successor is sent.
 */
export async function sendCurrentObject(
  request: FastifyRequest,
  reply: FastifyReply,
  objectStore: ObjectStore,
  lookUp: () => Promise<SentObject>,
): Promise<FastifyReply> {
  for (let object = await lookUp(); ;) {
    try {
      return await sendObject(request, reply, objectStore, object);
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'not_found')) throw error;
      const successor = await lookUp();
      if (successor.key === object.key) throw error;
      object = successor;
    }
  }
}
