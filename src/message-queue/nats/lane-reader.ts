import { setTimeout as delay } from 'node:timers/promises';
import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import type { QueueLane, WakeUpListener } from '../message-queue.ts';
import type { NatsOwner, NatsSession } from './connection.ts';
import { streamName } from './stream.ts';

const pullLastsMs = 10_000;
/** More would only wait for their turn. */
const mostAtOnce = 64;
/** A listener without room looks for jobs by itself when it has room again. */
const lookForRoomEveryMs = 250;
const afterFailureMs = 1000;

/**
 * Reads the wake-ups of a lane, as many at once as the listener has room for.
 * @param onPull called each time that wake-ups can come.
 */
export function readLane(
  owner: NatsOwner,
  lane: QueueLane,
  listener: WakeUpListener,
  { onPull, onError }: { onPull(): void; onError(error: unknown): void },
) {
  const closing = new AbortController();
  const ended = AbortSignal.any([closing.signal, owner.closing]);
  let pull: ConsumerMessages | undefined;

  async function hear(message: JsMsg): Promise<void> {
    await Promise.race([listener.onWakeUp(message.string()), aborted(ended)]);
    message.ack(); // of what was not, another worker would hear, which does no harm
  }

  async function readOnce(session: NatsSession, room: number): Promise<void> {
    const consumer = await session.jetStream.consumers.get(streamName, lane);
    const messages = await consumer.fetch({
      max_messages: Math.min(room, mostAtOnce),
      expires: pullLastsMs,
    });
    pull = messages;
    const stop = (): void => void messages.close();
    ended.addEventListener('abort', stop, { once: true });
    session.signal.addEventListener('abort', stop, { once: true });
    if (ended.aborted || session.signal.aborted) stop();
    onPull();
    const heard: Promise<void>[] = [];
    try {
      for await (const message of messages) {
        if (ended.aborted || listener.room() <= 0) {
          message.nak(); // at once another's
          break;
        }
        heard.push(hear(message));
      }
    } finally {
      ended.removeEventListener('abort', stop);
      session.signal.removeEventListener('abort', stop);
      await messages.close();
    }
    await Promise.all(heard); // before the room is looked at again
  }

  async function read(): Promise<void> {
    while (!ended.aborted) {
      const session = owner.session();
      const room = listener.room();
      if (session === undefined || room <= 0) {
        await pause(lookForRoomEveryMs);
        continue;
      }
      try {
        await readOnce(session, room);
      } catch (error) {
        if (ended.aborted || session.signal.aborted) continue;
        onError(error);
        await owner.repair().catch(onError);
        await pause(afterFailureMs);
      }
    }
  }

  async function pause(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: ended }).catch(() => undefined);
  }

  const reading = read();
  return {
    async close(): Promise<void> {
      closing.abort();
      await pull?.close();
      await reading;
    },
  };
}

async function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  if (signal.aborted) resolve();
  await promise;
}
