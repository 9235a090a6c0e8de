import { openSync, read } from 'node:fs';
import { createServer } from 'node:http';

/** A minimal server of one file: the cost of a range request in Node.js itself. Prints its port. */
const [path = ''] = process.argv.slice(2);
const file = openSync(path, 'r');

const server = createServer((request, response) => {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const start = Number(first);
  const length = Number(last) - start + 1;
  read(file, Buffer.allocUnsafeSlow(length), 0, length, start, (error, bytes, buffer) => {
    if (error !== null || bytes !== length) {
      response.destroy();
      return;
    }
    response.writeHead(206, {
      'content-type': 'image/tiff',
      'content-range': `bytes ${first}-${last}/*`,
      'content-length': length,
    });
    response.end(buffer);
  });
});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())));
