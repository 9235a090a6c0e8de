/** Conversions of units: value times `scale` plus `offset`. */
const table = {
  kelvin_to_celsius: { scale: 1, offset: -273.15 },
  fahrenheit_to_celsius: { scale: 5 / 9, offset: -160 / 9 },
  metres_to_millimetres: { scale: 1000, offset: 0 },
  metres_to_centimetres: { scale: 100, offset: 0 },
  kilometres_to_metres: { scale: 1000, offset: 0 },
  per_second_to_per_day: { scale: 86_400, offset: 0 },
} as const;

export type Conversion = keyof typeof table;

/** The names of all conversions. */
export const conversions = [
  'kelvin_to_celsius',
  'fahrenheit_to_celsius',
  'metres_to_millimetres',
  'metres_to_centimetres',
  'kilometres_to_metres',
  'per_second_to_per_day',
] as const satisfies readonly Conversion[];

/** Returns factor and summand of a scale and an offset, followed by a conversion. */
export function withConversion(
  { scale, offset }: { readonly scale: number; readonly offset: number },
  conversion: Conversion | null,
): { readonly scale: number; readonly offset: number } {
  if (conversion === null) return { scale, offset };
  const then = table[conversion];
  return { scale: scale * then.scale, offset: offset * then.scale + then.offset };
}
