import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import {
  type Behaviour,
  openArchiveServer,
  readerOfArchive,
  toThisMachine,
} from '../../../../test/support/http/archive-server.ts';
import { Problem } from '../../../lib/errors.ts';
import { createRemoteFiles, type RemoteFiles } from '../../../remote/remote-files.ts';
import { lookAt } from './look.ts';

const server = await closeAfterTests(openArchiveServer());
const expired = await closeAfterTests(openArchiveServer('expired'));
const elsewhere = await closeAfterTests(openArchiveServer());
const { port } = server;
const at = (name: string, path = '/doc', of = port): string => `https://${name}.test:${of}${path}`;

const hosts = [
  `archive.test:${port}`,
  `archive.test:${expired.port}`,
  `wrong.test:${port}`,
  `inner.test:${port}`,
  '10.0.0.1',
  '127.0.0.2',
  '169.254.169.254',
  '[::1]',
  '[fd00:ec2::254]',
  '[::ffff:7f00:2]',
];
/** The tests of files let this machine count as a public one; one listed name is in a private network. */
const resolve: typeof toThisMachine = (name, callback) => {
  if (name === 'inner.test') callback(null, [{ address: '10.0.0.1', family: 4 }]);
  else toThisMachine(name, callback);
};
const open = async (options: Parameters<typeof readerOfArchive>[1] = {}): Promise<RemoteFiles> => {
  const reader = readerOfArchive(port, { hosts, resolve, pausesMs: [], deadlineMs: 120_000, ...options });
  await closeAfterTests(Promise.resolve({ close: async () => reader.close() }));
  return reader;
};
const patient = await open();
const hasty = await open({ deadlineMs: 400 });
const stranger = createRemoteFiles({ hosts, resolve, networks: ['127.0.0.1'], pausesMs: [] });
await closeAfterTests(Promise.resolve({ close: async () => stranger.close() }));

const json = (document: unknown): Buffer => Buffer.from(JSON.stringify(document));
const item = (id: string, href: string) => ({
  type: 'Feature',
  id,
  properties: { datetime: '2026-02-03T00:00:00Z' },
  assets: { data: { href } },
});
const collection = (hrefs: readonly string[], id = 'collection') => ({
  type: 'Collection',
  id,
  links: hrefs.map((href) => ({ rel: 'item', href })),
});
server.serve('/doc', { bytes: json(item('fine', 'a.tif')) });
for (const each of [expired, elsewhere]) each.serve('/doc', { bytes: json(item('never', 'a.tif')) });

const look = async (reader: RemoteFiles, address: string, signal = new AbortController().signal) =>
  await lookAt(reader, address, { language: 'en', signal });
type Look = Awaited<ReturnType<typeof look>>;

async function refusedWith(asked: Promise<Look>, sentence: RegExp, name: string): Promise<void> {
  await assert.rejects(asked, (error) => {
    assert.ok(error instanceof Problem && error.code === 'invalid', `${name}: ${String(error)}`);
    assert.match(String(error.fields?.['address']), sentence, name);
    return true;
  });
}

/** Asserts that a document is refused with a sentence: as the address itself, and as one of those to which it leads. */
async function assertRefused(
  reader: RemoteFiles,
  address: string,
  { sentence, name }: { readonly sentence: RegExp; readonly name: string },
): Promise<void> {
  await refusedWith(look(reader, address), sentence, name);
  const links = [at('archive'), address, at('archive', '/doc?again')];
  const root = server.serve('/root', { bytes: json(collection(links)) });
  const { items, refused, complete } = await look(reader, root);
  assert.deepEqual([items.map(({ id }) => id), refused.length, complete], [['fine', 'fine'], 1, true], name);
  assert.match(refused[0]?.reason ?? '', sentence, name);
}

const redirecting =
  (to: string): Behaviour =>
  (_file, _request, response) =>
    void response.writeHead(302, { location: to }).end();

