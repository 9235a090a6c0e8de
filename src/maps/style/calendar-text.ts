/** How midnight is written after a day, in UTC or without a zone. */
export const midnights: readonly string[] = ['T', ' '].flatMap((between) =>
  ['00:00', '00:00:00', '00:00:00.0', '00:00:00.000'].flatMap((time) =>
    ['', 'Z', '+00:00'].map((zone) => `${between}${time}${zone}`),
  ),
);

const day = /^\d{4}-\d\d-\d\d$/;
const characters = 10;

/** Returns a day alone for a day at midnight, so that both compare as the same; any other text as it is. */
export function withoutMidnight(text: string): string {
  return midnights.includes(text.slice(characters)) && isDay(text.slice(0, characters))
    ? text.slice(0, characters)
    : text;
}

/** True for a text such as 2020-01-31. */
export function isDay(text: string): boolean {
  return day.test(text);
}
