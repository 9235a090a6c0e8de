export const inputs = {
  title: 'Inputs and plan',
};
