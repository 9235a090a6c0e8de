import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getRaw, insertCategory, upload } from '../support/datasets.ts';
import { openStyleTarget } from '../support/maps/style-target.ts';
import { style } from '../support/maps/styles.ts';
import { closeAfterTests } from '../support/for-tests.ts';

const xhtml = 'xmlns:h="http://www.w3.org/1999/xhtml"';
const xsl = 'xmlns:xsl="http://www.w3.org/1999/XSL/Transform"';
const transform = `<xsl:stylesheet ${xsl} version="1.0"><xsl:template match="/"><script/></xsl:template></xsl:stylesheet>`;

/** Styles that would run a script in a browser. */
const scripts: Readonly<Record<string, string>> = {
  'a script of XHTML': style(`<h:script ${xhtml}>alert(1)</h:script>`),
  'a script in an undeclared namespace': style('<h:script>alert(1)</h:script>'),
  'an SVG with onload': style(
    '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script></svg>',
  ),
  'a picture of XHTML with onerror': style(`<h:img ${xhtml} src="x" onerror="alert(1)"/>`),
  'a frame': style(
    `<h:iframe ${xhtml} src="javascript:alert(1)" srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;"/>`,
  ),
  'an OnlineResource of javascript:': style(
    '<OnlineResource xmlns:xlink="http://www.w3.org/1999/xlink" xlink:type="simple" xlink:href="javascript:alert(1)"/>',
  ),
  'a stylesheet in its own text': style(
    '',
    `<?xml-stylesheet type="text/xsl" href="data:text/xml,${encodeURIComponent(transform)}"?>`,
  ),
  'a stylesheet of this very address': style('', '<?xml-stylesheet type="text/xsl" href="?"?>'),
  'CSS in its own text': style(
    '',
    '<?xml-stylesheet type="text/css" href="data:text/css,*{background:url(//x.test)}"?>',
  ),
  'a transformation that is its own root': `<StyledLayerDescriptor ${xsl} xsl:version="1.0"><h:script ${xhtml}>alert(1)</h:script></StyledLayerDescriptor>`,
  'a page for those who guess by the first bytes': style(
    '',
    '<!-- <html><body onload="alert(1)"><script>alert(1)</script> -->',
  ),
};

const target = await closeAfterTests(openStyleTarget());
const category_id = await insertCategory(target.app.services.db);
const dg_id = target.path.split('/')[2] ?? '';
const datasetPath = `/datasets/${(await upload(target.app, { category_id, dg_id })).id}/sld`;

function assertHarmless(headers: Headers): void {
  assert.equal(headers.get('content-type'), 'application/xml');
  assert.equal(headers.get('content-security-policy'), "sandbox; default-src 'none'");
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
}

const wrongNames = [
  ['a.sld.exe', 'a.qml', 'a.txt', 'sld', '.sld.', 'a.sld '],
  ['a.sld/', 'a.sld\u202etxt', 'a.xml.zip', 'a.svg'],
].flat();

describe('a style that is opened in a browser', () => {
  for (const [name, content] of Object.entries(scripts)) {
    it(`${name}: served as it came, where nothing of it may run`, async () => {
      assert.deepEqual(await target.send(content), { status: 200, message: '' });
      for (const path of [target.path, datasetPath]) {
        const { status, headers, bytes } = await getRaw(target.app, path);
        assert.equal(status, 200);
        assert.equal(bytes.toString(), content);
        assertHarmless(headers);
      }
    });
  }

  it('is as harmless in parts, as a mere head, and to pages of other sites', async () => {
    await target.send(style('<a/>'));
    const part = await getRaw(target.app, target.path, {
      range: 'bytes=0-9',
      origin: 'https://example.test',
    });
    assert.equal(part.status, 206);
    assertHarmless(part.headers);
    assert.equal(part.headers.get('access-control-allow-origin'), null);
    const head = await fetch(target.app.baseUrl + target.path, { method: 'HEAD' });
    assert.equal(head.status, 200);
    assertHarmless(head.headers);
  });

  it('keeps its type when the browser asks whether it has changed', async () => {
    await target.send(style('<b/>'));
    const { headers } = await getRaw(target.app, target.path);
    const again = await getRaw(target.app, target.path, { 'if-none-match': headers.get('etag') ?? '' });
    assert.equal(again.status, 304);
    assert.equal(again.headers.get('x-content-type-options'), 'nosniff');
  });

  it('names itself as it was called, whatever that was', async () => {
    const { status } = await target.send(style(''), '<img src=x onerror=alert(1)>.sld');
    assert.equal(status, 200);
    const { headers } = await getRaw(target.app, target.path);
    assertHarmless(headers);
  });
});

describe('the name of a style', () => {
  for (const name of wrongNames) {
    it(`${JSON.stringify(name)}: refused`, async () => {
      await target.refused(style(''), /must have one of the extensions \.sld, \.xml/, name);
    });
  }
});
