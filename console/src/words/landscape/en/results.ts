export const results = {
  title: 'Results',
};
