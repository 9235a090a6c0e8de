/** Returns the name of a table or column as SQL has it, whatever characters it holds. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
