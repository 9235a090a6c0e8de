import { describe, it } from 'node:test';
import { maxSldBytes } from '../../src/maps/styles/sld.ts';
import { refuseStyle, style } from '../support/maps/styles.ts';

const qml = `<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>\n<qgis version="3.34"><renderer-v2/></qgis>`;
const inQgis = /format of QGIS \(its root element is qgis\).* choose Style, Save Style, As SLD Style File$/;
const page = /^is an HTML page \(its root element is html\), not an SLD: .*web server/;
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const refused: Readonly<Record<string, readonly [string | Buffer, RegExp]>> = {
  nothing: ['', /^is empty$/],
  'a byte-order mark alone': ['\ufeff', /nothing but white space/],
  'a comment alone': ['<!-- <StyledLayerDescriptor/> -->', /line 1, .*must contain a root element/],
  'a root in CDATA alone': ['<![CDATA[<StyledLayerDescriptor/>]]>', /outside of root/],
  'plain text': ['Legend of the map', /^is not XML: it begins with "Legend of the map" instead of a < sign$/],
  JSON: ['{"version": 8, "layers": []}', /^begins like JSON, but an SLD is XML/],
  'a web page': ['<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head></html>', page],
  'a web page in small letters': ['\n<!doctype html><html><br></html>', page],
  'a web page without a DOCTYPE': ['<html><head><meta charset="utf-8"></head>', page],
  'a web page in capitals': ['<HTML><BODY></BODY></HTML>', /^is an HTML page \(its root element is HTML\)/],
  'an XHTML page': [
    '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd"><html/>',
    page,
  ],
  'a QGIS style': [qml, inQgis],
  'a QGIS style without a DOCTYPE': ['<qgis version="3.34"/>', inQgis],
  'a layer definition of QGIS': ['<!DOCTYPE qgis-layer-definition>\n<qlr/>', /layer definition of QGIS/],
  'an error report': [
    '<ows:ExceptionReport xmlns:ows="http://www.opengis.net/ows/1.1"/>',
    /^is an error report \(its root element is ows:ExceptionReport\)/,
  ],
  'a part of an SLD': [
    '<se:FeatureTypeStyle xmlns:se="http://www.opengis.net/se"/>',
    /^is only a part of an SLD .*put it inside of a StyledLayerDescriptor/,
  ],
  'another XML': ['<kml/>', /^must have the root element StyledLayerDescriptor, not kml$/],
  'the root inside of another': [`<a>${style('')}</a>`, /, not a$/],
  'the root in other letters': ['<styledLayerDescriptor/>', /, not styledLayerDescriptor$/],
  'a root in front of another root': [`${style('')}<a/>`, /only one root/],
  'text behind the root': [`${style('')}x`, /outside of root/],
  'blanks before the XML declaration': [
    ' <?xml version="1.0"?><StyledLayerDescriptor/>',
    /line 1, .*must be at the start/,
  ],
  'an end that is missing': [
    '<StyledLayerDescriptor>\n  <a>\n</StyledLayerDescriptor>',
    /line 3, column \d+: unexpected close tag$/,
  ],
  'an entity of HTML': [style('&nbsp;'), /undefined entity; write & itself as &amp;/],
  'a bare & with a ; behind it': [style('R & D; C'), /entity name; write & itself as &amp;/],
  'a bare &': [style('R & D'), /the entity & D<\/Styled.* does not end; write & itself as &amp;/],
  'NUL as a character reference': [style('&#0;'), /XML has no such character$/],
  'half a surrogate pair as a reference': [style('&#xD800;'), /XML has no such character$/],
  'a non-character as a reference': [style('&#xFFFE;'), /XML has no such character$/],
  'a character beyond Unicode as a reference': [style('&#x110000;'), /XML has no such character$/],
  'a control character as a reference': [style('&#1;'), /XML has no such character$/],
  'a NUL': [style('a\0b'), /line 1, column \d+: disallowed character/],
  'an escape character': [style('a\u001bb'), /line 1, column \d+: disallowed character/],
  'a name with marks that turn the writing': ['<!DOCTYPE a\u202eb\u0085c><x/>', /that of a b/],
  'half a surrogate pair in UTF-8': [
    Buffer.concat([Buffer.from('<a>'), Buffer.from([0xed, 0xa0, 0x80])]),
    /not valid utf-8 text/,
  ],
  'windows-1251 that is not declared': [
    Buffer.from('<StyledLayerDescriptor>\xCF\xEE\xEB\xE5</StyledLayerDescriptor>', 'latin1'),
    /not valid utf-8 text.*windows-1251/,
  ],
  'a picture': [png, /^is not /],
  'a ZIP archive': ['PK\x03\x04…', /^is a ZIP archive; unpack it/],
  'more than 5 MiB': [Buffer.alloc(maxSldBytes + 1, ' '), /at most 5 MiB/],
};

describe('a file that is sent as a style', () => {
  for (const [name, [content, wanted]] of Object.entries(refused)) {
    it(`${name}: refused`, async () => {
      await refuseStyle(content, wanted);
    });
  }
});
