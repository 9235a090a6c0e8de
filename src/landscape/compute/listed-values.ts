/** Maximum number of values without a number that a result lists. Apart from the schema, so that the child loads no zod. */
export const maxListedValues = 50;
