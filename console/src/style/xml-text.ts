import type { Rgba } from '../../../common/maps/style/colour-map.ts';

/** Writes a colour as `#rrggbb`; formats of styles have the opacity apart. */
export const hexOf = ([red, green, blue]: Rgba): string =>
  `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;

const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Writes a text into XML, without the characters that XML cannot have. */
export function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex -- these are what XML cannot have
      .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
      .replace(/[&<>"]/g, (sign) => signs[sign] ?? '')
  );
}