describe('a STAC document', () => {
  test('of a server without a valid certificate is refused', async () => {
    const sentence = /certificate/;
    await assertRefused(patient, at('archive', '/doc', expired.port), { sentence, name: 'expired' });
    await assertRefused(patient, at('wrong'), { sentence, name: 'another name' });
    await refusedWith(look(stranger, at('archive')), sentence, 'an unknown issuer');
    assert.equal(expired.requests(), 0);
  });

  test('that is elsewhere is not followed there', async () => {
    for (const [to, sentence] of [
      [at('elsewhere', '/doc', elsewhere.port), /redirects to elsewhere/],
      [at('archive', '/doc', elsewhere.port), /redirects to archive/],
      [`http://archive.test:${port}/doc`, /redirects to archive/],
      [`https://user:secret@archive.test:${port}/doc`, /redirects to archive/],
      ['https://127.0.0.1/doc', /redirects to 127/],
      ['file:///etc/passwd', /redirects to/],
      ['https://10.0.0.1/doc', /private or reserved network/],
      ['https://[::1]/doc', /private or reserved network/],
      [at('inner'), /private or reserved network/],
      ['/moved', /again and again/],
    ] as const) {
      const address = server.serve('/moved', { bytes: Buffer.alloc(0) }, redirecting(to));
      await assertRefused(patient, address, { sentence, name: to });
    }
    assert.equal(elsewhere.requests(), 0);
  });

  test('at an address of a private network is refused, even if its host is listed', async () => {
    const sentence = /private or reserved network/;
    const names = ['10.0.0.1', '127.0.0.2', '127.0.2', '2130706434', '0x7f000002', '169.254.169.254'];
    for (const name of [...names, '[::1]', '[fd00:ec2::254]', '[::ffff:127.0.0.2]'])
      await assertRefused(patient, `https://${name}/doc`, { sentence, name });
    await assertRefused(patient, at('inner'), { sentence, name: 'by its name' });
  });

  test('of a name that is private by the second answer is refused then', async () => {
    let asked = 0;
    const rebound = await open({
      resolve(_name, callback) {
        asked += 1;
        callback(null, [{ address: asked === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }]);
      },
    });
    // Without a connection that stays open, each document asks for the name.
    const closing: Behaviour = ({ bytes }, _request, response) =>
      void response.writeHead(200, { connection: 'close' }).end(bytes);
    const root = server.serve('/rebound', { bytes: json(collection(['doc', 'doc?2'])) }, closing);
    const before = server.requests();
    const { items, refused } = await look(rebound, root);
    assert.deepEqual([items, refused.length], [[], 2]);
    for (const { reason } of refused) assert.match(reason, /private or reserved network/);
    assert.equal(server.requests() - before, 1);
    await refusedWith(look(rebound, root), /private or reserved network/, 'the next look');
  });

  test('that does not end, or not in time, is refused', async () => {
    const slow = /did not answer in time/;
    const timers = new Set<NodeJS.Timeout>();
    const cases: readonly (readonly [string, Behaviour, RegExp])[] = [
      ['does not answer', () => undefined, slow],
      ['half a head', (_file, _request, { socket }) => void socket?.write('HTTP/1.1 200 OK\r\nx: '), slow],
      [
        'a byte at a time',
        (_file, _request, response) => {
          response.writeHead(200);
          const timer = setInterval(() => response.write(' '), 50);
          timers.add(timer);
          response.on('close', () => clearInterval(timer));
        },
        slow,
      ],
      [
        'compressed, which may be of any length',
        (_file, _request, response) =>
          void response
            .writeHead(200, { 'content-encoding': 'gzip' })
            .end(gzipSync(Buffer.alloc(1 << 20, 32))),
        /content encoding/,
      ],
      [
        'a part of it',
        (_file, _request, response) => void response.writeHead(206).end('{}'),
        /other bytes than it announced/,
      ],
      [
        'less than it announces',
        (_file, _request, response) => {
          response.writeHead(200, { 'content-length': 100 });
          response.write('{', () => response.destroy());
        },
        /connection .* failed/i,
      ],
    ];
    for (const [name, behaviour, sentence] of cases) {
      const address = server.serve('/slow', { bytes: Buffer.alloc(0) }, behaviour);
      await assertRefused(sentence === slow ? hasty : patient, address, { sentence, name });
    }
    for (const timer of timers) clearInterval(timer);
  });

  test('that is late for the whole look is refused, and otherwise leaves what was found', async () => {
    const late = server.serve('/late', { bytes: Buffer.alloc(0) }, () => undefined);
    await refusedWith(look(patient, late, AbortSignal.timeout(200)), /archive\.test.* in time/, 'late');
    const page = { type: 'FeatureCollection', features: [item('first', 'a.tif')] };
    const links = [{ rel: 'next', href: late }];
    const root = server.serve('/page', { bytes: json({ ...page, links }) });
    const ending = new AbortController();
    const asked = look(patient, root, ending.signal);
    server.serve('/late', { bytes: Buffer.alloc(0) }, () => ending.abort());
    const { items, complete } = await asked;
    assert.deepEqual([items.map(({ id }) => id), complete], [['first'], false]);
  });
});

