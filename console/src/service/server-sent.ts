/** An event of a stream; `data` is empty if it only carries an id. */
export interface SentEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
}

/**
 * Creates a parser of `text/event-stream`. It takes chunks of text and returns complete events. Lines end with a line
 * feed, as the service writes them.
 */
export function createSentEvents(): (text: string) => readonly SentEvent[] {
  let rest = '';
  return (text) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.map((block) => {
      const fields = new Map(
        block.split('\n').map((line) => {
          const at = line.indexOf(':');
          return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1).replace(/^ /, '')];
        }),
      );
      return { id: fields.get('id') ?? '', type: fields.get('event') ?? '', data: fields.get('data') ?? '' };
    });
  };
}
