import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import {
  type Behaviour,
  byRanges,
  openArchiveServer,
  readerOfArchive,
  type ServedFile,
} from '../../test/support/http/archive-server.ts';
import { kindsOf, readsAll, refusedWith, right, sizes, validators } from './behaviours.for-tests.ts';
import { closeAfterTests } from '../../test/support/for-tests.ts';
import { createRemoteFiles } from './remote-files.ts';
import { RemoteFault } from './remote-answer.ts';

const server = await closeAfterTests(openArchiveServer());
const expired = await closeAfterTests(openArchiveServer('expired'));
const port = server.port;
/** A busy machine may be slow. */
const patient = readerOfArchive(port, { deadlineMs: 120_000, pausesMs: [] });
const hasty = readerOfArchive(port, { deadlineMs: 300, pausesMs: [] });
await closeAfterTests(
  Promise.resolve({ close: async () => [patient, hasty].forEach((each) => each.close()) }),
);

describe('a file of another server is read right, or refused with a sentence', () => {
  for (const [name, behaviour, sentence] of kindsOf(port)) {
    test(`for each size and each validator: ${name}`, async () => {
      for (const [index, size] of sizes.entries())
        for (const [other, about] of validators.entries()) {
          const bytes = randomBytes(size);
          const file = { bytes, ...about };
          server.serve('/plain.tif', file);
          const address = server.serve(`/${index}-${other}.tif`, file, behaviour);
          if (sentence === right) await readsAll(patient, address, file);
          else await assert.rejects(patient.probe(address), (error) => refusedWith(error, sentence));
        }
    });
  }
});

describe('a server that is slow', () => {
  const slow: readonly (readonly [string, Behaviour])[] = [
    ['does not answer', () => undefined],
    [
      'sends half a head',
      (_file, _request, response) => void response.socket?.write('HTTP/1.1 206 OK\r\nx-a: '),
    ],
    [
      'stops within the body',
      ({ bytes }, _request, response) => {
        response.writeHead(206, { 'content-range': `bytes 0-${bytes.length - 1}/${bytes.length}` });
        response.write(bytes.subarray(0, 10));
      },
    ],
  ];
  for (const [name, behaviour] of slow) {
    test(name, async () => {
      const address = server.serve('/slow.tif', { bytes: Buffer.alloc(1000) }, behaviour);
      await assert.rejects(hasty.probe(address), (error) => refusedWith(error, /did not answer in time/));
    });
  }

  test('is asked again, and then read', async () => {
    let asked = 0;
    const bytes = randomBytes(50);
    const address = server.serve('/later.tif', { bytes }, (...call) => {
      asked += 1;
      if (asked === 1) call[2].destroy();
      else if (asked === 2) call[2].writeHead(502).end();
      else byRanges(...call);
    });
    const reader = readerOfArchive(port, { deadlineMs: 120_000, pausesMs: [1, 1] });
    assert.deepEqual((await reader.probe(address)).head, bytes);
    assert.equal(asked, 3);
    reader.close();
  });

  test('gives its caller up when the caller has', async () => {
    const address = server.serve('/held.tif', { bytes: Buffer.alloc(10) }, () => undefined);
    const asked = patient.probe(address, AbortSignal.timeout(50));
    await assert.rejects(asked, { name: 'TimeoutError' });
  });
});

describe('a file that changes', () => {
  const before = { bytes: randomBytes(1000), etag: '"1"', lastModified: 'Mon, 30 Nov 2026 10:00:00 GMT' };
  const others: readonly (readonly [string, ServedFile])[] = [
    ['has another ETag', { ...before, etag: '"2"' }],
    ['has no ETag any more', { bytes: before.bytes, lastModified: before.lastModified }],
    ['has another date', { ...before, lastModified: 'Mon, 30 Nov 2026 10:00:01 GMT' }],
    ['is longer', { ...before, bytes: randomBytes(1001) }],
    ['is shorter', { ...before, bytes: randomBytes(10) }],
  ];
  for (const ignores of [false, true]) {
    const behaviour: Behaviour = ignores
      ? (file, request, response) => {
          delete request.headers['if-match'];
          delete request.headers['if-unmodified-since'];
          byRanges(file, request, response);
        }
      : byRanges;
    for (const [name, file] of others) {
      test(`${name}, and the server ${ignores ? 'ignores' : 'knows'} conditions`, async () => {
        const address = server.serve('/changing.tif', before, behaviour);
        const { head: _, ...version } = await patient.probe(address);
        server.serve('/changing.tif', file, behaviour);
        await assert.rejects(patient.read(version, { start: 100, end: 199 }), (error) => {
          assert.ok(error instanceof RemoteFault);
          assert.equal(error.state, 'changed');
          return refusedWith(error, /not the one that was registered/);
        });
      });
    }
  }
});

