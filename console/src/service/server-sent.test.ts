import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSentEvents } from './server-sent.ts';

test('events are read from pieces of any size, with their places, comments and colons', () => {
  const stream =
    'retry: 2000\nid: 3f9a1c20-1\n\n:\n\nid: 3f9a1c20-2\nevent: dataset.ready\ndata: {"a":"b: c"}\n\nid: 3f9a1c20-9\n\nid: lost';
  const whole = [
    { id: '3f9a1c20-1', type: '', data: '' },
    { id: '', type: '', data: '' },
    { id: '3f9a1c20-2', type: 'dataset.ready', data: '{"a":"b: c"}' },
    { id: '3f9a1c20-9', type: '', data: '' },
  ];
  for (const size of [1, 2, 7, stream.length]) {
    const read = createSentEvents();
    const pieces = stream.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    assert.deepEqual(pieces.flatMap(read), whole, `pieces of ${size}`);
  }
});
