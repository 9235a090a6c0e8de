/** Levels of the administrative units, from the country down. */
export const unitLevels = ['republic', 'region', 'district', 'okrug', 'settlement'] as const;
export type UnitLevel = (typeof unitLevels)[number];

/** The code of the whole country, which the classifier does not list. */
export const republicCode = '000000000';
