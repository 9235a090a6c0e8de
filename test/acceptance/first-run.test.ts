import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { createAcceptanceClient } from './client.ts';
import { firstRun, goldenPins, startRun } from './support/landscape.ts';
import { listenOn } from '../support/ports.ts';

test('every run that a claim asks for waits for the end of the first one over the golden leaves', async () => {
  const events: string[] = [];
  let runs = 0;
  let polls = 0;
  const answer = (request: string): readonly [status: number, body: object] => {
    if (request.startsWith('POST /landscape/slots/')) return [201, { id: request.split('/').at(-1) }];
    if (request === 'POST /landscape/runs') {
      events.push('asked');
      return [202, { id: `${(runs += 1)}`, status: 'queued', overrides: {} }];
    }
    if (!request.startsWith('GET /landscape/runs')) return [200, { id: '', status: 'ready' }];
    const run = { id: '1', status: 'succeeded', overrides: {}, error: null, finished_at: '' };
    if (!request.includes('?')) return [200, run];
    polls += 1;
    if (polls === 3) events.push('ended');
    return [200, { data: polls < 3 ? [] : [run] }];
  };
  const service = createServer((request, response) => {
    request.resume().on('end', () => {
      const [status, body] = answer(`${request.method} ${request.url}`);
      response.writeHead(status, { 'x-content-type-options': 'nosniff', 'x-request-id': '1' });
      response.end(JSON.stringify(body));
    });
  });
  const client = createAcceptanceClient(`http://127.0.0.1:${await listenOn(service)}`);
  await Promise.all([
    startRun(client, {}),
    goldenPins(client).then(async (overrides) => await startRun(client, { overrides })),
    firstRun(client),
  ]);
  service.closeAllConnections();
  service.close();
  assert.deepEqual(events, ['asked', 'ended', 'asked', 'asked']);
});
