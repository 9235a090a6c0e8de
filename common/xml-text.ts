const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Characters that XML 1.0 cannot represent in any form. */
// eslint-disable-next-line no-control-regex
const unwritable = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

/** Escapes text for XML content and attributes in double quotes. */
export function xmlText(plain: string): string {
  return plain
    .toWellFormed()
    .replace(unwritable, '\uFFFD')
    .replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign);
}
