const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Characters that XML 1.0 has no form for. */
// eslint-disable-next-line no-control-regex
const unwritable = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

/** Writes text into XML, between tags or between double quotes. */
export function xmlText(plain: string): string {
  return plain
    .toWellFormed()
    .replace(unwritable, '\uFFFD')
    .replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign);
}
