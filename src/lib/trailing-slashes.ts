/** Returns an address without the slashes at its end, in one step for each character. */
export function withoutTrailingSlashes(address: string): string {
  // The look-behind begins once in a run of slashes, not at each of them.
  return address.replace(/(?<!\/)\/+$/, '');
}
