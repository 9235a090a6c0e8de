import { createSentEvents } from '../../../console/src/service/server-sent.ts';

export interface HeardEvent {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export type EventStream = Awaited<ReturnType<typeof openEvents>>;

/** Subscribes to events as a program does. */
export async function openEvents(
  baseUrl: string,
  query = '',
  headers: Readonly<Record<string, string>> = {},
) {
  const leaving = new AbortController();
  const response = await fetch(`${baseUrl}/events${query}`, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: leaving.signal,
  });
  const events: HeardEvent[] = [];
  let place = '';
  let text = '';
  const read = createSentEvents();
  const ended = (async () => {
    const decoder = new TextDecoder();
    for await (const piece of response.body ?? []) {
      const part = decoder.decode(piece, { stream: true });
      text += part;
      for (const { id, type, data } of read(part)) {
        if (id !== '') place = id;
        if (data !== '') events.push({ id, type, data: JSON.parse(data).data });
      }
    }
  })().catch(() => undefined);
  return {
    status: response.status,
    headers: response.headers,
    events,
    /** The last place received, also without an event. */
    place: (): string => place,
    text: (): string => text,
    ended,
    leave: (): void => leaving.abort(),
  };
}
