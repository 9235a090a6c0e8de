import { type Mutation, oddText, replaceRange } from './mutation.ts';

const documentTypes: readonly string[] = [
  '<!DOCTYPE x>',
  '<!DOCTYPE x [<!ENTITY a "b">]>',
  '<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd">',
  '<!DOCTYPE x [<!ENTITY % p SYSTEM "file:///etc/hostname"> %p;]>',
  '<!doctype x>',
  '<!DOCTYPE',
];
const references =
  `&a; &lol9; &#0; &#x110000; &#xD800; &#65; &amp;amp; & &#; %p; ]]> <![CDATA[ <!-- <!----> <!------> <?php?>
  <?xml\tversion="1.0"?> <script>alert(1)</script> <xi:include\thref="file:///etc/hostname"\tparse="text"/>
  <ogc:Literal>NaN</ogc:Literal>`.split(/[ \n]+/);
const encodings = [...'UTF-8 UTF-16 UTF-7 UTF-32 windows-1251 EBCDIC'.split(' '), '', 'x'.repeat(5000)];

/** A mutation of one piece of the document that a pattern finds. */
const replaceMatch =
  (pattern: RegExp, by: (found: string, means: Parameters<Mutation>[1]) => string): Mutation =>
  (bytes, means) => {
    const text = bytes.toString('latin1');
    const found = Array.from(text.matchAll(pattern));
    if (found.length === 0) return undefined;
    const { 0: piece, index } = means.random.pick(found);
    return Buffer.from(replaceRange(text, index, index + piece.length, by(piece, means)), 'latin1');
  };

const tag = /<[/\w][^<>]*>/g;

const dropTag = replaceMatch(tag, () => '');
const changeTag = replaceMatch(tag, (found, { random }) =>
  random.pick([
    found.replace(/[\w:]+/, 'x:y'),
    found.replace(/[\w:]+/, (name) => name.toUpperCase()),
    found.replace(/[\w:]+/, () => oddText(random)),
    found.replace('>', ' a="1" a="2">'),
    found.replace('>', ' xmlns:sld="http://127.0.0.1:9/">'),
    found.replace('>', Array.from({ length: 20_000 }, (_, index) => ` a${index}=""`).join('')) + '>',
    found.slice(0, -1),
  ]),
);
const repeatTag = replaceMatch(tag, (found, { random }) => found.repeat(random.pick([2, 100, 100_000])));
const insertReference = replaceMatch(tag, (found, { random }) => found + random.pick(references));
const changeText = replaceMatch(/>[^<>]+</g, (_, { random }) => `>${oddText(random)}<`);
const changeAttribute = replaceMatch(/"[^"<>]*"/g, (_, { random }) => `"${oddText(random)}"`);
const addDocumentType = replaceMatch(/<\w/g, (found, { random }) => random.pick(documentTypes) + found);
const changeDeclaration = replaceMatch(
  /^<\?xml[^>]*>|^/g,
  (_, { random }) =>
    `<?xml version="${random.pick(['1.0', '1.1', '2.0', ''])}" encoding="${random.pick(encodings)}"?>`,
);

const changeEncoding: Mutation = (bytes, { random }) => {
  const text = bytes.toString('utf8');
  return random.pick([
    () => Buffer.from(`\ufeff${text}`),
    () => Buffer.from(`\ufeff${text}`, 'utf16le'),
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
    () => Buffer.from(`${text}${text}`),
    () => Buffer.from(` ${text}`),
  ])();
};

export const sldMutations: readonly Mutation[] = [
  [dropTag, changeTag, changeTag, repeatTag, insertReference, insertReference],
  [changeText, changeAttribute, addDocumentType, changeDeclaration, changeEncoding],
].flat();
