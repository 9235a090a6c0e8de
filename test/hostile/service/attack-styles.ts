import type { Targets } from './attack.ts';

export interface StyleAttack {
  readonly name: string;
  readonly text: string;
  readonly status: 200 | 422;
}

/** Styles that would have their reader fetch. What only names a picture elsewhere is a style like any other. */
export function attackStyles({ canaryCsv, storedTable, urls }: Targets): readonly StyleAttack[] {
  const [url = ''] = urls;
  const root = (inner: string, head = '') =>
    `${head}<StyledLayerDescriptor version="1.0.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xi="http://www.w3.org/2001/XInclude">${inner}</StyledLayerDescriptor>`;
  const external = [canaryCsv, storedTable].map((path) => ({
    name: `an entity of ${path}`,
    text: root('&a;', `<!DOCTYPE s [<!ENTITY a SYSTEM "file://${path}">]>`),
    status: 422 as const,
  }));
  return [
    ...external,
    { name: 'a DTD elsewhere', text: root('', `<!DOCTYPE s SYSTEM "${url}/s.dtd">`), status: 422 },
    {
      name: 'a parameter entity',
      text: root('', `<!DOCTYPE s [<!ENTITY % p SYSTEM "${url}/p"> %p;]>`),
      status: 422,
    },
    {
      name: 'pictures, parts and style sheets elsewhere',
      text: root(
        `<xi:include href="file://${canaryCsv}" parse="text"/><OnlineResource xlink:href="${url}/a.png"/>`,
        `<?xml-stylesheet href="${url}/a.xsl" type="text/xsl"?>`,
      ),
      status: 200,
    },
  ];
}
