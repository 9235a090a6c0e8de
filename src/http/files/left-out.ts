/** Lists in a header what of a style is not drawn, by its codes; nothing when all of it is. */
export function leftOutHeaders(codes: readonly string[] = []): Readonly<Record<string, string>> {
  return codes.length === 0 ? {} : { 'x-style-left-out': codes.join(', ') };
}