describe('a certificate', () => {
  const file = { bytes: Buffer.alloc(10) };
  const named = (name: string, at: number) => `https://${name}:${at}/file.tif`;
  test('of an unknown issuer', async () => {
    server.serve('/file.tif', file);
    const reader = createRemoteFiles({
      hosts: [`archive.test:${port}`],
      networks: ['127.0.0.1'],
      resolve: (_name, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
    });
    await assert.rejects(reader.probe(named('archive.test', port)), (error) =>
      refusedWith(error, /certificate/),
    );
    reader.close();
  });
  test('that has expired', async () => {
    expired.serve('/file.tif', file);
    const reader = readerOfArchive(expired.port, { pausesMs: [] });
    const asked = reader.probe(named('archive.test', expired.port));
    await assert.rejects(asked, (error) => refusedWith(error, /certificate/));
    reader.close();
  });
  test('of another name', async () => {
    const reader = readerOfArchive(port, { hosts: [`wrong.test:${port}`], pausesMs: [] });
    await assert.rejects(reader.probe(named('wrong.test', port)), (error) =>
      refusedWith(error, /certificate/),
    );
    reader.close();
  });
});

describe('an address that is never read', () => {
  // https://cheatsheetseries.owasp.org/cheatsheets/Server_Side_Request_Forgery_Prevention_Cheat_Sheet.html, and its bypasses.
  const hostsOfOwasp = [
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '0',
    '0.0.0.0',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '017700000001',
    '0177.0.0.1',
    '127.127.127.127',
    'localhost',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[fc00::1]',
    '0xa9fea9fe',
    '2852039166',
    '0251.0376.0251.0376',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[ff02::1]',
    '127。0。0。1',
    '①②⑦.0.0.1',
    '[2001:db8::1]',
  ];
  test('is an address of OWASP’s list, even if its host is listed', async () => {
    const names = hostsOfOwasp.map((host) => new URL(`https://${host}/`).host);
    const refused = createRemoteFiles({
      hosts: names,
      pausesMs: [],
      resolve: (_name, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
    });
    for (const host of hostsOfOwasp)
      await assert.rejects(
        refused.probe(`https://${host}/file.tif`),
        (error) => refusedWith(error, /private or reserved network/),
        host,
      );
    refused.close();
  });

  test('is on a host that is not listed, also by another port, case or end of its name', async () => {
    for (const host of [
      'other.test',
      'archive.test',
      `archive.test.:${port}`,
      `sub.archive.test:${port}`,
      `archive.test:${port + 1}`,
    ])
      await assert.rejects(patient.probe(`https://${host}/file.tif`), (error) =>
        refusedWith(error, /has not listed/),
      );
    for (const host of [
      `archive.test:${port}@other.test`,
      `other.test#@archive.test:${port}`,
      `other.test\\@archive.test:${port}`,
    ])
      await assert.rejects(patient.probe(`https://${host}/file.tif`), RemoteFault);
  });

  test('has another scheme, a password, or no end', async () => {
    const at = `archive.test:${port}/file.tif`;
    for (const address of [
      `http://${at}`,
      `ftp://${at}`,
      'file:///etc/passwd',
      'gopher://archive.test/',
      'data:image/tiff,II',
      `//${at}`,
      at,
      '',
      `https://user:secret@${at}`,
      `https://user@${at}`,
      `https://${at}#part`,
      `https://${at}?${'a'.repeat(2000)}`,
    ])
      await assert.rejects(
        patient.probe(address),
        (error) => refusedWith(error, /must be an https address/),
        address,
      );
  });

  test('is of any host, without a list', async () => {
    const off = createRemoteFiles({ hosts: [] });
    assert.equal(off.isOn, false);
    await assert.rejects(off.probe('https://archive.test/file.tif'), (error) =>
      refusedWith(error, /REFERENCE_HOSTS/),
    );
    off.close();
  });

  test('is private by the answer of a name server, also by its second answer', async () => {
    for (const answers of [
      [['10.0.0.1']],
      [['::1']],
      [['93.184.216.34'], ['127.0.0.1']],
      [['127.0.0.1', '169.254.169.254']],
    ]) {
      let asked = 0;
      const reader = createRemoteFiles({
        hosts: [`archive.test:${port}`],
        pausesMs: [],
        deadlineMs: 300,
        resolve(_name, callback) {
          const found = answers[Math.min(asked, answers.length - 1)] ?? [];
          asked += 1;
          callback(
            null,
            found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
          );
        },
      });
      const before = server.requests();
      const address = `https://archive.test:${port}/plain.tif`;
      // The first answer of a server that rebinds its name is public; nothing answers there in time.
      await assert.rejects(reader.probe(address), (error) => refusedWith(error, /private|in time|failed/));
      await assert.rejects(reader.probe(address), (error) => refusedWith(error, /private/));
      assert.equal(server.requests(), before);
      reader.close();
    }
  });

  test('is larger than the operator allows', async () => {
    const reader = readerOfArchive(port, { maxFileBytes: 999 });
    const address = server.serve('/large.tif', { bytes: Buffer.alloc(1000) });
    await assert.rejects(reader.probe(address), (error) => refusedWith(error, /more than .* GiB/));
    reader.close();
  });
});
