/** Returns the members of a JSON object by name; none of any other value. */
export function membersOf(value: unknown): Readonly<Partial<Record<string, unknown>>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
