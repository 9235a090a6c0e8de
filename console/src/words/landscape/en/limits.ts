export const limits = {
  title: 'What limits',
  failed: 'What limits this use could not be read.',
  counting: 'What limits this use is being counted.',
  most: (factor: string, share: string, alone: string) =>
    `${factor} limits ${share} of the land that is not fully suitable, and ${alone} on its own.`,
  nothing: 'Nothing limits: all land that is rated is in the best class.',
  table: 'Hectares by class and by what limits',
  class: 'Class',
  area: 'Hectares',
  relieved: 'If relieved',
  alone: (area: string) => `alone ${area}`,
  relieve: 'If it were relieved',
  none: 'as it is',
  explain:
    'A class is the least rating of its factors; what has this rating limits. A first number is the land that the factor limits, alone or with others. Letters make the FAO subclasses.',
  relievedText: (factor: string, rating: string, after: string, before: string) =>
    `If the factor “${factor}” were rated 5 on all rated land, the class “${rating}” would have ${after} ha instead of ${before} ha.`,
  relievedNothing: (factor: string) =>
    `If the factor “${factor}” were rated 5 on all rated land, nothing would change: others limit as well.`,
  subclasses: 'The largest subclasses',
};
