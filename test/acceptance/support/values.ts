export const lowerCaseUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** RFC 3339. */
export const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** Compares by code point, which is the order of UTF-8 bytes. */
export function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Texts that are not UUIDs although they may look like one, as written in a path or a query. */
export const notUuids = [
  'x',
  '1',
  '0b8f8a5c-5d1f-4c6f-9a3e-1f2d3c4b5a6',
  '0b8f8a5c-5d1f-4c6f-9a3e-1f2d3c4b5a678',
  '0b8f8a5c-5d1f-4c6f-9a3e-1f2d3c4b5a6g',
  '0b8f8a5c5d1f4c6f9a3e1f2d3c4b5a67',
  '%7B0b8f8a5c-5d1f-4c6f-9a3e-1f2d3c4b5a67%7D',
  'urn:uuid:0b8f8a5c-5d1f-4c6f-9a3e-1f2d3c4b5a67',
  '0b8f8a5c-5d1f-4c6f-9a3e-1f2d3c4b5a67%00',
  '%20b8f8a5c-5d1f-4c6f-9a3e-1f2d3c4b5a67',
  '0b8f8a5c-5d1f-4c6f-9a3e-1f2d3c4b5a67%0A',
] as const;

/** UUIDs with every kind of version and variant bits; no resource has them. */
export const strangeUuids = [
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFE',
  '01234567-89ab-0def-0123-456789abcdef',
  '01234567-89ab-9def-c123-456789abcdef',
  '01234567-89AB-FDEF-f123-456789aBcDeF',
] as const;

/** Texts that are not dates of the calendar, or not in the right form. */
export const notDates = [
  '2023-02-29',
  '1900-02-29',
  '2024-02-30',
  '2024-04-31',
  '2024-13-01',
  '2024-00-10',
  '2024-01-00',
  '2024-01-32',
  '0000-12-31',
  '10000-01-01',
  '-0001-01-01',
  '2024-1-1',
  '20240101',
  '2024-01-01T00:00:00Z',
  ' 2024-01-01',
  '2024-01-01 ',
  '٢٠٢٤-٠١-٠١',
  'today',
  'infinity',
  '01.02.2024',
] as const;

/** First and last valid date, and leap days that not every calendar has. */
export const edgeDates = ['0001-01-01', '9999-12-31', '2024-02-29', '2000-02-29', '0004-02-29'] as const;
