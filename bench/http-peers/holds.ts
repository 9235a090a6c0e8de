import { createServer, type ServerResponse } from 'node:http';

/** A minimal server that holds requests, and answers all of them at a POST. Prints its port. */
const held = new Set<ServerResponse>();

const server = createServer((request, response) => {
  if (request.method === 'POST') {
    const body = JSON.stringify({ id: 'one', status: 'processing', parse_error: null });
    for (const each of held) {
      each.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
      each.end(body);
    }
    held.clear();
    response.end();
    return;
  }
  held.add(response);
  response.on('close', () => held.delete(response));
});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())));