describe('a STAC document with too much of something', () => {
  const serve = (text: string): string => server.serve('/much', { bytes: Buffer.from(text) });

  test('leads to a thousand documents', async () => {
    const hrefs = Array.from({ length: 130_000 }, (_, index) => `https://n.test/${index}`);
    const { refused, complete } = await look(patient, serve(JSON.stringify(collection(hrefs))));
    assert.equal(refused.length, 1000);
    assert.match(refused[0]?.reason ?? '', /has not listed n\.test/);
    assert.match(refused.at(-1)?.reason ?? '', /More than 1000 documents/);
    assert.equal(complete, true);
  });

  test('names a thousand broken items', async () => {
    const text = `{"type":"FeatureCollection","features":[${'1,'.repeat(200_000)}1]}`;
    const { refused, complete } = await look(patient, serve(text));
    assert.deepEqual([refused.length, complete], [1000, false]);
  });

  test('keeps no long name, link or list of files', async () => {
    const long = 'я'.repeat(100_000);
    const links = [
      { rel: 'item', href: `/${long}` },
      { rel: 'item', href: 'page' },
    ];
    const root = serve(JSON.stringify({ type: 'Catalog', id: 'short', title: long, links }));
    const assets = Object.fromEntries(
      Array.from({ length: 2000 }, (_, index) => [
        `a${index}`,
        { href: `${index}.tif`, title: long.slice(0, 2001) },
      ]),
    );
    const features = [
      item(long, 'a.tif'),
      item('long file', `${long}.tif`),
      { ...item('many', ''), assets: { [long]: { href: 'a.tif' }, ...assets } },
    ];
    server.serve('/page', { bytes: json({ type: 'FeatureCollection', features }) });
    const found = await look(patient, root);
    assert.equal(found.title, 'short');
    assert.deepEqual(
      found.items.map(({ id }) => id),
      ['long file', 'many'],
    );
    assert.deepEqual([found.assets.length, found.refused.length], [1000, 1]);
    assert.deepEqual([found.assets[0]?.key, found.assets[0]?.title], ['a0', null]);
  });

  test('has no end of brackets, and no names of prototypes', async () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    await refusedWith(look(patient, serve(deep)), /not a STAC item/, 'deep');
    const own = JSON.stringify(item('x', 'a.tif')).replace('"data"', '"__proto__"');
    const { items, assets } = await look(patient, serve(own));
    assert.deepEqual([items.length, assets.length <= 1], [1, true]);
  });
});

describe('a file of a STAC item', () => {
  test('with another scheme, a password or no name is not offered', async () => {
    for (const href of [
      `http://archive.test:${port}/a.tif`,
      `ftp://archive.test/a.tif`,
      'file:///etc/a.tif',
      'gopher://archive.test/a.tif',
      'data:image/tiff,a.tif',
      'javascript:a.tif',
      '/vsicurl/https://archive.test/a.tif?',
      `https://user:secret@archive.test:${port}/a.tif`,
      `https://archive.test:${port}/a.tif#b`,
      'https:///a.tif#',
    ]) {
      server.serve('/one', { bytes: json(item('one', href)) });
      const { items, assets } = await look(patient, at('archive', '/one'));
      assert.equal(items.length, 1);
      // What remains is a name on the host of the item itself.
      for (const { key } of assets) assert.deepEqual([key, href.startsWith('/vsi')], ['data', true], href);
    }
  });

  test('on another host or in a private network is refused, at the latest when it is read', async () => {
    for (const [href, sentence, isKnown] of [
      [at('elsewhere', '/a.tif', elsewhere.port), /has not listed/, true],
      [`//elsewhere.test:${elsewhere.port}/a.tif`, /has not listed/, true],
      ['https://192.168.0.1/a.tif', /has not listed/, true],
      ['https://10.0.0.1/a.tif', /private or reserved/, true],
      ['https://169.254.169.254/latest/a.tif', /private or reserved/, true],
      ['https://[::1]/a.tif', /private or reserved/, true],
      ['s3://bucket/a.tif', /has not listed/, true],
      [at('inner', '/a.tif'), /private or reserved/, false],
    ] as const) {
      server.serve('/one', { bytes: json(item('one', href)) });
      const { assets } = await look(patient, at('archive', '/one'));
      assert.equal(assets[0]?.key, 'data', href);
      const refusal = assets[0]?.refusal ?? '';
      if (isKnown) assert.match(refusal, sentence, href);
      else assert.equal(refusal, '', href);
      const address = href.startsWith('//') ? `https:${href}` : href;
      await assert.rejects(patient.probe(address), sentence, href);
    }
    assert.equal(elsewhere.requests(), 0);
  });
});
